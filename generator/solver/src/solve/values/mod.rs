//! Solves layers with two bits per entry: values without distances, one layer after the other in memory.
//!
//! Most positions have the same value. A layer starts with that value everywhere, and only other values are written
//! from the waiter's rows to their places. They are written in place, because batches would take 16 times as much
//! memory as the entries that they change.

mod parents;
mod push;
mod scatter;

use crate::error::SolveError;
use crate::layout::values_of_movement;
use crate::sets::FoldedSets;
use crate::solve::ages::Ages;
use crate::solve::census;
use crate::solve::keeper::{Keeper, Pieces};
use crate::solve::planes::BLOCK_ROWS;
use crate::solve::shape::Shape;
use crate::solve::transposition::Transposition;
use morpion_core::rank::subsets;
use morpion_lookup::Value;
use morpion_machine::isa::dispatch;
use morpion_machine::memory::filled;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use parents::{DRAW, LOSS, NONE, Parents, WIN};
use push::{Push, Scratch};
use scatter::{PACKED, Scatter};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of rows of the table that are processed together if rows are independent. They fill whole bytes.
const ROWS: usize = 64;

/// Solves the remaining layers on the threads of this pool, and writes them to `keeper`. The rows of a layer are in memory, four entries
/// a byte.
///
/// # Errors
/// If the game has movement, the observer requests a stop, or files cannot be read or written.
pub fn solve(
    sets: &FoldedSets,
    keeper: &mut dyn Keeper,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let layers = sets.game().raw().graph().layers.len();
    let done = keeper.done().layers;
    let entries = |layer: usize| Shape::of(sets, layer).entries();
    let rest = layers - done as usize;
    progress.whole((0..rest).map(|layer| entries(layer) as u64).sum());
    let mut solved = None;
    if done > 0 && rest > 0 {
        let mut packed = vec![0; entries(rest).div_ceil(PACKED)];
        if let Some(mut next) = keeper.solved_layer(done)? {
            next(&mut packed)?;
        }
        solved = Some(packed);
    }
    for layer in (0..rest).rev() {
        let counts = sets.game().raw().graph().layers[layer].counts;
        progress.layer(counts, entries(layer) as u64);
        if sets.game().raw().graph().is_cyclic(layer) {
            return Err(values_of_movement().into());
        }
        let packed = match solved {
            Some(children) => placement(sets, layer, &children, progress)?,
            None => last(sets, layer),
        };
        keeper.write(&|visit: &mut Pieces| {
            visit(&packed)?;
            Ok((census::of_values(sets, layer, &packed), [None, None]))
        })?;
        keeper.layer((layers - layer) as u64)?;
        solved = Some(packed);
    }
    Ok(())
}

/// The entries of the last layer of a game, with lines or a full board. Entries have two bits, the first in the lowest
/// bits.
fn last(sets: &FoldedSets, layer: usize) -> Vec<u8> {
    let (shape, game) = (Shape::of(sets, layer), sets.game());
    let counts = shape.counts;
    let line = if game.raw().graph().line == Value::Win { WIN } else { LOSS };
    let mut packed = vec![0; shape.entries().div_ceil(PACKED)];
    let movers = &sets.orbits(counts.mover).representatives;
    threads::each_chunk(&mut packed, shape.columns * ROWS / PACKED, &|number, out| {
        for (row, &mover) in movers[number * ROWS..].iter().take(ROWS).enumerate() {
            let first = row * shape.columns;
            if game.raw().has_line(mover) {
                fill_none(out, first..first + shape.columns);
                continue;
            }
            for (key, waiter) in (first..).zip(shape.waiters(mover)) {
                let code = if game.raw().has_line(waiter) { line } else { DRAW };
                out[key / PACKED] |= code << (key % PACKED * 2);
            }
        }
    });
    packed
}

/// Solves a layer from the layer after it.
fn placement(
    sets: &FoldedSets,
    layer: usize,
    children: &[u8],
    progress: &dyn Progress,
) -> Result<Vec<u8>, SolveError> {
    let (shape, ages) = (Shape::of(sets, layer), Ages::default());
    let counts = shape.counts;
    let parents = Parents::new(sets, shape, children);
    let common = parents.common();
    let transposition = Transposition::new(sets, &ages, &shape);
    let movers: Vec<u64> = subsets(shape.cells_left, u32::from(counts.mover)).collect();
    let mut packed = filled(shape.entries().div_ceil(PACKED), 0u8);
    let blocks = shape.source_rows.div_ceil(BLOCK_ROWS);
    let scatter = Scatter::new(&mut packed, threads::count());
    let next = AtomicUsize::new(0);
    let done = threads::map(threads::count(), &|_| {
        let mut scratch = Scratch::new(&scatter);
        loop {
            progress.check()?;
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks {
                return Ok(());
            }
            let planes = parents.block(block);
            let rows = parents.rows(block);
            let done = (shape.entries() * rows.len() / shape.source_rows) as u64;
            let (transposition, columns, scratch) = (&transposition, shape.columns, &mut scratch);
            dispatch(Push {
                transposition,
                rows,
                planes,
                common,
                movers: &movers,
                columns,
                scratch,
            });
            progress.advance(done);
        }
    });
    done.into_iter().collect::<Result<(), SolveError>>()?;
    drop(scatter);
    // The pushed bits are the difference from the common value.
    let has_line = sets.has_line(counts.mover);
    threads::each_chunk(&mut packed, shape.columns * ROWS / PACKED, &|number, out| {
        if common != 0 {
            out.iter_mut().for_each(|byte| *byte ^= common * 0b0101_0101);
        }
        let has_line = has_line[number * ROWS..].iter().take(ROWS).enumerate();
        for (row, _) in has_line.filter(|(_, has_line)| **has_line) {
            fill_none(out, row * shape.columns..(row + 1) * shape.columns);
        }
    });
    let rest = shape.entries() % PACKED;
    if let (1.., Some(byte)) = (rest, packed.last_mut()) {
        *byte &= (1 << (rest * 2)) - 1;
    }
    Ok(packed)
}

/// Marks the entries `keys` as invalid arrangements.
fn fill_none(packed: &mut [u8], keys: Range<usize>) {
    // Fills whole bytes at once, and the entries before and after them one by one.
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
    fn only_the_filled_entries_change() {
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
