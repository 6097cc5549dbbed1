//! The columns of a row as sets of numbers.
//!
//! The cells that the set of a row leaves are numbered from 0. The sets of one size are divided into runs with the same upper numbers:
//! the sets of a run have consecutive ranks, and differ only in their lower numbers.

use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::rank::binomial;

/// The columns of a row: all sets of one size.
pub struct Columns {
    /// Number of lower numbers.
    pub split: u32,
    /// The sets of lower numbers, by size.
    pub lower: Vec<Vec<u32>>,
    /// In the order of the columns.
    pub runs: Vec<Run>,
    pub ranks: Ranker,
    /// Number of columns.
    pub count: usize,
}

/// The sets with the same upper numbers.
#[derive(Clone, Copy)]
pub struct Run {
    /// The upper numbers, from 0 on.
    pub upper: u32,
    /// Size of the sets of lower numbers.
    pub size: usize,
    /// The first column.
    pub first: usize,
}

impl Columns {
    /// The sets of `size` out of `count` numbers.
    pub fn new(count: u32, size: u32) -> Columns {
        let split = count.div_ceil(2);
        let mut lower = vec![Vec::new(); split as usize + 1];
        (0..1u32 << split).for_each(|set| lower[set.count_ones() as usize].push(set));
        let (mut runs, mut first) = (Vec::new(), 0);
        for upper in 0..1u32 << (count - split) {
            let below = size.checked_sub(upper.count_ones()).filter(|&below| below <= split);
            let Some(below) = below else { continue };
            runs.push(Run { upper, size: below as usize, first });
            first += binomial(split, below) as usize;
        }
        Columns { split, lower, runs, ranks: Ranker::new(count, size), count: first }
    }

    /// The set of a column, and its run. The search begins at run number `run`, which must not be after it.
    #[inline(always)]
    pub fn set(&self, column: usize, run: &mut usize) -> u32 {
        while self.runs.get(*run + 1).is_some_and(|next| next.first <= column) {
            *run += 1;
        }
        let Run { upper, size, first } = self.runs[*run];
        upper << self.split | self.lower[size][column - first]
    }
}
