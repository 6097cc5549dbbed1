//! Subsets of one size in the order of their ranks, divided into runs with the same upper cells.
//!
//! The sets of a run differ only in their lower cells, and have consecutive ranks. A sum or product over the cells of each set is therefore
//! computed once for each lower set and once for the upper cells of each run, and the two are combined.

use morpion_core::rank::{binomial, rank};

/// All sets of one size out of some cells, divided into runs.
pub(crate) struct Halves {
    size: u32,
    /// Number of lower cells.
    pub split: u32,
    /// The lower sets, by size and rank.
    pub lower: Vec<u64>,
    /// The runs in the order of their ranks.
    pub runs: Vec<Run>,
}

/// The sets with the same upper cells.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// The upper cells.
    pub upper: u64,
    /// Index of the run's first lower set in a filled table.
    pub start: usize,
    /// Number of lower sets.
    pub length: usize,
    /// Rank of the first set.
    pub rank: usize,
}

impl Halves {
    pub fn new(cells: u32, size: u32) -> Halves {
        let split = cells.div_ceil(2);
        let lower_sets = |size| binomial(split, size) as usize;
        let (mut runs, mut rank) = (Vec::new(), 0);
        for upper in 0..1u64 << (cells - split) {
            let lower_size = size.checked_sub(upper.count_ones());
            let Some(lower_size) = lower_size.filter(|&size| size <= split) else { continue };
            // In a filled table, smaller lower sets come first.
            let (start, length) = ((0..lower_size).map(lower_sets).sum(), lower_sets(lower_size));
            runs.push(Run { upper: upper << split, start, length, rank });
            rank += length;
        }
        let mut halves = Halves { size, split, lower: Vec::new(), runs };
        let mut lower = Vec::new();
        halves.fill(&mut lower, 0, |set, cell, _| set | 1 << cell);
        halves.lower = lower;
        halves
    }

    /// Number of sets.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.length).sum()
    }

    /// Number of sizes of lower sets: 0 and more cells.
    pub fn sizes(&self) -> u32 {
        self.split.min(self.size) + 1
    }

    /// All lower cells.
    pub fn lower_cells(&self) -> u64 {
        (1 << self.split) - 1
    }

    /// Number of lower cells in the sets of a run.
    pub fn size(&self, run: &Run) -> u32 {
        self.size - run.upper.count_ones()
    }

    /// Fills a table for the lower sets. The value of the empty set is `empty`. For any other set, `with` computes the value from the value
    /// of the set without its greatest cell, this cell, and the size of the set.
    #[inline(always)]
    pub fn fill<T: Copy>(&self, table: &mut Vec<T>, empty: T, with: impl Fn(T, u32, u32) -> T) {
        table.clear();
        table.push(empty);
        let mut smaller = 0;
        for size in 1..self.sizes() {
            let start = table.len();
            for cell in size - 1..self.split {
                for index in smaller..smaller + binomial(cell, size - 1) as usize {
                    table.push(with(table[index], cell, size));
                }
            }
            smaller = start;
        }
    }
}

/// Ranks of the sets of one size, each found by two reads: one for the lower cells and one for the upper cells. This works because the
/// number of upper cells determines the number of lower cells.
///
/// The solver has another implementation, in `morpion_games::symmetry::ranker`. If the proof used that one too, it would repeat its errors
/// instead of finding them. [`morpion_core::rank`] defines ranks for both.
pub(crate) struct Ranks {
    split: u32,
    lower: Vec<u32>,
    upper: Vec<u32>,
}

impl Ranks {
    pub fn new(cells: u32, size: u32) -> Ranks {
        let split = cells.div_ceil(2);
        let lower = (0..1u64 << split).map(|set| rank(set) as u32).collect();
        let upper = (0..1u64 << (cells - split)).map(|set| {
            // The lowest cells contribute 0 to the rank. They are added so that the upper cells have the right positions in the set.
            let below = size.checked_sub(set.count_ones()).filter(|&below| below <= split);
            below.map_or(0, |below| rank(set << split | ((1 << below) - 1)) as u32)
        });
        Ranks { split, lower, upper: upper.collect() }
    }

    #[inline(always)]
    pub fn of(&self, set: u64) -> usize {
        let lower = self.lower[set as usize & (self.lower.len() - 1)];
        let upper = self.upper[(set >> self.split) as usize & (self.upper.len() - 1)];
        (lower + upper) as usize
    }

    /// The least rank of the sets with these upper cells.
    pub fn first(&self, upper: u64) -> usize {
        self.upper[(upper >> self.split) as usize] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_core::rank::subsets;

    const SHAPES: [(u32, u32); 7] = [(0, 0), (1, 1), (7, 3), (12, 5), (13, 13), (20, 2), (9, 0)];

    #[test]
    fn two_reads_compute_the_rank() {
        for (cells, size) in SHAPES {
            let ranks = Ranks::new(cells, size);
            assert!(subsets(cells, size).zip(0..).all(|(set, rank)| ranks.of(set) == rank));
        }
    }

    #[test]
    fn the_runs_are_all_sets_in_order() {
        for (cells, size) in SHAPES {
            let halves = Halves::new(cells, size);
            let mut all = Vec::new();
            for run in &halves.runs {
                assert_eq!(run.rank, all.len());
                let lower = &halves.lower[run.start..][..run.length];
                all.extend(lower.iter().map(|lower| lower | run.upper));
            }
            assert_eq!(all, subsets(cells, size).collect::<Vec<_>>());
        }
    }
}
