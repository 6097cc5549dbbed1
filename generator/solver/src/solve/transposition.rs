//! The transposition from waiter-major to mover-major order. It finds the place of a position of the waiter's rows in
//! the table, whose rows belong to the mover.
//!
//! An operator fixes the waiter's set B, a representative. It computes a value for every set A of the mover among the
//! cells that B leaves. In the table, (A, B) is in the row of A's orbit. Its column is the rank of the image of B under
//! the symmetry that maps A to its representative. If that representative has a stabiliser, (A, B) is also in the
//! columns of the further images of B under the stabiliser.
//!
//! Example on 3×3, with cells numbered row by row and one piece each: the waiter's representative is B = {0}, and the
//! mover has A = {8}. A's orbit, the corners, has the representative {0} and is row 0. The half turn maps 8 to 0 and B
//! to {8}, which is column 7 among the cells 1 … 8 that {0} leaves. So the key is 0 · 8 + 7. The stabiliser of {0}, the
//! reflection in the main diagonal, maps {8} to itself, so the position has only one place.

use crate::sets::{FoldedSets, stabilisers};
use crate::solve::shape::Shape;
use morpion_core::{CELLS, Orders, SHIFT};
use morpion_games::symmetry::orbits::Orbits;
use morpion_games::symmetry::ranker::Ranker;
use morpion_machine::isa::compress;
use morpion_machine::memory::prefetch;
use std::ops::Range;

/// The index arithmetic of one layer's transposition.
pub struct Transposition<'f> {
    board: u64,
    sets: &'f FoldedSets,
    pub movers: &'f Orbits,
    pub waiters: &'f Orbits,
    /// Ranks of the waiter's sets among the cells that the mover leaves. They are the columns of the table.
    waiter_columns: Ranker,
    /// The cells that each row's mover leaves and, from bit [`STABILISER_SHIFT`] on, the number of the row's stabiliser. Both are in one
    /// word, because every location needs both, and rows come in random order.
    rests: Vec<u64>,
    /// The different [`stabilisers`] of the rows.
    stabilisers: Vec<Vec<u16>>,
    orders: Orders,
    /// Number of columns of the table.
    pub columns: usize,
    /// True if pieces age.
    pub has_ages: bool,
}

/// Number of bits for the cells of any board.
const STABILISER_SHIFT: u32 = 36;

const _: () = assert!(STABILISER_SHIFT == morpion_core::MAX_CELLS as u32);

/// A position's place in the table.
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// Orbit of the mover's set.
    orbit: usize,
    /// Row: the orbit and, if pieces age, the order of the mover's pieces.
    pub row: usize,
    /// Column: the waiter's word on the cells that the representative leaves.
    pub column: u32,
    /// The waiter's word, moved by the symmetry that takes the mover's set to its representative.
    waiter: u64,
}

