//! Computes the rank of a set after one of its cells has moved, without ranking the whole set again.
//!
//! Splits this rank into a term for the cell that the piece leaves and a term for the cell that the piece goes to.

use crate::chunks::binomial_mod_2_32;

/// The mover's cells as the waiter's row numbers them, a₀ < a₁ < …, with the sums that ranks are made of.
///
/// A piece goes from aᵢ to y, which has b of the mover's cells below it. After the move, the cells below both y and aᵢ keep their index t,
/// and so do the cells above both. The index of the cells between y and aᵢ changes by one. The rank Σ C(aₜ, t + 1) is therefore made of the
/// sums Pₛ(b) = Σ_{t<b} C(aₜ, t + s), s = 0, 1, 2, in two terms: one depends on y alone, the other on aᵢ alone. Each term has two forms,
/// for b ≤ i and for b > i. All modulo 2³².
///
/// On 3×3, the mover on 0, 3 and 5 in a row that leaves all nine cells: rank C(0, 1) + C(3, 2) + C(5, 3) = 13. From 0 to 4
/// (i = 0, b = 2) the index of 3 becomes 0: {3, 4, 5} has rank C(3, 1) + C(4, 2) + C(5, 3) = 19.
pub(crate) struct RankDelta<'t> {
    images: &'t [u8],
    /// By cell after the symmetry: the number of the cell among the cells outside the representative.
    places: [u8; 64],
    /// By cell after the symmetry: the number of the mover's cells below the cell.
    below: [u8; 64],
    /// P₀(b), P₁(b) and P₂(b), by b, then a zero.
    sums: [[u32; 4]; 32],
    size: usize,
}

/// The term of the rank for a cell that a piece of the mover goes to or leaves.
#[derive(Clone, Copy, Default)]
pub(crate) struct Term {
    /// The term for b ≤ i and for b > i.
    terms: [u32; 2],
    /// For a cell that a piece goes to, b; for a cell that a piece leaves, i.
    below: i32,
}

impl Term {
    /// The rank after a move from the cell of this term to the cell of `landing`.
    #[inline(always)]
    pub(crate) fn rank(&self, landing: Term) -> u32 {
        let between = usize::from(landing.below > self.below);
        landing.terms[between].wrapping_add(self.terms[between])
    }
}

impl<'t> RankDelta<'t> {
    #[inline(always)]
    pub(crate) fn new(images: &'t [u8], rest: u64, mover: u64) -> RankDelta<'t> {
        // Filled in place: a copy of the arrays would take longer than the computation.
        let mut delta =
            RankDelta { images, places: [0; 64], below: [0; 64], sums: [[0; 4]; 32], size: 0 };
        let (mut own, mut place, mut size) = ([0u8; 64], 0u8, 0u8);
        // Branch-free, because the processor cannot predict which cells are the mover's: every cell is written to `own`, and the next one
        // overwrites it unless it is the mover's.
        for cell in 0..images.len().min(64) {
            (delta.places[cell], delta.below[cell]) = (place, size);
            own[usize::from(size & 63)] = place;
            place += (rest >> cell & 1) as u8;
            size += (mover >> cell & 1) as u8;
        }
        delta.size = usize::from(size & 31);
        let mut sums = [0u32; 3];
        for (index, &cell) in own.iter().enumerate().take(delta.size) {
            for (shift, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add(binomial_mod_2_32(cell, index + shift));
            }
            delta.sums[(index + 1) & 31] = [sums[0], sums[1], sums[2], 0];
        }
        delta
    }

    #[inline(always)]
    fn image(&self, cell: u8) -> usize {
        usize::from(self.images.get(usize::from(cell)).copied().unwrap_or(0) & 63)
    }

    /// The term for moving a piece to `to`, an empty cell.
    #[inline(always)]
    pub(crate) fn landing(&self, to: u8) -> Term {
        let image = self.image(to);
        let below = usize::from(self.below[image] & 31);
        let [p0, p1, p2, _] = self.sums[below];
        let term = |k: usize, plus: u32, minus: u32| {
            binomial_mod_2_32(self.places[image], k).wrapping_add(plus).wrapping_sub(minus)
        };
        Term { terms: [term(below + 1, p1, p2), term(below, p0, p1)], below: below as i32 }
    }

    /// The term for moving the piece on `from`, a cell of the mover.
    #[inline(always)]
    pub(crate) fn lift(&self, from: u8) -> Term {
        let index = usize::from(self.below[self.image(from)] & 31);
        let [_, p1, p2, _] = self.sums[index];
        let [next0, next1, ..] = self.sums[(index + 1) & 31];
        let all = self.rank();
        let terms =
            [p2.wrapping_add(all).wrapping_sub(next1), p1.wrapping_add(all).wrapping_sub(next0)];
        Term { terms, below: index as i32 }
    }

    /// The rank of the mover's cells before a move: P₁(b) with b the number of all these cells.
    #[inline(always)]
    pub(crate) fn rank(&self) -> u32 {
        self.sums[self.size & 31][1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_changes_the_rank_as_in_the_example() {
        let identity = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        let delta = RankDelta::new(&identity, 0b1_1111_1111, 0b10_1001);
        assert_eq!(delta.rank(), 13);
        assert_eq!(delta.lift(0).rank(delta.landing(4)), 19);
    }
}
