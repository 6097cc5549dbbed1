//! Writes values from the waiter's rows of a block to the table, except the most common value.

use super::parents::{LOSS, WIN};
use super::scatter::Collected;
use crate::solve::planes::{Bits, transpose};
use crate::solve::transposition::Transposition;
use morpion_core::rank::cells;
use morpion_machine::isa::{Kernel, expand};
use std::ops::Range;

/// Number of columns of a row that are written together.
const STRETCH: usize = 512;

/// Writes the positions of a block that do not have the common value to their places in the table.
pub struct WriteBlock<'a, 'f, 's, 't> {
    pub transposition: &'a Transposition<'f>,
    pub rows: Range<usize>,
    /// The values of the rows, from [`Parents::block`](super::parents::Parents::block).
    pub planes: Vec<[Bits; 2]>,
    /// The code with which the table was filled.
    pub common: u8,
    pub movers: &'a [u64],
    /// The pending writes of the thread.
    pub collected: &'a mut Collected<'s, 't>,
}

/// For each tile of 64 columns, the columns that differ in the low bit, and in the high bit.
type Differences = [[u64; 2]; STRETCH / 64];

impl Kernel for WriteBlock<'_, '_, '_, '_> {
    type Output = ();
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let WriteBlock { transposition, rows, planes, common, movers, collected } = self;
        let order = transposition.order();
        let mut differences = [Differences::default(); 64];
        let mut found = [(0, 0); STRETCH];
        for (word, first) in rows.clone().step_by(64).enumerate() {
            let rows = first..rows.end.min(first + 64);
            let images = transposition.waiter_images(rows.clone());
            for (planes, movers) in planes.chunks(STRETCH).zip(movers.chunks(STRETCH)) {
                differ(planes, word, common, &mut differences);
                for ((lane, row), differences) in rows.clone().enumerate().zip(&differences) {
                    // First finds the positions of one row, and prefetches their map entries.
                    let (left, mut count) = (transposition.cells_left::<false>(row), 0);
                    for (&[low, high], movers) in differences.iter().zip(movers.chunks(64)) {
                        for column in cells(low | high) {
                            let mover = expand::<BITS>(movers[usize::from(column)], left);
                            let bits = low >> column & 1 | (high >> column & 1) << 1;
                            found[count] = (transposition.rank_and_prefetch(mover), bits as u32);
                            count += 1;
                        }
                    }
                    let images = &images[lane * order..][..order];
                    for &(rank, bits) in &found[..count] {
                        let place = transposition.locate::<BITS, false>(rank, 0, images);
                        transposition.each_place::<BITS, false>(&place, |place| {
                            collected.set(transposition.entry(place), bits);
                        });
                    }
                }
            }
        }
    }
}

/// Finds the columns of `planes` that differ from the common code, for each of 64 lanes.
#[inline(always)]
fn differ(planes: &[[Bits; 2]], word: usize, common: u8, differences: &mut [Differences; 64]) {
    for (tile, planes) in planes.chunks(64).enumerate() {
        let mut bits = [[0u64; 64]; 2];
        for (column, [won, drawn]) in planes.iter().enumerate() {
            [bits[0][column], bits[1][column]] = difference(common, won.0[word], drawn.0[word]);
        }
        for words in &mut bits {
            transpose(words);
        }
        for (lane, differences) in differences.iter_mut().enumerate() {
            differences[tile] = [bits[0][lane], bits[1][lane]];
        }
    }
}

/// Given the won and the drawn lanes, finds the lanes whose code differs from `common` in the low bit, and in the high bit.
#[inline(always)]
fn difference(common: u8, won: u64, drawn: u64) -> [u64; 2] {
    let lost = !(won | drawn);
    match common {
        WIN => [!won, lost],
        LOSS => [won, !lost],
        _ => [won, lost],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::values::parents::DRAW;

    #[test]
    fn a_difference_turns_the_common_code_into_the_code() {
        for common in [DRAW, WIN, LOSS] {
            for (code, won, drawn) in [(DRAW, 0, 1), (WIN, 1, 0), (LOSS, 0, 0)] {
                let [low, high] = difference(common, won, drawn);
                assert_eq!(common ^ (low & 1 | (high & 1) << 1) as u8, code);
            }
        }
    }
}
