//! Ranks backwards: the set with a rank, and all sets of a size in the order of their ranks.
//!
//! The core has the ranks of sets, which answers need. Programs that go through entries need these functions too.

use morpion_core::MAX_CELLS;
pub use morpion_core::rank::{binomial, cells, compress, rank};

/// The set of `size` cells whose [`rank`] is `rank`; the inverse of [`rank`]. Costs one comparison per cell of the board.
#[must_use]
pub const fn unrank(size: u32, rank: u64) -> u64 {
    let (mut set, mut rest, mut left, mut cell) = (0, rank, size, MAX_CELLS as u32);
    while left > 0 && cell > 0 {
        cell -= 1;
        let below = binomial(cell, left);
        if below <= rest {
            rest -= below;
            set |= 1 << cell;
            left -= 1;
        }
    }
    set
}

/// The inverse of [`compress`]: bit i of `bits` becomes the i-th lowest cell of `within`. Bits beyond the size of
/// `within` are dropped. (The instruction `pdep`.)
#[inline]
#[must_use]
pub const fn expand(bits: u64, within: u64) -> u64 {
    let (mut rest, mut place, mut answer) = (within, 0, 0);
    while rest != 0 && bits >> place != 0 {
        if bits >> place & 1 == 1 {
            answer |= rest & rest.wrapping_neg();
        }
        rest &= rest - 1;
        place += 1;
    }
    answer
}

/// All `size`-subsets of the cells 0..`cells`, in the order of their ranks.
///
/// `cells` is at most 63; a `size` above `cells` gives nothing.
pub fn subsets(cells: u32, size: u32) -> impl Iterator<Item = u64> {
    let first = (size <= cells && cells < 64).then(|| (1u64 << size) - 1);
    core::iter::successors(first, move |&set| {
        // The next larger integer with the same number of bits (Gosper): move the lowest run of ones up by one.
        if set == 0 {
            return None;
        }
        let low = set & set.wrapping_neg();
        let ripple = set + low;
        let next = ripple | (((set ^ ripple) >> 2) / low);
        (next >> cells == 0).then_some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn ranks_count_the_smaller_masks_of_the_same_size() {
        for cells in 0..=9 {
            for size in 0..=cells + 1 {
                let by_scan: Vec<u64> =
                    (0..1u64 << cells).filter(|set| set.count_ones() == size).collect();
                assert_eq!(subsets(cells, size).collect::<Vec<_>>(), by_scan);
                assert_eq!(by_scan.len() as u64, binomial(cells, size));
                for (expected, &set) in by_scan.iter().enumerate() {
                    assert_eq!(rank(set), expected as u64);
                    assert_eq!(unrank(size, expected as u64), set);
                }
            }
        }
    }

    #[test]
    fn the_example_at_the_head_is_so() {
        let sets = [0b11, 0b101, 0b110, 0b1001, 0b1010, 0b1100, 0b1_0001];
        assert_eq!(subsets(9, 2).take(7).collect::<Vec<_>>(), sets);
        assert_eq!(rank(0b1_0001), 6);
    }

    #[test]
    fn compress_and_expand_are_inverse() {
        for within in [0u64, 0b1011_0110, 0xF_FFFF_FFFF, 0x8_0000_0001] {
            for bits in 0..(1u64 << within.count_ones().min(10)) {
                let set = expand(bits, within);
                assert_eq!(set & !within, 0);
                assert_eq!(compress(set, within), bits);
                assert_eq!(compress(set | !within, within), bits);
            }
        }
    }
}
