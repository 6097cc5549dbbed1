//! Sums the values that positions must have, from the rows that contain their children.
//!
//! All positions with one waiter have their children in the waiter's row. A block of rows is processed together, each row in its own lane.

use super::Pass;
use super::field::{Field, Lanes, TILE};
use super::places::Places;
use super::required::{Best, LANES, LayerMoves, Number, Prepared};
use crate::halves::Halves;
use crate::keys::Row;
use crate::proof::Proof;
use morpion_core::{
    Counts, Over,
    rank::{binomial, cells},
};
use std::ops::Range;

/// The data for the sum of the required values of a layer.
pub(crate) struct RequiredSums<'a, const E: u32> {
    pass: &'a Pass<'a, E>,
    counts: Counts,
    moves: LayerMoves<'a>,
    halves: Halves,
    places: Places,
    /// The factor of the required code, for each preference of the best child.
    values: Vec<Lanes>,
    /// The factor of positions whose waiter owns a line.
    line: [Lanes; 1],
    /// The factor of arrangements whose mover owns a line.
    none: Lanes,
}

/// One row of a block. The representative of the row is the waiter of the positions.
#[derive(Default)]
pub(crate) struct Lane {
    orbit: u64,
    has_line: bool,
    /// The factor of the least image of the waiter's set, for each coset.
    factors: Vec<Lanes>,
    /// The cells that the waiter leaves.
    cells: Vec<u8>,
    /// The contribution of each set of lower cells to the rank of the mover's set.
    ranks: Vec<u32>,
    sum: Lanes,
}

/// The contribution of a cell to the rank of the mover's set. `at` is the number of the set's cells up to this cell, inclusive.
#[inline(always)]
fn weight(cell: u8, at: u32) -> u32 {
    binomial(cell.into(), at) as u32
}

impl<'a, const E: u32> RequiredSums<'a, E> {
    pub fn new(pass: &'a Pass<'_, E>, index: usize) -> RequiredSums<'a, E> {
        let (Proof { keys, scale, .. }, hash) = (pass.proof, &pass.hash);
        let game = keys.table.game();
        let counts = keys.table.raw().header().layers[index].counts;
        let left = u32::from(game.cells() - counts.waiter);
        let blocked = scale.of(game.final_score(game.graph().blocked_reason));
        let value = |preference| match preference {
            // Preference 0 means that the position has no move.
            0 => hash.of_value(blocked),
            preference => hash.of_value(scale.code(preference)),
        };
        RequiredSums {
            pass,
            counts,
            moves: LayerMoves::new(game, index),
            halves: Halves::new(left, counts.mover.into()),
            places: Places::new(keys, counts.mover, hash),
            values: (0..=scale.greatest()).map(value).collect(),
            line: [hash.of_value(scale.of(game.final_score(Over::Line)))],
            none: hash.of_value(Some(scale.encoding.no_position())),
        }
    }

    /// Sums the required values of all positions whose waiter is the representative of one of `rows`. `children` are the preferences of the
    /// entries in these rows.
    pub fn rows<P: Number>(
        &self,
        rows: Range<usize>,
        children: &[Best<P>],
        prepared: &mut Prepared<P>,
        lanes: &mut Vec<Lane>,
    ) -> Lanes {
        let rows = &self.pass.proof.keys.rows(self.counts.waiter)[rows];
        self.prepare_lanes(rows, lanes);
        let mut waiters = [0; LANES];
        waiters.iter_mut().zip(rows).for_each(|(waiter, row)| *waiter = row.representative);
        self.moves.prepare(&waiters[..rows.len()], children, prepared);
        let mut tile = [[P::default(); LANES]; TILE];
        for run in &self.halves.runs {
            let mut bases = [0; LANES];
            let below = u32::from(self.counts.mover) - run.upper.count_ones();
            for (base, lane) in bases.iter_mut().zip(lanes.iter()) {
                let upper = cells(run.upper).zip(below + 1..);
                *base = upper.map(|(number, at)| weight(lane.cells[usize::from(number)], at)).sum();
            }
            for start in (run.start..run.start + run.length).step_by(TILE) {
                let part = start..(start + TILE).min(run.start + run.length);
                for (best, lower) in tile.iter_mut().zip(&self.halves.lower[part.clone()]) {
                    *best = self.moves.best(lower | run.upper, children, prepared);
                }
                for (number, lane) in lanes.iter_mut().enumerate() {
                    let of_tile = self.tile(&tile, part.clone(), number, bases[number], lane);
                    lane.sum = Field::<E>::add(lane.sum, of_tile);
                }
            }
        }
        let times_orbit = |lane: &Lane| Field::<E>::times(lane.sum, lane.orbit);
        lanes.iter().map(times_orbit).fold([0, 0], Field::<E>::add)
    }

    /// Sums the values of one lane of a tile, without multiplying by the length of the waiter's orbit. `tile` belongs to the lower sets
    /// `part`. `base` is the contribution of the upper cells to the rank.
    #[inline(always)]
    fn tile<P: Number>(
        &self,
        tile: &[Best<P>; TILE],
        part: Range<usize>,
        number: usize,
        base: u32,
        lane: &Lane,
    ) -> Lanes {
        let (values, mask) = match lane.has_line {
            true => (&self.line[..], P::default()),
            false => (&self.values[..], !P::default()),
        };
        let mut sum = [0u128; 2];
        for (best, rank) in tile.iter().zip(&lane.ranks[part]) {
            let place = self.places.by_rank[(base + rank) as usize];
            let value = &values[(best[number] & mask).into()];
            let value = if place.has_line() { &self.none } else { value };
            let row = &self.places.factors[place.row as usize];
            let class = &lane.factors[place.coset()];
            for at in 0..2 {
                let class = Field::<E>::fold(row[at], class[at]);
                sum[at] += u128::from(class) * u128::from(value[at]);
            }
        }
        sum.map(Field::<E>::reduce)
    }

    /// Prepares a lane for each row, for the positions whose waiter is the representative of this row.
    fn prepare_lanes(&self, rows: &[Row], lanes: &mut Vec<Lane>) {
        let (keys, hash) = (&self.pass.proof.keys, &self.pass.hash);
        let game = keys.table.game();
        let symmetries = &keys.table.raw().header().symmetries;
        lanes.resize_with(rows.len(), Lane::default);
        let mut images = Vec::new();
        for (lane, row) in lanes.iter_mut().zip(rows) {
            lane.orbit = row.orbit;
            lane.has_line = game.has_line(row.representative);
            lane.sum = [0, 0];
            images.clear();
            images.extend(symmetries.iter().map(|symmetry| symmetry.apply(row.representative)));
            self.places.least_images(hash, &images, &mut lane.factors);
            lane.cells.clear();
            lane.cells.extend(cells(game.board() & !row.representative));
            let Lane { cells, ranks, .. } = lane;
            self.halves
                .fill(ranks, 0, |rank, number, at| rank + weight(cells[number as usize], at));
        }
    }
}
