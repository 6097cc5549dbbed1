//! Solves layers with two bits per entry: values without distances, one layer after the other in memory.
//!
//! Most positions have the same value. A layer starts with that value everywhere, and only other values are written from the waiter's rows
//! to their places. Values are written in place, because batches would take 16 times the memory of the entries that they change.

mod parents;
mod scatter;
mod write;

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::census;
use crate::solve::code::Code;
use crate::solve::finished::Finished;
use crate::solve::keeper::{Keeper, VisitBytes, each_group};
use crate::solve::planes::{BLOCK_ROWS, STRIP_ROWS};
use crate::solve::shape::Shape;
use crate::solve::transposition::Transposition;
use morpion_core::{Encoding, rank::subsets};
use morpion_machine::isa::dispatch;
use morpion_machine::memory::filled;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use parents::{NONE, Parents};

use scatter::{PACKED, Scatter};
use std::ops::Range;
use write::WriteBlock;

/// Solves the remaining layers on the threads of this pool, and writes them to `keeper`. The rows of a layer are in memory, four entries
/// a byte.
///
/// # Errors
/// If the observer requests a stop, or files cannot be read or written.
pub fn solve(
    sets: &FoldedSets,
    keeper: &mut dyn Keeper,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let done = keeper.done().layers;
    let rest = sets.layout.game.graph().layers.len() - done as usize;
    let mut solved = None;
    if done > 0 && rest > 0 {
        let mut packed = vec![0; Shape::of(&sets.layout, rest).entries().div_ceil(PACKED)];
        keeper.solved_layer(rest)?.read_exact(&mut packed)?;
        solved = Some(packed);
    }
    each_group(sets, done, keeper, progress, &mut |group, keeper| {
        let layer = group.start;
        let packed = match solved.take() {
            Some(children) => placement(sets, layer, &children, progress)?,
            None => last(sets, layer),
        };
        keeper.write(&|visit: &mut VisitBytes| {
            visit(&packed)?;
            Ok(census::of_values(sets, layer, &packed))
        })?;
        solved = Some(packed);
        Ok(())
    })
}

/// The entries of the last layer of a game. Entries have two bits, the first entry of a byte in its lowest bits.
fn last(sets: &FoldedSets, layer: usize) -> Vec<u8> {
    let shape = Shape::of(&sets.layout, layer);
    let finished = Finished::<u8>::new(sets, shape);
    let mut packed = vec![0; shape.entries().div_ceil(PACKED)];
    threads::each_chunk(&mut packed, shape.columns * STRIP_ROWS / PACKED, &|strip, out| {
        let mut codes = vec![u8::none(); shape.entries_of(strip)];
        finished.fill(strip, &mut codes);
        for (key, code) in codes.iter().enumerate() {
            let code = code.score().and_then(|score| Encoding::Wdl.encode(score));
            out[key / PACKED] |= code.map_or(NONE, |code| code as u8) << (key % PACKED * 2);
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
    let shape = Shape::of(&sets.layout, layer);
    let parents = Parents::new(sets, shape, children);
    let common = parents.common();
    let transposition = Transposition::new(sets, &shape);
    let movers: Vec<u64> = subsets(shape.cells_left, u32::from(shape.counts.mover)).collect();
    let mut packed = filled(shape.entries().div_ceil(PACKED), 0u8);
    let blocks = shape.source_rows.div_ceil(BLOCK_ROWS) as u64;
    let scatter = Scatter::new(&mut packed, threads::count());
    let new = || Ok::<_, SolveError>(scatter.collect());
    let mut pending = threads::share(0..blocks, 1, progress, new, |collected, taken| {
        let block = taken.start as usize;
        let (rows, planes) = (parents.rows(block), parents.block(block));
        let done = (shape.entries() * rows.len() / shape.source_rows) as u64;
        let (transposition, movers) = (&transposition, &movers);
        dispatch(WriteBlock { transposition, rows, planes, common, movers, collected });
        progress.advance(done);
        Ok(())
    })?;
    progress.check()?;
    threads::each_chunk(&mut pending, 1, &|_, collected| collected[0].write_all());
    drop(pending);
    // The written bits are the difference from the common value.
    let has_line = sets.has_line(shape.counts.mover);
    threads::each_chunk(&mut packed, shape.columns * STRIP_ROWS / PACKED, &|number, out| {
        if common != 0 {
            out.iter_mut().for_each(|byte| *byte ^= common * 0b0101_0101);
        }
        let has_line = has_line[number * STRIP_ROWS..].iter().take(STRIP_ROWS).enumerate();
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
