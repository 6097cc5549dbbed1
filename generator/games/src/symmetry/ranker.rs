//! Fast ranks of sets of one size: the same numbers as [`morpion_core::rank`], by two reads of small tables.
//!
//! The colexicographic rank is the sum of a contribution of the low half and a contribution of the high half. On 3×3 the set {0, 4, 8} has
//! the low half {0, 4} with C(0, 1) + C(4, 2) = 6. The high half is {8}, the third cell of the set, with C(8, 3) = 56. So the rank is 62.

use morpion_core::rank::{binomial, cells};

/// Ranks of the `size`-subsets of `cells` cells.
#[derive(Clone, Debug)]
pub struct Ranker {
    /// Number of the lowest cells, which are the low part of a set; the others are the high part.
    split: u32,
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Ranker {
    /// Makes the two tables of 2^(cells / 2) entries for the `size`-subsets of `cells` ≤ 36 cells, fewer than 2³² sets.
    pub fn new(cells_count: u32, size: u32) -> Ranker {
        let split = cells_count.div_ceil(2);
        let sum = |bits: u64, shift: u32, below: u32| {
            let places = cells(bits)
                .zip(below + 1..)
                .map(|(cell, place)| binomial(u32::from(cell) + shift, place));
            places.sum::<u64>() as u32
        };
        let low = (0..1u64 << split).map(|bits| sum(bits, 0, 0)).collect();
        // The number of cells in the high half fixes the number of cells in the low half, and so the places of all cells.
        let place = |bits: u64| size.checked_sub(bits.count_ones());
        let high = (0..1u64 << (cells_count - split))
            .map(|bits| place(bits).map_or(0, |below| sum(bits, split, below)))
            .collect();
        Ranker { split, low, high }
    }

    /// Returns the rank of a set, which must have the size and the cells of this ranker.
    #[inline(always)]
    pub fn rank(&self, set: u64) -> u32 {
        // Masked so that the compiler sees both indices inside their tables, whose lengths are powers of two.
        let low = set as usize & (self.low.len() - 1);
        let high = (set >> self.split) as usize & (self.high.len() - 1);
        self.low[low].wrapping_add(self.high[high])
    }
}
