//! What a build will take, before anything is written.

use crate::build::image;
use crate::solve::Fault;
use crate::solve::operator::Operator;
use morpion_games::progress::Unobserved;
use morpion_games::rules;
use morpion_games::symmetry::group::group;
use morpion_lookup::format::{Header, symmetry_bits};
use morpion_lookup::rank::binomial;
use morpion_lookup::{Counts, Encoding, Game, Permutation, TableError};
use serde::Serialize;
use std::time::Instant;

/// What a build takes. All but the time is exact or an upper bound.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The game's name.
    pub game: String,
    /// How entries are written.
    pub encoding: &'static str,
    /// Order of the group.
    pub symmetries: usize,
    /// Entries of all layers, exactly.
    pub entries: u64,
    /// Bytes of memory at the peak.
    pub memory: u64,
    /// Bytes of the table and of what is kept beside it while it is built.
    pub disk: u64,
}

impl Plan {
    /// Plans the build of `game`. Costs the search for the group; no set is folded.
    ///
    /// # Errors
    /// Where the game is too large for the format.
    pub fn new(game: &Game, encoding: Encoding) -> Result<Plan, TableError> {
        if encoding == Encoding::Wdl && game.rules().movement.is_some() {
            let fault = "two bits an entry in a game with movement, expected plies: without distances a win can circle";
            return Err(TableError::Header(fault.into()));
        }
        let (kind, symmetries) = group(game);
        let cells = u32::from(game.cells());
        let rows: Vec<u64> = (0..=cells).map(|size| orbits(&symmetries, size)).collect();
        let order = symmetries.len();
        let header =
            Header::lay_out(game, encoding, kind, symmetries, |size| rows[usize::from(size)])?;
        let entries = header.layers.iter().map(|layer| layer.entries()).sum();
        let of_map = |size: u8| {
            // Entry of the map; representative, length and whether it has a line.
            binomial(cells, size.into()) * 4 + rows[usize::from(size)] * 13
        };
        let maps: u64 = header.maps.iter().map(|map| of_map(map.size)).sum();
        let images = order as u64 * (1 << 14);
        let peak = header.layers.iter().map(|layer| {
            peak_of_layer(game, encoding, layer.counts(), |size| rows[usize::from(size)])
        });
        let movement = header.layers.last().filter(|layer| game.is_movement(layer.counts()));
        // Images of the waiter's sets while the movement layer is solved.
        let waiters =
            movement.map_or(0, |layer| rows[usize::from(layer.waiter)] * order as u64 * 8);
        // Checkpoints of the movement layer: the old one goes when the new one is there.
        let kept = movement.map_or(0, |layer| 2 * layer.bytes);
        debug_assert!(symmetry_bits(order) <= 10);
        Ok(Plan {
            game: game.rules().name.clone(),
            encoding: encoding.name(),
            symmetries: order,
            entries,
            // A fiftieth more for whole pages and what every thread keeps.
            memory: BASE + maps + images + waiters + peak.max().map_or(0, |peak| peak + peak / 50),
            // The census and the sums are a few bytes a layer and a MiB.
            disk: header.census + header.census / 100_000 + (1 << 16) + kept,
        })
    }

    /// Distances, but values alone in a game without movement that has more than 100 million entries.
    pub fn default_encoding(game: &Game) -> Encoding {
        let many = Plan::new(game, Encoding::Plies8).is_ok_and(|plan| plan.entries > 100_000_000);
        if many && game.rules().movement.is_none() { Encoding::Wdl } else { Encoding::Plies8 }
    }
}

/// What solving costs on this machine.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    placement: f64,
    values: f64,
    movement: f64,
}

impl Pace {
    /// Solves small games of each kind: a second or so.
    ///
    /// # Errors
    /// Where they cannot be solved.
    pub fn measure() -> Result<Pace, Fault> {
        let per_entry = |text: &str, encoding| {
            let game = rules::parse("pace", text)
                .map_err(|error| Fault::Io(std::io::Error::other(error)))?;
            let entries = Plan::new(&game, encoding)?.entries;
            let began = Instant::now();
            image::solve_as(&game, encoding, Operator::default(), &Unobserved)?;
            Ok::<f64, Fault>(began.elapsed().as_secs_f64() / entries as f64)
        };
        let placing = "name = \"pace\"\n[board]\nrows = 6\ncolumns = 3\n[lines]\nlength = 3";
        let moving = "name = \"pace\"\n[board]\nrows = 4\ncolumns = 5\n[lines]\nlength = 4\n[pieces]\neach = 4\n\
            [moves]\nto = \"any\"";
        Ok(Pace {
            placement: per_entry(placing, Encoding::Plies8)?,
            values: per_entry(placing, Encoding::Wdl)?,
            movement: per_entry(moving, Encoding::Plies8)?,
        })
    }

