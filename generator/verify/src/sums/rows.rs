//! Computes the two sums of each layer in one pass over the rows.
//!
//! While a row of layer (a, b) is in memory, it is used up to three times. First, its stored values are added to the
//! sum of its layer. Second and third, its entries are the children of positions whose waiter is its representative, in
//! a placement layer and in the movement layer.

use super::Pass;
use super::field::Field;
use super::lanes::{Lane, RequiredSums};
use super::pass_sums::PassSums;
use super::required::{Best, LANES, Number, Prepared};
use super::stored::{Scratch, StoredSums};
use crate::codes::decode;
use crate::fault::Unfinished;
use crate::proof::Proof;
use crate::share::share;
use morpion_core::{Encoding, LayerSection, TableError};
use morpion_machine::unpacker::bytes;
use std::ops::Range;

/// The sums over the rows of a layer: the stored values of the layer, and the required values of the layers whose children are in it.
struct Task<'a, const E: u32> {
    layer: LayerSection,
    stored: StoredSums<'a, E>,
    required: Vec<RequiredSums<'a, E>>,
}

/// The buffers of one thread.
#[derive(Default)]
struct Buffers<P> {
    codes: Vec<u16>,
    stored: Scratch,
    children: Vec<Best<P>>,
    prepared: Prepared<P>,
    lanes: Vec<Lane>,
}

impl<const E: u32> Pass<'_, E> {
    /// Reads rows of layer `index` in order. Sums its stored values, and the required values of the layers `parents`, whose children are
    /// in these rows.
    pub fn over(
        &self,
        index: usize,
        rows: Range<u64>,
        parents: &[usize],
    ) -> Result<PassSums, Unfinished> {
        let task = Task {
            layer: self.proof.keys.table.raw().header().layers[index],
            stored: StoredSums::new(self, index),
            required: parents.iter().map(|&parent| RequiredSums::new(self, parent)).collect(),
        };
        let found = match self.proof.scale.encoding {
            Encoding::Plies16 => self.shared::<u16>(&task, rows),
            Encoding::Plies8 | Encoding::Wdl | Encoding::WdlCycle => self.shared::<u8>(&task, rows),
        };
        self.proof.progress.check()?;
        Ok(found?)
    }

    /// Sums blocks of rows on all threads.
    fn shared<P: Number>(&self, task: &Task<E>, rows: Range<u64>) -> Result<PassSums, TableError> {
        let Proof { scale, progress, .. } = self.proof;
        let none = || PassSums::new(task.required.len(), scale.encoding);
        let new = || Ok((none(), Buffers::<P>::default()));
        let shares = share(rows, LANES as u64, *progress, new, |(found, buffers), rows| {
            let entries = (rows.end - rows.start) * task.layer.columns;
            self.block(rows, task, found, buffers)?;
            found.entries += entries;
            progress.advance(entries);
            Ok::<(), TableError>(())
        })?;
        Ok(shares.into_iter().fold(none(), |all, (found, _)| all.merge::<E>(found)))
    }

    fn block<P: Number>(
        &self,
        rows: Range<u64>,
        task: &Task<'_, E>,
        found: &mut PassSums,
        buffers: &mut Buffers<P>,
    ) -> Result<(), TableError> {
        let (Proof { keys, scale, .. }, LayerSection { columns, offset, .. }) =
            (self.proof, task.layer);
        let Buffers { codes, stored: scratch, children, prepared, lanes } = buffers;
        let bits = u64::from(scale.encoding.bits());
        let [first, end] = [rows.start * columns, rows.end * columns];
        // The first byte may begin with entries of the row before.
        let start = first * bits / 8;
        let before = start * 8 / bits;
        let bytes = bytes(keys.table.source(), offset + start, (end * bits).div_ceil(8) - start)?;
        codes.clear();
        // The bytes of a block contain all its entries.
        let _ = decode(scale.encoding, &bytes, first - before..end - before, codes);
        let columns = columns as usize;
        for (row, codes) in (rows.start..).zip(codes.chunks_exact(columns)) {
            let sum = task.stored.row(row, codes, &mut found.counts, scratch);
            found.stored = Field::<E>::add(found.stored, sum);
        }
        if !task.required.is_empty() {
            self.transpose(codes, columns, children);
        }
        for (required, sum) in task.required.iter().zip(&mut found.required) {
            let rows = rows.start as usize..rows.end as usize;
            let of_rows = required.rows(rows, children, prepared, lanes);
            *sum = Field::<E>::add(*sum, of_rows);
        }
        Ok(())
    }

    /// Converts the rows of a block to lanes of preferences, some columns at a time.
    fn transpose<P: Number>(&self, codes: &[u16], columns: usize, children: &mut Vec<Best<P>>) {
        const STRETCH: usize = 1 << 10;
        children.resize(columns, [P::default(); LANES]);
        for start in (0..columns).step_by(STRETCH) {
            let stretch = start..columns.min(start + STRETCH);
            for (lane, row) in codes.chunks_exact(columns).enumerate() {
                for (child, code) in children[stretch.clone()].iter_mut().zip(&row[stretch.clone()])
                {
                    child[lane] = P::of(self.proof.scale.preference(*code));
                }
            }
        }
    }
}
