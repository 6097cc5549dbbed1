//! Computes the two sums of each layer in one pass over the rows.
//!
//! While a row of layer (a, b) is in memory, it is used up to three times. First, its stored values are added to the
//! sum of its layer. Second and third, its entries are the children of positions whose waiter is its representative, in
//! a placement layer and in the movement layer.

use super::field::Field;
use super::lanes::{Lane, RequiredSums};
use super::pass::Pass;
use super::pass_sums::{PassSums, Wanted};
use super::required::{Best, LANES, Number, Prepared};
use super::stored::{Scratch, StoredSums};
use crate::codes::decode;
use crate::queue::Queue;
use crate::report::Unfinished;
use morpion_core::Encoding;
use morpion_lookup::TableError;
use morpion_machine::threads;
use morpion_machine::unpacker::bytes;
use std::borrow::Cow;
use std::ops::Range;

/// The rows of a layer that the threads share, and the sums to compute.
struct Task<'a, const E: u32> {
    wanted: &'a Wanted,
    stored: StoredSums<'a, E>,
    required: Vec<RequiredSums<'a, E>>,
    queue: Queue,
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

/// Neighbouring rows and their bytes.
struct Block<'t> {
    first: u64,
    rows: usize,
    bytes: Cow<'t, [u8]>,
    /// Offset in bits of the first entry in the first byte.
    bit: u64,
}

impl<const E: u32> Pass<'_, E> {
    /// Reads rows of one layer in order and computes the wanted sums.
    pub fn over(&self, wanted: &Wanted, rows: Range<u64>) -> Result<PassSums, Unfinished> {
        let mut required = Vec::new();
        for &index in &wanted.required {
            required.push(RequiredSums::new(self, index));
        }
        let task = Task {
            wanted,
            stored: StoredSums::new(self, wanted.rows),
            required,
            queue: Queue::new(rows, LANES as u64),
        };
        let shares = threads::map(threads::count(), &|_| match self.scale.encoding {
            Encoding::Plies16 => self.share::<u16>(&task),
            Encoding::Plies8 | Encoding::Wdl | Encoding::WdlCycle => self.share::<u8>(&task),
        });
        let mut found = PassSums::new(wanted.required.len(), self.scale.encoding);
        for share in shares {
            found = found.merge::<E>(share?);
        }
        if self.progress.stop() { Err(Unfinished::Stopped) } else { Ok(found) }
    }

    /// Sums blocks of rows until none is left.
    fn share<P: Number>(&self, task: &Task<'_, E>) -> Result<PassSums, TableError> {
        let mut found = PassSums::new(task.wanted.required.len(), self.scale.encoding);
        let mut buffers = Buffers::<P>::default();
        let columns = self.keys.table.raw().header().layers[task.wanted.rows].columns;
        while let Some(rows) = task.queue.take(self.progress) {
            // After an error, the other threads need not read the rest.
            let block = self.read(task.wanted.rows, rows).inspect_err(|_| task.queue.stop())?;
            self.block(&block, task, &mut found, &mut buffers);
            let entries = block.rows as u64 * columns;
            found.entries += entries;
            self.progress.advance(entries);
        }
        Ok(found)
    }

    fn read(&self, index: usize, rows: Range<u64>) -> Result<Block<'_>, TableError> {
        let layer = self.keys.table.raw().header().layers[index];
        let bits = u64::from(self.scale.encoding.bits());
        let [start, end] = [rows.start, rows.end].map(|row| row * layer.columns * bits);
        let length = end.div_ceil(8) - start / 8;
        let bytes = bytes(self.keys.table.source(), layer.offset + start / 8, length)?;
        Ok(Block {
            first: rows.start,
            rows: (rows.end - rows.start) as usize,
            bytes,
            bit: start % 8,
        })
    }

    fn block<P: Number>(
        &self,
        block: &Block,
        task: &Task<'_, E>,
        found: &mut PassSums,
        buffers: &mut Buffers<P>,
    ) {
        let layer = self.keys.table.raw().header().layers[task.wanted.rows];
        let columns = layer.columns as usize;
        let Buffers { codes, stored: scratch, children, prepared, lanes } = buffers;
        codes.clear();
        let first = block.bit / u64::from(self.scale.encoding.bits());
        let count = (block.rows * columns) as u64;
        // The block has the bytes of all of them.
        let _ = decode(self.scale.encoding, &block.bytes, first..first + count, codes);
        for (row, codes) in (block.first..).zip(codes.chunks_exact(columns)) {
            let sum = task.stored.row(row, codes, &mut found.counts, scratch);
            found.stored = Field::<E>::add(found.stored, sum);
        }
        if task.required.is_empty() {
            return;
        }
        self.transpose(codes, columns, children);
        for (required, sum) in task.required.iter().zip(&mut found.required) {
            let rows = block.first as usize..block.first as usize + block.rows;
            let of_rows = required.rows(rows, children, prepared, lanes);
            *sum = Field::<E>::add(*sum, of_rows);
        }
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
                    child[lane] = P::of(self.scale.preference(*code));
                }
            }
        }
    }
}
