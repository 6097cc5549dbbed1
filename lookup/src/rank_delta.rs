//! The rank of a set after one of its cells has moved, without ranking anew.

use crate::chunks::choose;

/// The mover's cells in the frame of the waiter's row, a₀ < a₁ < … by their places there, and what ranks are made of.
///
/// A piece goes from aᵢ to y, which has b of the mover's cells below it. Behind the move, the cells below y and below aᵢ
/// keep their numbers t, those above both too; those between move by one. The rank Σ C(cell, number + 1) is thus made of
/// the sums Pₛ(b) = Σ_{t<b} C(aₜ, t + s), s = 0, 1, 2, in two parts: one that depends on y alone and one on aᵢ alone,
/// either for b ≤ i or for b > i. All modulo 2³².
pub(crate) struct RankDelta<'t> {
    images: &'t [u8],
    /// By cell after the symmetry: its number among the cells that the representative leaves.
    places: [u8; 64],
    /// By cell after the symmetry: how many of the mover's cells are below it.
    below: [u8; 64],
    /// P₀, P₁ and P₂.
    sums: [[u32; 4]; 32],
    size: usize,
}

/// A new cell of the mover: its part of the rank.
#[derive(Clone, Copy)]
pub(crate) struct Landing {
    /// For b ≤ i and for b > i.
    pub(crate) terms: [u32; 2],
    pub(crate) below: i32,
}

/// A cell of the mover that is left: its part of the rank.
pub(crate) struct Lift {
    /// For b ≤ i and for b > i.
    pub(crate) terms: [u32; 2],
    pub(crate) index: i32,
}

impl Lift {
    #[inline(always)]
    pub(crate) fn rank(&self, landing: Landing) -> u32 {
        let between = usize::from(landing.below > self.index);
        landing.terms[between].wrapping_add(self.terms[between])
    }
}

impl<'t> RankDelta<'t> {
    #[inline(always)]
    pub(crate) fn new(images: &'t [u8], rest: u64, mover: u64) -> RankDelta<'t> {
        // Filled in where it stays: copying it would take longer than filling it in.
        let mut delta =
            RankDelta { images, places: [0; 64], below: [0; 64], sums: [[0; 4]; 32], size: 0 };
        let (mut own, mut place, mut size) = ([0u8; 64], 0u8, 0u8);
        // Which cells are the mover's cannot be guessed, so every cell is written as if it were one.
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
                *sum = sum.wrapping_add(choose(cell, index + shift));
            }
            delta.sums[(index + 1) & 31] = [sums[0], sums[1], sums[2], 0];
        }
        delta
    }

    #[inline(always)]
    fn image(&self, cell: u8) -> usize {
        usize::from(self.images.get(usize::from(cell)).copied().unwrap_or(0) & 63)
    }

    /// Moving a piece to the new cell `to`.
    #[inline(always)]
    pub(crate) fn landing(&self, to: u8) -> Landing {
        let image = self.image(to);
        let below = usize::from(self.below[image] & 31);
        let [p0, p1, p2, _] = self.sums[below];
        let term = |k: usize, plus: u32, minus: u32| {
            choose(self.places[image], k).wrapping_add(plus).wrapping_sub(minus)
        };
        Landing { terms: [term(below + 1, p1, p2), term(below, p0, p1)], below: below as i32 }
    }

    /// Moving the piece on `from`, a cell of the mover.
    #[inline(always)]
    pub(crate) fn lift(&self, from: u8) -> Lift {
        let index = usize::from(self.below[self.image(from)] & 31);
        let [_, p1, p2, _] = self.sums[index];
        let [next0, next1, ..] = self.sums[(index + 1) & 31];
        let all = self.rank();
        let terms =
            [p2.wrapping_add(all).wrapping_sub(next1), p1.wrapping_add(all).wrapping_sub(next0)];
        Lift { terms, index: index as i32 }
    }

    /// The rank of the mover's cells as they are: P₁ of all.
    #[inline(always)]
    pub(crate) fn rank(&self) -> u32 {
        self.sums[self.size & 31][1]
    }
}
