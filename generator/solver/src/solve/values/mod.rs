//! A placement layer of two bits an entry, from the layer after it: values without distances.
//!
//! In: the packed entries of the child layer. Out: those of the layer. Most positions have the same value; the table starts
//! with that one everywhere, and only the others are taken from the waiter's rows to where they stand.

mod codes;
mod parents;
mod push;

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::operator::Operator;
use crate::solve::operator::supersets::Supersets;
use crate::solve::planes::{BLOCK_ROWS, Bits};
use crate::solve::scatter::{PACKED, Scatter};
use crate::solve::transposition::Transposition;
use morpion_games::progress::Progress;
use morpion_machine::isa::{Isa, dispatch};
use morpion_machine::memory::filled;

use codes::{DRAW, LOSS, NONE, WIN};
use morpion_lookup::Counts;
use morpion_lookup::raw::rank::subsets;
use parents::Parents;
use push::{Push, Scratch};
use rayon::BroadcastContext;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows of the table that are worked on together where rows are independent; they fill whole bytes.
const ROWS: usize = 64;

/// The entries of the last layer of a game: lines, or a full board. Two bits an entry, the first in the lowest bits.
pub fn last(sets: &FoldedSets, counts: Counts) -> Vec<u8> {
    let shape = Shape::of(sets, counts);
    let game = sets.game();
    let line = if game.rules().misere { WIN } else { LOSS };
    let mut packed = vec![0; shape.entries().div_ceil(PACKED)];
    let movers = sets.orbits(counts.mover).representatives.par_chunks(ROWS);
    packed.par_chunks_mut(shape.columns * ROWS / PACKED).zip(movers).for_each(|(out, movers)| {
        for (row, &mover) in movers.iter().enumerate() {
            let first = row * shape.columns;
            if game.has_line(mover) {
                fill_none(out, first..first + shape.columns);
                continue;
            }
            for (key, waiter) in (first..).zip(shape.waiters(mover)) {
                let code = if game.has_line(waiter) { line } else { DRAW };
                out[key / PACKED] |= code << (key % PACKED * 2);
            }
        }
    });
    packed
}

/// Bytes of memory that solving a layer of this shape takes with `threads` threads: its children, itself with what is on its
/// way to it, and the planes of children and parents, three of each at most.
pub(crate) fn memory(shape: &Shape, threads: usize) -> u64 {
    let bytes = |entries: usize| entries.div_ceil(PACKED) as u64;
    let children = bytes(shape.source_rows * shape.child_columns);
    let own = bytes(shape.entries());
    let planes =
        (threads * (shape.child_columns + shape.source_columns) * 3 * size_of::<Bits>()) as u64;
    let supersets = Supersets::memory(shape.cells_left, u32::from(shape.counts.mover));
    let movers = shape.source_columns as u64 * 8;
    let collected = own / 4;
    children
        + own
        + collected
        + planes
        + supersets
        + movers
        + Transposition::memory(shape.rows as u64)
}

/// The entries of the layer `counts`, given those of the layer after it.
///
/// # Errors
/// Where the observer asks for a stop.
pub fn solve(
    sets: &FoldedSets,
    counts: Counts,
    children: &[u8],
    operator: Operator,
    progress: &dyn Progress,
) -> Result<Vec<u8>, SolveError> {
    let shape = Shape::of(sets, counts);
    let parents = Parents::new(sets, counts, children, operator);
    let common = parents.common();
    let transposition = Transposition::new(sets, counts);
    let movers: Vec<u64> = subsets(shape.cells_left, u32::from(counts.mover)).collect();
    let mut packed = filled(shape.entries().div_ceil(PACKED), 0u8);
    let isa = Isa::detect();
    let blocks = shape.source_rows.div_ceil(BLOCK_ROWS);
    let scatter = Scatter::new(&mut packed, rayon::current_num_threads());
    let next = AtomicUsize::new(0);
    let work = |_: BroadcastContext| {
        let mut scratch = Scratch::new(&scatter);
        loop {
            progress.check()?;
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks {
                return Ok(());
            }
            let planes = parents.block(block);
            let rows = block * BLOCK_ROWS..shape.source_rows.min((block + 1) * BLOCK_ROWS);
            let done = (shape.entries() * rows.len() / shape.source_rows) as u64;
            let (transposition, columns, scratch) = (&transposition, shape.columns, &mut scratch);
            dispatch(
                isa,
                Push { transposition, rows, planes, common, movers: &movers, columns, scratch },
            );
            progress.advance(done);
        }
    };
    rayon::broadcast(work).into_iter().collect::<Result<(), SolveError>>()?;
    drop(scatter);
    // What was pushed is the difference to the common value.
    let chunks = packed.par_chunks_mut(shape.columns * ROWS / PACKED);
    chunks.zip(sets.has_line(counts.mover).par_chunks(ROWS)).for_each(|(out, has_line)| {
        if common != 0 {
            out.iter_mut().for_each(|byte| *byte ^= common * 0b0101_0101);
        }
        for (row, _) in has_line.iter().enumerate().filter(|(_, has_line)| **has_line) {
            fill_none(out, row * shape.columns..(row + 1) * shape.columns);
        }
    });
    let rest = shape.entries() % PACKED;
    if let (1.., Some(byte)) = (rest, packed.last_mut()) {
        *byte &= (1 << (rest * 2)) - 1;
    }
    Ok(packed)
}

/// Marks the entries `keys` as no positions.
fn fill_none(packed: &mut [u8], keys: Range<usize>) {
    // Whole bytes at once, and the entries before and after them one by one.
    let first = keys.start.next_multiple_of(PACKED).min(keys.end);
    let last = (keys.end / PACKED * PACKED).max(first);
    packed[first.div_ceil(PACKED)..last.div_ceil(PACKED)].fill(u8::MAX);
    for key in (keys.start..first).chain(last..keys.end) {
        packed[key / PACKED] |= NONE << (key % PACKED * 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entry_beside_the_filled_ones_changes() {
        for start in 0..9 {
            for end in start..=16 {
                let mut packed = [0u8; 4];
                fill_none(&mut packed, start..end);
                for key in 0..16 {
                    let code = packed[key / PACKED] >> (key % PACKED * 2) & 3;
                    assert_eq!(code, if (start..end).contains(&key) { NONE } else { 0 });
                }
            }
        }
    }
}
