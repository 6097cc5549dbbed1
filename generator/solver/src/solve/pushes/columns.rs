//! The columns of a row as sets of numbers.
//!
//! The cells that the set of a row leaves are numbered from 0. The sets of one size are divided into runs with the same upper numbers:
//! the sets of a run have consecutive ranks, and differ only in their lower numbers.

use morpion_core::rank::{binomial, rank};

/// The most numbers. Larger boards have more than 10¹¹ positions.
pub const MOST: usize = 26;

/// Length of a table for the sets of half of the numbers. It is fixed, so that the compiler sees indices inside the table.
const HALF: usize = 1 << (MOST / 2);

/// Ranks of the sets of one size by two reads.
pub struct Ranks {
    split: u32,
    low: Box<[u32; HALF]>,
    high: Box<[u32; HALF]>,
}

/// Ranks in the registers of a loop.
#[derive(Clone, Copy)]
pub struct Ranking<'r> {
    split: u32,
    low: &'r [u32; HALF],
    high: &'r [u32; HALF],
}

impl Ranks {
    /// Bytes of memory.
    pub const MEMORY: u64 = 8 * HALF as u64;

    /// Ranks of the sets of `size` out of `count` numbers.
    pub fn new(count: u32, size: u32) -> Ranks {
        let split = count.div_ceil(2);
        let table = |ranks: Vec<u32>| {
            let mut table = vec![0; HALF].into_boxed_slice();
            table[..ranks.len()].copy_from_slice(&ranks);
            table.try_into().expect("the length is fixed")
        };
        // The size of the high part fixes the size of the low one, whose least set has rank 0.
        let high = (0..1u64 << (count - split)).map(|high| {
            let below = size.checked_sub(high.count_ones()).filter(|&below| below <= split);
            below.map_or(0, |below| rank(high << split | ((1 << below) - 1)) as u32)
        });
        let low = (0..1u64 << split).map(|low| rank(low) as u32);
        Ranks { split, low: table(low.collect()), high: table(high.collect()) }
    }

    /// The ranks for a loop.
    #[inline(always)]
    pub fn ranking(&self) -> Ranking<'_> {
        Ranking { split: self.split, low: &self.low, high: &self.high }
    }
}

impl Ranking<'_> {
    /// The rank of a set.
    #[inline(always)]
    pub fn of(&self, set: u32) -> usize {
        let low = set as usize & ((1 << self.split) - 1);
        let high = (set >> self.split) as usize;
        (self.low[low & (HALF - 1)] + self.high[high & (HALF - 1)]) as usize
    }
}

/// The columns of a row: all sets of one size.
pub struct Columns {
    /// Number of lower numbers.
    pub split: u32,
    /// The sets of lower numbers, by size.
    pub lower: Vec<Vec<u32>>,
    /// In the order of the columns.
    pub runs: Vec<Run>,
    pub ranks: Ranks,
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
        Columns { split, lower, runs, ranks: Ranks::new(count, size), count: first }
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

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_core::rank::subsets;

    #[test]
    fn columns_are_sets_in_the_order_of_their_ranks() {
        for (count, size) in [(0, 0), (1, 1), (7, 3), (12, 5), (13, 13), (20, 2), (9, 0)] {
            let (columns, mut run) = (Columns::new(count, size), 0);
            for (set, column) in subsets(count, size).zip(0..) {
                assert_eq!(columns.ranks.ranking().of(set as u32), column);
                assert_eq!(columns.set(column, &mut run), set as u32);
            }
            assert_eq!(columns.count as u64, binomial(count, size));
        }
    }
}
