//! The sets that one more cell, or one moved piece, makes of a set: the index arithmetic of moves, done once per layer.

use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::rank::{binomial, cells, subsets};

/// For every `size`-subset of `cells` cells, by rank: the ranks of the sets with one cell more.
#[derive(Clone, Debug)]
pub struct Supersets {
    /// Supersets a set has: the cells outside it.
    pub degree: usize,
    /// `degree` ranks a set, in the order of the added cell.
    pub ranks: Vec<u32>,
    /// The added cells, in the same order.
    pub added: Vec<u8>,
}

impl Supersets {
    /// Bytes of memory for the `size`-subsets of `count` cells: 5 a superset.
    #[must_use]
    pub fn memory(count: u32, size: u32) -> u64 {
        binomial(count, size) * u64::from(count.saturating_sub(size)) * 5
    }

    /// The supersets of the `size`-subsets of `count` cells. Costs [`Supersets::memory`].
    pub fn new(count: u32, size: u32) -> Supersets {
        let ranker = Ranker::new(count, size + 1);
        let board = (1u64 << count) - 1;
        let (mut ranks, mut added) = (Vec::new(), Vec::new());
        for set in subsets(count, size) {
            for cell in cells(board & !set) {
                ranks.push(ranker.rank(set | 1 << cell));
                added.push(cell);
            }
        }
        Supersets { degree: (count - size.min(count)) as usize, ranks, added }
    }

    /// Ranks and added cells of each set's supersets, by the rank of the set.
    #[inline(always)]
    pub fn each(&self) -> impl Iterator<Item = (&[u32], &[u8])> {
        // A full set has no superset, and chunks have at least one element.
        let degree = self.degree.max(1);
        self.ranks.chunks_exact(degree).zip(self.added.chunks_exact(degree))
    }
}

/// For every `size`-subset of `cells` cells, by rank: the sets that one piece moved to another cell makes of it.
#[derive(Clone, Debug)]
pub struct Shifts {
    /// Shifts a set has: pieces times free cells.
    pub degree: usize,
    /// `degree` ranks a set.
    pub ranks: Vec<u32>,
    /// For each of them `from · cells + to`.
    pub pairs: Vec<u16>,
}

impl Shifts {
    /// Bytes of memory for the `size`-subsets of `count` cells: 6 a shift.
    #[must_use]
    pub fn memory(count: u32, size: u32) -> u64 {
        binomial(count, size) * u64::from(size * count.saturating_sub(size)) * 6
    }

    /// The shifts of the `size`-subsets of `count` cells. Costs [`Shifts::memory`].
    pub fn new(count: u32, size: u32) -> Shifts {
        let ranker = Ranker::new(count, size);
        let board = (1u64 << count) - 1;
        let (mut ranks, mut pairs) = (Vec::new(), Vec::new());
        for set in subsets(count, size) {
            for from in cells(set) {
                for to in cells(board & !set) {
                    ranks.push(ranker.rank(set & !(1 << from) | 1 << to));
                    pairs.push(u16::from(from) * count as u16 + u16::from(to));
                }
            }
        }
        Shifts { degree: (size * (count - size)) as usize, ranks, pairs }
    }
}
