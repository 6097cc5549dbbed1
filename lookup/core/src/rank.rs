//! Ranks of subsets: the number of a set of cells among the sets of its size.
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

const BINOMIALS: [[u64; WIDTH]; WIDTH] = {
    let mut table = [[0u64; WIDTH]; WIDTH];
    let mut n = 0;
    while n < WIDTH {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of `k`-subsets of `n` cells; 0 if `k > n`, or if either is above [`MAX_CELLS`].
#[inline]
#[must_use]
pub const fn binomial(n: u32, k: u32) -> u64 {
    if (n as usize) < WIDTH && (k as usize) < WIDTH { BINOMIALS[n as usize][k as usize] } else { 0 }
}

/// The rank of `set` among the sets of its size: the number of smaller masks with the same number of bits.
///
/// `set` has bits below [`MAX_CELLS`] only; others add nothing. Costs one addition per cell.
#[inline]
#[must_use]
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
#[must_use]
pub const fn compress(set: u64, within: u64) -> u64 {
    let (mut rest, mut answer) = (set & within, 0);
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        answer |= 1 << (within & below).count_ones();
        rest &= rest - 1;
    }
    answer
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
