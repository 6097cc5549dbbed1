//! Computes the two sums of each layer in one pass over the rows.
//!
//! Each row is read once and used up to three times. First, its stored values are added to the stored sum of its layer. Then its entries
//! are the children of positions whose waiter is the representative of the row. These positions may be in two layers, a placement layer and
//! the movement layer, and their required values are added to the sums of these layers.

use super::Pass;
use super::field::Field;
use super::lanes::{Lane, RequiredSums};
use super::layer_sums::{CodeCount, LayerSums, no_counts};
use super::required::{Best, LANES, Number, Prepared};
use super::stored::{Scratch, StoredSums};
use crate::codes::decode;
use crate::fault::Unfinished;
use crate::proof::Proof;
use morpion_core::{Encoding, LayerSection, TableError};
use morpion_machine::threads::share;
use morpion_machine::unpacker::bytes;
use std::ops::Range;

/// The work on the rows of one layer: sum the stored values of the layer, and the required values of the layers whose children are in it.
struct Task<'a, const E: u32> {
    index: usize,
    layer: LayerSection,
    stored: StoredSums<'a, E>,
    /// The layers whose children are in the rows, each with its number.
    required: Vec<(usize, RequiredSums<'a, E>)>,
}

/// The sums of one thread, and its buffers.
#[derive(Default)]
struct Share<P> {
    /// The sums of all layers.
    sums: Vec<LayerSums>,
    /// The counts of codes.
    counts: Vec<CodeCount>,
    /// The preference of each code.
    preferences: Vec<P>,
    codes: Vec<u16>,
    stored: Scratch,
    children: Vec<Best<P>>,
    prepared: Prepared<P>,
    lanes: Vec<Lane>,
}

impl<const E: u32> Pass<'_, E> {
    /// Reads rows of layer `index` in order. Adds its stored values, and the required values of the layers whose children are in these
    /// rows, to the sums of all layers.
    pub fn over(
        &self,
        index: usize,
        rows: Range<u64>,
        sums: &mut [LayerSums],
    ) -> Result<(), Unfinished> {
        let keys = &self.proof.keys;
        let parents = (0..sums.len()).filter(|&parent| keys.children_of(parent) == Some(index));
        let task = Task {
            index,
            layer: keys.table.raw().header().layers[index],
            stored: StoredSums::new(self, index),
            required: parents.map(|parent| (parent, RequiredSums::new(self, parent))).collect(),
        };
        match self.proof.scale.encoding {
            Encoding::Plies16 => self.shared::<u16>(&task, rows, sums)?,
            Encoding::Plies8 | Encoding::Wdl | Encoding::WdlCycle => {
                self.shared::<u8>(&task, rows, sums)?;
            }
        }
        Ok(self.proof.progress.check()?)
    }

    /// Divides the rows into blocks and sums the blocks on all threads.
    fn shared<P: Number>(
        &self,
        task: &Task<E>,
        rows: Range<u64>,
        sums: &mut [LayerSums],
    ) -> Result<(), TableError> {
        let Proof { keys, scale, progress, .. } = self.proof;
        let new = || {
            let (sums, counts) = (self.no_sums(), no_counts(scale.encoding));
            // This cannot fail: `over` chooses a type that holds all preferences of the encoding.
            let of_code = |code| scale.preference(code).try_into().unwrap_or_default();
            let preferences = (0..=scale.encoding.no_position()).map(of_code).collect();
            Ok::<_, TableError>(Share::<P> { sums, counts, preferences, ..Share::default() })
        };
        let shares = share(rows, LANES as u64, *progress, new, |share, rows| {
            let entries = (rows.end - rows.start) * task.layer.columns;
            self.block(rows, task, share)?;
            self.proof.count(entries);
            progress.advance(entries);
            Ok(())
        })?;
        for mut share in shares {
            share.sums[task.index].codes = LayerSums::new(keys, task.index, &share.counts).codes;
            sums.iter_mut().zip(&share.sums).for_each(|(sum, share)| sum.add::<E>(share));
        }
        Ok(())
    }

    fn block<P: Number>(
        &self,
        rows: Range<u64>,
        task: &Task<'_, E>,
        share: &mut Share<P>,
    ) -> Result<(), TableError> {
        let (Proof { keys, scale, .. }, LayerSection { columns, offset, .. }) =
            (self.proof, task.layer);
        let Share { sums, counts, preferences, codes, stored: scratch, children, prepared, lanes } =
            share;
        let bits = u64::from(scale.encoding.bits());
        let [first, end] = [rows.start * columns, rows.end * columns];
        // With entries of two bits, the first byte may begin with entries of the row before.
        let start = first * bits / 8;
        let before = start * 8 / bits;
        let bytes = bytes(keys.table.source(), offset + start, (end * bits).div_ceil(8) - start)?;
        codes.clear();
        // This cannot fail: the bytes of a block contain all its entries.
        let _ = decode(scale.encoding, &bytes, first - before..end - before, codes);
        let columns = columns as usize;
        for (row, codes) in (rows.start..).zip(codes.chunks_exact(columns)) {
            let sum = task.stored.row(row, codes, counts, scratch);
            let stored = &mut sums[task.index].stored;
            *stored = Field::<E>::add(*stored, sum);
        }
        if !task.required.is_empty() {
            transpose(preferences, codes, columns, children);
        }
        for (parent, required) in &task.required {
            let rows = rows.start as usize..rows.end as usize;
            let sum = required.rows(rows, children, prepared, lanes);
            let known = sums[*parent].required.get_or_insert([0, 0]);
            *known = Field::<E>::add(*known, sum);
        }
        Ok(())
    }
}

/// Converts the rows of a block to lanes of preferences, some columns at a time. `preferences` has the preference of each code.
fn transpose<P: Number>(
    preferences: &[P],
    codes: &[u16],
    columns: usize,
    children: &mut Vec<Best<P>>,
) {
    const STRETCH: usize = 1 << 10;
    children.resize(columns, [P::default(); LANES]);
    for start in (0..columns).step_by(STRETCH) {
        let stretch = start..columns.min(start + STRETCH);
        for (lane, row) in codes.chunks_exact(columns).enumerate() {
            for (child, code) in children[stretch.clone()].iter_mut().zip(&row[stretch.clone()]) {
                child[lane] = preferences[usize::from(*code)];
            }
        }
    }
}
