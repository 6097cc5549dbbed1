//! Index arithmetic of moves, computed once per layer: the sets that result from a set by adding a cell or moving a
//! piece.

use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::rank::{binomial, cells, subsets};

/// The ranks of all supersets with one more cell, for every `size`-subset of `cells` cells, by rank.
#[derive(Clone, Debug)]
pub struct Supersets {
    /// Number of supersets of a set, which is the number of cells outside it.
    pub degree: usize,
    /// `degree` ranks per set, in the order of the added cells.
    pub ranks: Vec<u32>,
    /// The added cells, in the same order.
    pub added: Vec<u8>,
}

impl Supersets {
    /// Bytes of memory for the `size`-subsets of `count` cells: 5 per superset.
    pub fn memory(count: u32, size: u32) -> u64 {
        binomial(count, size) * u64::from(count.saturating_sub(size)) * 5
    }

    /// The supersets of the `size`-subsets of `count` cells. Takes [`Supersets::memory`].
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

/// The sets that result from moving one piece to another cell, for every `size`-subset of `cells` cells, by rank.
#[derive(Clone, Debug)]
pub struct Shifts {
    /// Number of shifts of a set: pieces times free cells.
    pub degree: usize,
    /// `degree` ranks per set.
    pub ranks: Vec<u32>,
    /// `from · cells + to` of each shift, in the same order.
    pub pairs: Vec<u16>,
}

impl Shifts {
    /// Bytes of memory for the `size`-subsets of `count` cells: 6 per shift.
    pub fn memory(count: u32, size: u32) -> u64 {
        binomial(count, size) * u64::from(size * count.saturating_sub(size)) * 6
    }

    /// The shifts of the `size`-subsets of `count` cells. Takes [`Shifts::memory`].
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