impl<'f> Transposition<'f> {
    /// Prepares the transposition of a layer. Takes 8 bytes per orbit.
    pub fn new(sets: &'f FoldedSets, shape: &Shape) -> Transposition<'f> {
        let (game, counts) = (&sets.layout.game, shape.counts);
        let (mover, waiter) = (u32::from(counts.mover), u32::from(counts.waiter));
        let movers = sets.orbits(counts.mover);
        let board = game.board();
        let (stabilisers, numbers) = stabilisers(sets, counts.mover);
        let rests = movers.representatives.iter().zip(numbers);
        let rest =
            |(&set, number): (&u64, u16)| board & !set | u64::from(number) << STABILISER_SHIFT;
        Transposition {
            board,
            sets,
            movers,
            waiters: sets.orbits(counts.waiter),
            waiter_columns: Ranker::new(u32::from(game.cells()) - mover, waiter),
            rests: rests.map(rest).collect(),
            stabilisers,
            orders: shape.words.orders,
            columns: shape.columns,
            has_ages: game.has_ages(),
        }
    }

    /// Order of the group.
    pub fn order(&self) -> usize {
        self.sets.layout.symmetries.len()
    }

    /// The images of the waiters' words of `rows` under the whole group, row by row.
    pub fn waiter_images(&self, rows: Range<usize>) -> Vec<u64> {
        let mut images = Vec::with_capacity(rows.len() * self.order());
        if !self.has_ages {
            for &waiter in &self.waiters.representatives[rows] {
                images.extend(self.sets.images.all(waiter));
            }
            return images;
        }
        for row in rows {
            let (orbit, order) = (row as u64 / self.orders.waiter, row as u64 % self.orders.waiter);
            let word = self.waiters.representatives[orbit as usize] | order << SHIFT;
            let image = |symmetry| self.sets.image(symmetry, word);
            images.extend((0..self.order()).map(image));
        }
        images
    }

    /// The entry at a place of the table.
    #[inline(always)]
    pub fn entry(&self, place: &Location) -> usize {
        place.row * self.columns + place.column as usize
    }

    /// The cells that the waiter of `row` leaves.
    #[inline(always)]
    pub fn cells_left<const AGES: bool>(&self, row: usize) -> u64 {
        let orbit = if AGES { row / self.orders.waiter as usize } else { row };
        self.board & !self.waiters.representatives[orbit]
    }

    /// The rank of a set of the mover. Prefetches its map entry for [`Transposition::locate`].
    #[inline(always)]
    pub fn rank_and_prefetch(&self, mover: u64) -> u32 {
        let rank = self.movers.ranker.rank(mover);
        prefetch(&self.movers.map, rank as usize);
        rank
    }

    /// The orbit of a mover's set, and the symmetry that takes the set to its representative.
    #[inline(always)]
    pub fn fold(&self, mover_rank: u32) -> (usize, usize) {
        self.movers.split(self.movers.map[mover_rank as usize])
    }

    /// Returns the place of a position, given the rank and the word of the mover's set, and the images of the waiter's word under the whole
    /// group. Without ages, the mover's word is not used.
    #[inline(always)]
    pub fn locate<const BITS: bool, const AGES: bool>(
        &self,
        mover_rank: u32,
        mover: u64,
        waiter_images: &[u64],
    ) -> Location {
        let (orbit, symmetry) = self.fold(mover_rank);
        let waiter = waiter_images[symmetry];
        self.place::<BITS, AGES>(orbit, || self.sets.image(symmetry, mover), waiter)
    }

    /// The place of a position whose mover has the representative of `orbit`. The word `mover` gives the order of the mover's pieces.
    #[inline(always)]
    pub fn place<const BITS: bool, const AGES: bool>(
        &self,
        orbit: usize,
        mover: impl Fn() -> u64,
        waiter: u64,
    ) -> Location {
        let rest = self.rests[orbit] & self.board;
        let column = self.waiter_columns.rank(compress::<BITS>(waiter & CELLS, rest));
        if !AGES {
            return Location { orbit, row: orbit, column, waiter };
        }
        let row = orbit * self.orders.mover as usize + (mover() >> SHIFT) as usize;
        let column = column * self.orders.waiter as u32 + (waiter >> SHIFT) as u32;
        Location { orbit, row, column, waiter }
    }

    /// Visits all places of a position, given its first place. A place may be visited twice.
    #[inline(always)]
    pub fn each_place<const BITS: bool, const AGES: bool>(
        &self,
        first: &Location,
        mut visit: impl FnMut(&Location),
    ) {
        let stabiliser = &self.stabilisers[(self.rests[first.orbit] >> STABILISER_SHIFT) as usize];
        let (mut place, mut symmetries) = (*first, stabiliser.iter());
        // One call of `visit`, so that it is compiled with the instructions of the kernel.
        loop {
            visit(&place);
            let Some(&symmetry) = symmetries.next() else { return };
            place = self.image::<BITS, AGES>(first, symmetry);
        }
    }

    /// Maps a place by `symmetry`, an element of the stabiliser of its row's representative.
    #[inline(always)]
    fn image<const BITS: bool, const AGES: bool>(
        &self,
        location: &Location,
        symmetry: u16,
    ) -> Location {
        let symmetry = usize::from(symmetry);
        if !AGES {
            let waiter = self.sets.images.get(symmetry, location.waiter).unwrap_or_default();
            return self.place::<BITS, AGES>(location.orbit, || 0, waiter);
        }
        let order = location.row as u64 % self.orders.mover;
        let mover = self.movers.representatives[location.orbit] | order << SHIFT;
        let image = |word| self.sets.image(symmetry, word);
        self.place::<BITS, AGES>(location.orbit, || image(mover), image(location.waiter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::lay_out;
    use morpion_core::rank::{compress, expand, rank, unrank};
    use morpion_games::catalogue::standard_game;
    use morpion_machine::progress::Unobserved;

    fn classic() -> FoldedSets {
        let game = standard_game("classic").unwrap();
        FoldedSets::fold(&lay_out(&game, None, &Unobserved).unwrap(), &Unobserved).unwrap()
    }

    /// All locations of the position, which follow from the first location.
    fn locations(transposition: &Transposition, mover: u64, row: usize) -> Vec<(usize, u32)> {
        let images = transposition.waiter_images(row..row + 1);
        let rank = transposition.rank_and_prefetch(mover);
        let (first, mut all) =
            (transposition.locate::<false, false>(rank, mover, &images), Vec::new());
        transposition
            .each_place::<false, false>(&first, |place| all.push((place.row, place.column)));
        all
    }

    #[test]
    fn the_worked_example_holds() {
        let sets = classic();
        let layer = 2;
        let transposition = Transposition::new(&sets, &Shape::of(&sets.layout, layer));
        assert!(locations(&transposition, 1 << 8, 0).iter().all(|&location| location == (0, 7)));
    }

    /// Checks that every entry of a layer is the location of exactly its symmetric positions, by the definition of the
    /// key: the least image of the mover's set, and the rank of the waiter's set moved with it.
    #[test]
    fn locations_agree_with_the_definition_of_the_key() {
        let sets = classic();
        let game = &sets.layout.game;
        for (layer, counts) in (0..).zip(game.graph().layers.iter().map(|layer| layer.counts)) {
            // On the full board, the waiter's sets have a size that no mover has, so they have no rows.
            if game.graph().layers.iter().all(|layer| layer.counts.mover != counts.waiter) {
                continue;
            }
            let shape = Shape::of(&sets.layout, layer);
            let transposition = Transposition::new(&sets, &shape);
            for row in 0..shape.source_rows {
                let waiter = sets.orbits(counts.waiter).representatives[row];
                let left = game.board() & !waiter;
                for column in 0..shape.source_columns {
                    let mover = expand(unrank(u32::from(counts.mover), column as u64), left);
                    let least = sets.images.all(mover).min();
                    let expected: std::collections::BTreeSet<(u64, u32)> = sets
                        .images
                        .all(mover)
                        .zip(sets.images.all(waiter))
                        .filter(|(mover, _)| Some(*mover) == least)
                        .map(|(mover, waiter)| {
                            (mover, rank(compress(waiter, game.board() & !mover)) as u32)
                        })
                        .collect();
                    let found: std::collections::BTreeSet<(u64, u32)> =
                        locations(&transposition, mover, row)
                            .into_iter()
                            .map(|(row, column)| {
                                (sets.orbits(counts.mover).representatives[row], column)
                            })
                            .collect();
                    assert_eq!(found, expected, "{counts:?} {mover:b} {waiter:b}");
                }
            }
        }
    }
}
