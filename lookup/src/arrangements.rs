//! Numbers of the arrangements of a layer: all ways to put its pieces on the board, whether or not play reaches them.
//!
//! Converts between an arrangement and its number. Arrangements are ordered by the mover's set, then by the waiter's. On 3×3,
//! the layer (1, 1) has 9 · 8 = 72 arrangements: number 0 has the mover on a1 and the waiter on b1, number 8 the mover on b1 and
//! the waiter on a1.
//!
//! The key of an entry of a table is formed in the same way, with the row of the mover's orbit instead of the rank of its set.

use crate::Counts;
use crate::rank::{binomial, expand, rank, subsets, unrank};
use crate::raw::Position;
use morpion_core::by_chunks;
use morpion_core::chunks::{self, chunks_of, compress};

/// The arrangements of the pieces of one layer on some cells. Cells that are not among these are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Arrangements {
    cells: u64,
    counts: Counts,
    /// Chunks of the cells.
    chunks: usize,
    /// True if the ranks of all sets have at most 32 bits.
    is_small: bool,
}

impl Arrangements {
    /// The arrangements of `counts` pieces on `cells`: the cells of a board, or those without fixed pieces.
    #[must_use]
    pub fn new(cells: u64, counts: Counts) -> Arrangements {
        let chunks = chunks_of(64 - cells.leading_zeros());
        let mut arrangements = Arrangements { cells, counts, chunks, is_small: false };
        arrangements.is_small = (arrangements.rows() | arrangements.columns()) >> 32 == 0;
        arrangements
    }

    /// Number of sets of the mover.
    #[must_use]
    pub fn rows(&self) -> u64 {
        binomial(self.cells.count_ones(), self.counts.mover.into())
    }

    /// Number of sets of the waiter for each set of the mover.
    #[must_use]
    pub fn columns(&self) -> u64 {
        let left = self.cells.count_ones().checked_sub(self.counts.mover.into());
        left.map_or(0, |left| binomial(left, self.counts.waiter.into()))
    }

    /// Number of arrangements.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.rows() * self.columns()
    }

    /// The number of an arrangement.
    #[must_use]
    pub fn number(&self, position: Position) -> u64 {
        self.row(position.mover) * self.columns() + self.column(position)
    }

    /// The arrangement with a number below [`Arrangements::count`].
    #[must_use]
    pub fn position(&self, number: u64) -> Position {
        let columns = self.columns().max(1);
        let mover = expand(unrank(self.counts.mover.into(), number / columns), self.cells);
        Position { mover, waiter: self.waiter(mover, number % columns) }
    }

    /// The rank of a set of the mover.
    #[must_use]
    pub fn row(&self, mover: u64) -> u64 {
        self.rank_within(mover, self.cells)
    }

    /// The rank of the waiter's set among the cells that the mover leaves.
    #[must_use]
    pub fn column(&self, Position { mover, waiter }: Position) -> u64 {
        self.rank_within(waiter, self.cells & !mover)
    }

    /// The set of the waiter in a column, for one set of the mover.
    #[must_use]
    pub fn waiter(&self, mover: u64, column: u64) -> u64 {
        expand(unrank(self.counts.waiter.into(), column), self.cells & !mover)
    }

    /// The sets of the waiter for one set of the mover, in the order of the columns.
    pub fn waiters(&self, mover: u64) -> impl Iterator<Item = u64> + use<> {
        let left = self.cells & !mover;
        subsets(left.count_ones(), self.counts.waiter.into()).map(move |bits| expand(bits, left))
    }

    /// The rank of a set among the sets of its size, 0 to C(cells, size) − 1. The greatest cell must be below the greatest of these
    /// cells, or equal to it.
    #[inline]
    #[must_use]
    pub fn rank(&self, set: u64) -> u64 {
        by_chunks!(self.chunks, chunks => {
            if self.is_small { chunks::rank(chunks, set).0.into() } else { rank(set) }
        })
    }

    /// The rank of a set among the sets of its size of the cells `within`. With the definition of the rank instead of the tables
    /// of [`morpion_core::chunks`], `morpion count swap4` executes 19 % more instructions.
    fn rank_within(&self, set: u64, within: u64) -> u64 {
        by_chunks!(self.chunks, chunks => {
            let set = compress(chunks, set, within);
            if self.is_small { chunks::rank(chunks, set).0.into() } else { rank(set) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_number_is_another_arrangement_in_ascending_order() {
        for cells in [0x1FFu64, 0b1_0110_1100_1011_0011_1001, 0xF_8000_0013] {
            for counts in (0..=cells.count_ones() as u8)
                .map(|ply| Counts { mover: ply / 2, waiter: ply.div_ceil(2) })
            {
                let all = Arrangements::new(cells, counts);
                let step = (all.count() / 5000).max(1) as usize;
                let found: Vec<Position> =
                    (0..all.count()).step_by(step).map(|number| all.position(number)).collect();
                assert!(found.is_sorted_by(|a, b| a < b));
                for (number, &position) in (0..all.count()).step_by(step).zip(&found) {
                    let Position { mover, waiter } = position;
                    assert_eq!((mover & waiter, (mover | waiter) & !cells), (0, 0));
                    assert_eq!(mover.count_ones(), counts.mover.into());
                    assert_eq!(waiter.count_ones(), counts.waiter.into());
                    assert_eq!(all.number(position), number);
                    let column = all.column(position);
                    assert_eq!(number, all.row(mover) * all.columns() + column);
                    if column < 100 {
                        assert_eq!(all.waiters(mover).nth(column as usize), Some(waiter));
                    }
                }
            }
        }
    }

    #[test]
    fn ranks_beyond_32_bits_are_exact() {
        let all = Arrangements::new((1 << 36) - 1, Counts { mover: 18, waiter: 18 });
        let last = all.count() - 1;
        assert_eq!((last, all.number(all.position(last))), (9_075_135_299, last));
    }

    #[test]
    fn the_example_at_the_head_is_so() {
        let all = Arrangements::new(0x1FF, Counts { mover: 1, waiter: 1 });
        assert_eq!(all.count(), 72);
        assert_eq!(all.position(0), Position { mover: 1, waiter: 2 });
        assert_eq!(all.position(8), Position { mover: 2, waiter: 1 });
    }
}