    /// Seconds of wall time that a plan's build should take. The small games stay in the cache and large ones do not,
    /// so this is a guess, on the low side.
    pub fn seconds(&self, game: &Game, encoding: Encoding, plan: &Plan) -> f64 {
        let pace = match encoding {
            Encoding::Wdl => self.values,
            _ if game.rules().movement.is_some() => self.movement,
            _ => self.placement,
        };
        pace * plan.entries as f64
    }
}

/// The program itself, its threads and the tables of ranks.
const BASE: u64 = 24 << 20;

/// What a layer needs beside the maps while it is solved: its children, the waiter's rows, itself, and the planes.
fn peak_of_layer(game: &Game, encoding: Encoding, counts: Counts, rows: impl Fn(u8) -> u64) -> u64 {
    let (cells, mover, waiter) =
        (u32::from(game.cells()), u32::from(counts.mover), u32::from(counts.waiter));
    let own = rows(counts.mover) * binomial(cells - mover, waiter);
    let columns = binomial(cells - waiter, mover);
    let child_columns = binomial(cells - waiter, mover + 1);
    let blocks = |lanes: u64| rows(counts.waiter).div_ceil(lanes) * lanes;
    let bits = u64::from(encoding.bits());
    let bytes = |entries: u64| (entries * bits).div_ceil(8);
    let turn = rows(counts.mover) * 8;
    if game.is_movement(counts) {
        let planes = 5 * blocks(512) * columns / 8;
        let lifted =
            binomial(cells - waiter, mover - 1) * u64::from(cells - waiter - mover + 1) * 5;
        let shifts = columns * u64::from(mover * (cells - waiter - mover)) * 6;
        return bytes(own) + planes + lifted.max(shifts) + turn;
    }
    let is_last = child_columns == 0
        || game.rules().pieces.is_some_and(|each| counts.mover == each && counts.waiter == each);
    if is_last {
        return bytes(own);
    }
    let supersets = columns * u64::from(cells - waiter - mover) * 5;
    let children = bytes(rows(counts.waiter) * child_columns);
    let threads = rayon::current_num_threads() as u64;
    if encoding == Encoding::Wdl {
        // Planes of the children and of the parents, three of each at most, and what is on its way to the table.
        let planes = threads * (child_columns + columns) * 64 * 3;
        return children + supersets + turn + planes + columns * 8 + bytes(own) * 5 / 4;
    }
    let operated = bytes(rows(counts.waiter) * columns);
    let scratch = threads * child_columns * 64 * bits / 8;
    operated + supersets + turn + (children + scratch).max(bytes(own))
}

/// The number of orbits of the `size`-subsets under a group: the mean number of sets that a symmetry keeps (Burnside).
pub fn orbits(symmetries: &[Permutation], size: u32) -> u64 {
    let kept: u128 = symmetries.iter().map(|symmetry| u128::from(kept_sets(symmetry, size))).sum();
    (kept / symmetries.len() as u128) as u64
}

/// How many `size`-subsets a permutation keeps: each is a union of cycles.
fn kept_sets(symmetry: &Permutation, size: u32) -> u64 {
    let mut ways = vec![0u64; size as usize + 1];
    ways[0] = 1;
    let mut seen = 0u64;
    for first in 0..symmetry.len() as u8 {
        let (mut cell, mut length) = (first, 0);
        while seen >> cell & 1 == 0 {
            seen |= 1 << cell;
            cell = symmetry.image(cell);
            length += 1;
        }
        if length > 0 {
            for total in (length..ways.len()).rev() {
                ways[total] += ways[total - length];
            }
        }
    }
    ways[size as usize]
}

/// Arrangements of the pieces in all layers of a game. Divided by the order of the group, about the entries of its table.
pub fn arrangements(game: &Game) -> u128 {
    let of = |layer: &Counts| {
        let (cells, mover) = (u32::from(game.cells()), u32::from(layer.mover));
        u128::from(binomial(cells, mover))
            * u128::from(binomial(cells - mover, u32::from(layer.waiter)))
    };
    game.layers().iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::frame::Frame;
    use morpion_games::catalogue::standard;

    #[test]
    fn rows_are_counted_before_they_are_made() {
        for game in standard().filter(|game| arrangements(game) < 1 << 26) {
            let frame = Frame::new(&game, Encoding::Plies8).unwrap();
            for map in &frame.header().maps {
                let counted = orbits(&frame.header().symmetries, u32::from(map.size));
                assert_eq!(counted, map.rows, "{} {}", game.rules().name, map.size);
            }
        }
    }
}
