//! The columns of a row as sets of numbers, and the images of these sets under a push and a symmetry.
//!
//! The cells that the set of a row leaves are numbered from 0. The sets of one size are divided into runs with the same upper numbers:
//! the sets of a run have consecutive ranks, and differ only in their lower numbers.

use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::rank::{binomial, cells};

/// The most numbers. A larger board has too many positions to solve.
pub const MOST: usize = 32;

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

/// The images of numbers, and of sets of them.
pub struct Map {
    pub images: [u8; MOST],
    /// The images of the sets of lower and of upper numbers; empty if there are few sets to map.
    halves: [Vec<u32>; 2],
    split: u32,
}

impl Map {
    /// The map with these images of `count` numbers.
    #[inline(always)]
    pub fn new(images: [u8; MOST], count: u32, has_many: bool) -> Map {
        let split = count.div_ceil(2);
        let half = |numbers: &[u8]| {
            let mut half = vec![0; 1 << numbers.len()];
            for (number, image) in numbers.iter().enumerate() {
                let (without, with) = half.split_at_mut(1 << number);
                let pairs = without.iter().zip(with);
                pairs.for_each(|(&without, with): (&u32, &mut u32)| *with = without | 1 << image);
            }
            half
        };
        let halves = match has_many {
            true => {
                let (lower, upper) = images[..count as usize].split_at(split as usize);
                [half(lower), half(upper)]
            }
            false => [Vec::new(), Vec::new()],
        };
        Map { images, halves, split }
    }

    /// The image of a set.
    #[inline(always)]
    pub fn image(&self, set: u32) -> u32 {
        let [lower, upper] = &self.halves;
        if lower.is_empty() {
            let images = cells(set.into()).map(|number| self.images[usize::from(number)]);
            return images.fold(0, |all, image| all | 1 << image);
        }
        lower[set as usize & (lower.len() - 1)]
            | upper[(set >> self.split) as usize & (upper.len() - 1)]
    }

    /// The images of sets of lower numbers.
    pub fn lower(&self) -> &[u32] {
        &self.halves[0]
    }

    /// The images of sets of upper numbers.
    pub fn upper(&self) -> &[u32] {
        &self.halves[1]
    }
}
