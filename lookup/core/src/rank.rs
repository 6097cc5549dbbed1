//! Ranks of subsets: the number of a set of cells among the sets of its size, and the set with a number.
//!
//! Sets are ordered as their masks read as integers (colexicographic order), so the rank of a set with cells
//! c₀ < c₁ < … is Σ C(cᵢ, i + 1). Every function here is pure arithmetic, total, and free of allocation.
//!
//! On 3×3, cells 0 to 8, the sets of two cells in their order, and the rank of the last one here:
//!
//! ```text
//! rank  0      1      2      3      4      5      6
//! set   {0,1}  {0,2}  {1,2}  {0,3}  {1,3}  {2,3}  {0,4} …       rank {0,4} = C(0, 1) + C(4, 2) = 0 + 6
//! ```

use crate::position::MAX_CELLS;

const WIDTH: usize = MAX_CELLS as usize + 1;

const BINOMIALS: [[u64; WIDTH]; WIDTH] =
    array!([0; WIDTH]; WIDTH, |n| array!(0; WIDTH, |k| choose(n as u64, k as u64)));

const fn choose(n: u64, k: u64) -> u64 {
    match (n, k) {
        (_, 0) => 1,
        (0, _) => 0,
        _ => choose(n - 1, k - 1) * n / k,
    }
}

/// The number of `k`-subsets of `n` cells; 0 if `k > n`, or if either is above [`MAX_CELLS`].
#[inline]
pub const fn binomial(n: u32, k: u32) -> u64 {
    if (n as usize) < WIDTH && (k as usize) < WIDTH { BINOMIALS[n as usize][k as usize] } else { 0 }
}

/// The rank of `set` among the sets of its size: the number of smaller masks with the same number of bits.
///
/// `set` should have bits below [`MAX_CELLS`] only; higher bits add nothing. Costs one addition per cell.
#[inline]
pub const fn rank(set: u64) -> u64 {
    rank_above(0, set)
}

/// Contribution of `set` to the rank of a set that also has `below` smaller cells.
#[inline]
pub(crate) const fn rank_above(below: u32, set: u64) -> u64 {
    let (mut rest, mut position, mut sum) = (set, below + 1, 0);
    while rest != 0 {
        sum += binomial(rest.trailing_zeros(), position);
        rest &= rest - 1;
        position += 1;
    }
    sum
}

/// The cells of `set` numbered by their place inside `within`: bit i of the answer is the i-th lowest cell of
/// `within`. Cells outside `within` are dropped. (The instruction `pext`.)
#[inline]
pub const fn compress(set: u64, within: u64) -> u64 {
    let (mut rest, mut answer) = (set & within, 0);
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        answer |= 1 << (within & below).count_ones();
        rest &= rest - 1;
    }
    answer
}

/// The set of `size` cells whose [`rank`] is `rank`; the inverse of [`rank`]. Costs one comparison per cell of the board.
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

/// The inverse of [`compress`]: bit i of `bits` becomes the i-th lowest cell of `within`. Bits of `bits` from the size of `within` on are
/// dropped. (The instruction `pdep`.)
#[inline]
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
/// There are none if `size` is above `cells`, or `cells` above 63.
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

/// The cells of a set, lowest first.
#[inline]
pub fn cells(set: u64) -> impl Iterator<Item = u8> + Clone {
    let mut rest = set;
    core::iter::from_fn(move || {
        (rest != 0).then(|| {
            let cell = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            cell
        })
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
