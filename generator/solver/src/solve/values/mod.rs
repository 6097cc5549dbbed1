//! A placement layer of two bits an entry, from the layer after it: values without distances.
//!
//! Most positions of such a layer have the same value. The table starts with that one everywhere, and only the others are
//! taken from the waiter's rows to their places.

mod parents;
mod push;

use crate::solve::frame::Frame;
use crate::solve::operator::Operator;
use crate::solve::planes::BLOCK_ROWS;
use crate::solve::scatter::{PACKED, Scatter};
use crate::solve::transposition::Transposition;
use crate::solve::{Fault, Shape};
use morpion_games::progress::Progress;
use morpion_machine::isa::{Isa, dispatch};
use morpion_machine::memory::filled;

use morpion_lookup::Counts;
use morpion_lookup::rank::subsets;
use parents::Parents;
use push::{Batches, Push};
use rayon::BroadcastContext;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

const DRAW: u8 = 0;
const WIN: u8 = 1;
const LOSS: u8 = 2;
const NONE: u8 = 3;

/// Rows of the table that are worked on together where rows are independent; they fill whole bytes.
const ROWS: usize = 64;

/// The entries of the last layer of a game: lines, or a full board. Two bits an entry, the first in the lowest bits.
pub fn last(frame: &Frame, counts: Counts) -> Vec<u8> {
    let shape = Shape::of(frame, counts);
    let game = frame.game();
    let line = if game.rules().misere { WIN } else { LOSS };
    let mut packed = vec![0; shape.entries().div_ceil(PACKED)];
    let movers = frame.orbits(counts.mover).representatives.par_chunks(ROWS);
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

/// The entries of the layer `counts`, given those of the layer after it.
///
/// # Errors
/// Where the observer asks for a stop.
pub fn solve(
    frame: &Frame,
    counts: Counts,
    children: &[u8],
    operator: Operator,
    progress: &dyn Progress,
) -> Result<Vec<u8>, Fault> {
    let shape = Shape::of(frame, counts);
    let parents = Parents::new(frame, counts, children, operator);
    let common = parents.common();
    let transposition = Transposition::new(frame, counts);
    let movers: Vec<u64> = subsets(shape.cells_left, u32::from(counts.mover)).collect();
    let mut packed = filled(shape.entries().div_ceil(PACKED), 0u8);
    let isa = Isa::detect();
    let blocks = shape.source_rows.div_ceil(BLOCK_ROWS);
    let scatter = Scatter::new(&mut packed, rayon::current_num_threads());
    let next = AtomicUsize::new(0);
    let work = |_: BroadcastContext| {
        let mut batches = Batches::new(&scatter);
        loop {
            progress.check()?;
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks {
                return Ok(());
            }
            let planes = parents.block(block);
            let rows = block * BLOCK_ROWS..shape.source_rows.min((block + 1) * BLOCK_ROWS);
            let done = (shape.entries() * rows.len() / shape.source_rows) as u64;
            let (transposition, columns, batches) = (&transposition, shape.columns, &mut batches);
            dispatch(
                isa,
                Push { transposition, rows, planes, common, movers: &movers, columns, batches },
            );
            progress.advance(done);
        }
    };
    rayon::broadcast(work).into_iter().collect::<Result<(), Fault>>()?;
    drop(scatter);
    // What was pushed is the difference to the common value.
    let chunks = packed.par_chunks_mut(shape.columns * ROWS / PACKED);
    chunks.zip(frame.has_line(counts.mover).par_chunks(ROWS)).for_each(|(out, has_line)| {
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

/// Says of the entries `keys` that they are no positions.
fn fill_none(packed: &mut [u8], keys: Range<usize>) {
    // Whole bytes at once, and the entries before and behind them one by one.
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
