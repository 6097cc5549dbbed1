//! Every entry of a layer against its children.
//!
//! All children of the positions with one waiter lie in that waiter's row, so the work goes by rows of the waiter: one
//! row is put on the [`Scale`], and for every set of the mover the greatest preference among its children decides the
//! entry. Every class of positions has members whose waiter is a representative; [`super::stabiliser`] shows that entries of
//! one class are equal.

use super::keys::{EntryIndex, Keys};
use super::report::{Collector, words};
use super::scale::Scale;
use morpion_games::progress::Progress;
use morpion_lookup::raw::Encoding;
use morpion_lookup::raw::rank::{cells, compress, expand, rank, subsets};
use morpion_lookup::{Counts, Game, Over, Position, Stuck, Travel};
use rayon::prelude::*;

/// Checks layer number `index`; `None` where the observer asked for a stop.
pub(super) fn check(
    keys: &Keys,
    scale: &Scale,
    index: usize,
    progress: &dyn Progress,
    collector: &Collector,
) -> Option<()> {
    let game = keys.table.game();
    let counts = keys.table.raw().header().layers[index].counts;
    let child = if game.is_movement(counts) {
        Some(index)
    } else {
        game.layer_index(Counts { mover: counts.waiter, waiter: counts.mover + 1 })
    };
    match child {
        None => check_last(keys, scale, index, progress, collector),
        Some(child) if scale.encoding == Encoding::Plies16 => {
            Check { keys, scale, index, child }.rows::<u16>(progress, collector)
        }
        Some(child) => Check { keys, scale, index, child }.rows::<u8>(progress, collector),
    }
}

/// A layer in which every position is finished.
fn check_last(
    keys: &Keys,
    scale: &Scale,
    index: usize,
    progress: &dyn Progress,
    collector: &Collector,
) -> Option<()> {
    let game = keys.table.game();
    let layer = keys.table.raw().header().layers[index];
    (0..layer.rows).into_par_iter().try_for_each(|row| {
        for column in 0..layer.columns {
            let place = (index, row, column);
            let position = keys.position(place);
            let expected = if game.has_line(position.mover) {
                Some(scale.encoding.no_position())
            } else if game.has_line(position.waiter) {
                scale.of(game.final_score(Over::Line))
            } else {
                scale.of(game.final_score(Over::Full))
            };
            let found = keys.code(place);
            if Some(found) != expected {
                let encoding = scale.encoding;
                collector.add(place, words(encoding, Some(found)), words(encoding, expected));
            }
        }
        progress.advance(layer.columns);
        (!progress.stop()).then_some(())
    })
}

/// Buffers that a thread reuses from row to row.
#[derive(Default)]
struct Scratch<P> {
    /// By column of the children, the preference.
    preferences: Vec<P>,
    /// By rank of a set with one piece lifted, where that piece is best dropped.
    drops: Vec<BestDrop<P>>,
    /// Entries still to be read, each with the code it should have.
    expectations: Vec<(EntryIndex, Option<u16>)>,
}

/// The two greatest preferences after a lifted piece is dropped, and the cell that gives the first.
#[derive(Clone, Copy, Default)]
struct BestDrop<P> {
    first: P,
    second: P,
    cell: u8,
}

/// A layer whose positions have children in layer `child`.
struct Check<'a> {
    keys: &'a Keys<'a>,
    scale: &'a Scale,
    index: usize,
    child: usize,
}

/// A number that holds a preference.
trait Preference: Copy + Ord + Default + Send + Into<u16> {
    fn of(preference: u16) -> Self;
}

impl Preference for u8 {
    fn of(preference: u16) -> u8 {
        preference as u8
    }
}

impl Preference for u16 {
    fn of(preference: u16) -> u16 {
        preference
    }
}

impl Check<'_> {
    fn rows<P: Preference>(&self, progress: &dyn Progress, collector: &Collector) -> Option<()> {
        let counts = self.keys.table.raw().header().layers[self.index].counts;
        let cells = u32::from(self.keys.table.game().cells() - counts.waiter);
        let placed = u32::from(!self.keys.table.game().is_movement(counts));
        let ranks = Ranks::new(cells, u32::from(counts.mover) + placed);
        let lifted = self.is_free().then(|| Ranks::new(cells, u32::from(counts.mover) - 1));
        let rows = self.keys.rows(counts.waiter).len();
        // The rows of the waiter are not those of the layer, but progress is counted in the layer's entries.
        let entries = self.keys.table.raw().header().layers[self.index].entries();
        let checked = |row: usize| (entries as u128 * row as u128 / rows as u128) as u64;
        (0..rows).into_par_iter().try_for_each_init(Scratch::<P>::default, |scratch, row| {
            self.row(row, &ranks, lifted.as_ref(), scratch, collector);
            progress.advance(checked(row + 1) - checked(row));
            (!progress.stop()).then_some(())
        })
    }

    /// Whether a piece goes to any empty cell, never back to where it was, and nobody passes.
    fn is_free(&self) -> bool {
        let game = self.keys.table.game();
        let counts = self.keys.table.raw().header().layers[self.index].counts;
        game.is_movement(counts)
            && game.rules().movement.as_ref().is_some_and(|movement| {
                movement.to == Travel::Any && !movement.stay && movement.stuck != Stuck::Pass
            })
    }

    /// Checks all positions whose waiter is the representative of `row`; `lifted` are the ranks of the sets with one piece
    /// lifted, where a piece goes to any empty cell.
    fn row<P: Preference>(
        &self,
        row: usize,
        ranks: &Ranks,
        lifted: Option<&Ranks>,
        Scratch { preferences, drops, expectations }: &mut Scratch<P>,
        collector: &Collector,
    ) {
        let Check { keys, scale, index, child } = *self;
        let game = keys.table.game();
        let counts = keys.table.raw().header().layers[index].counts;
        let waiter = keys.representative(counts.waiter, row as u64);
        let left = game.board() & !waiter;
        let columns = keys.table.raw().header().layers[child].columns;
        preferences.clear();
        preferences.extend(
            (0..columns)
                .map(|column| P::of(scale.preference(keys.code((child, row as u64, column))))),
        );
        let moves = RowMoves::new(game, counts, left);
        if lifted.is_some() {
            moves.find_drops(u32::from(counts.mover), ranks, preferences, drops);
        }
        let line = game.has_line(waiter).then(|| scale.of(game.final_score(Over::Line)));
        let blocked = if game.rules().movement.is_some() { Over::Stuck } else { Over::Full };
        let blocked = scale.of(game.final_score(blocked));
        let none = Some(scale.encoding.no_position());
        for own in subsets(left.count_ones(), u32::from(counts.mover)) {
            let position = Position { mover: expand(own, left), waiter };
            let expected = if game.has_line(position.mover) {
                none
            } else if let Some(line) = line {
                line
            } else {
                // A child that is marked as no position has preference 0; its own check finds it faulty.
                let best = match lifted {
                    Some(lifted) => moves.best_drop(own, lifted, drops),
                    None => moves.best(own, ranks, preferences),
                };
                match best {
                    None => blocked,
                    Some(preference) => scale.code(preference.into()),
                }
            };
            let (own_row, column) = keys.place(index, position);
            expectations.push(((index, own_row, column), expected));
            if expectations.len() == READ_TOGETHER {
                self.compare(expectations, collector);
            }
        }
        self.compare(expectations, collector);
    }

    /// Compares entries with the codes they should have. They lie anywhere in the table: read one right after the other,
    /// their cache misses overlap.
    fn compare(&self, expectations: &mut Vec<(EntryIndex, Option<u16>)>, collector: &Collector) {
        for (place, expected) in expectations.drain(..) {
            let found = self.keys.code(place);
            if Some(found) != expected {
                let encoding = self.scale.encoding;
                collector.add(place, words(encoding, Some(found)), words(encoding, expected));
            }
        }
    }
}

/// Entries that are read together.
const READ_TOGETHER: usize = 256;

/// The moves of the side to move in one row of the waiter: its cells are numbered by their rank among those that the
/// waiter leaves.
struct RowMoves {
    /// Where a piece on each cell may go; empty while pieces are placed.
    links: Vec<u64>,
    /// Where a piece may be placed.
    places: u64,
    /// Whether a lifted piece may go back.
    pass: bool,
    /// Whether a side that is blocked passes.
    blocked_pass: bool,
    /// Whether pieces move; else they are placed.
    moves: bool,
}

impl RowMoves {
    fn new(game: &Game, counts: Counts, left: u64) -> RowMoves {
        let moves = game.is_movement(counts);
        let movement = game.rules().movement.as_ref();
        let link = |cell| compress(game.neighbours(cell), left);
        let forbidden = game.forbidden(u32::from(counts.mover + counts.waiter));
        RowMoves {
            links: if moves { cells(left).map(link).collect() } else { Vec::new() },
            places: compress(left & !forbidden, left),
            pass: movement.is_some_and(|movement| movement.stay),
            blocked_pass: movement.is_some_and(|movement| movement.stuck == Stuck::Pass),
            moves,
        }
    }

    /// Finds, for every set with one piece lifted, where that piece is best dropped: a drop is evaluated once, instead of
    /// once for each position that can lift the piece.
    fn find_drops<P: Preference>(
        &self,
        size: u32,
        ranks: &Ranks,
        preferences: &[P],
        drops: &mut Vec<BestDrop<P>>,
    ) {
        drops.clear();
        drops.extend(subsets(self.links.len() as u32, size - 1).map(|rest| {
            let mut best = BestDrop::default();
            let mut targets = !rest & ((1 << self.links.len()) - 1);
            while targets != 0 {
                let preference = preferences[ranks.of(rest | targets & targets.wrapping_neg())];
                if preference > best.first {
                    let cell = targets.trailing_zeros() as u8;
                    best = BestDrop { first: preference, second: best.first, cell };
                } else {
                    best.second = best.second.max(preference);
                }
                targets &= targets - 1;
            }
            best
        }));
    }

    /// As [`RowMoves::best`], from what [`RowMoves::find_drops`] found.
    #[inline]
    fn best_drop<P: Preference>(
        &self,
        own: u64,
        lifted: &Ranks,
        drops: &[BestDrop<P>],
    ) -> Option<P> {
        let best = |cell: u8| {
            let drop = &drops[lifted.of(own & !(1 << cell))];
            if drop.cell == cell { drop.second } else { drop.first }
        };
        (own.count_ones() < self.links.len() as u32).then(|| cells(own).map(best).max())?
    }

    /// The greatest preference after a move of the side that has the cells `own`; `None` where it has no move.
    #[inline]
    fn best<P: Preference>(&self, own: u64, ranks: &Ranks, preferences: &[P]) -> Option<P> {
        let preference = |set: u64| preferences[ranks.of(set)];
        let mut best = P::default();
        if !self.moves {
            let mut targets = self.places & !own;
            if targets == 0 {
                return None;
            }
            while targets != 0 {
                best = best.max(preference(own | targets & targets.wrapping_neg()));
                targets &= targets - 1;
            }
            return Some(best);
        }
        let mut any = 0;
        let mut lifts = own;
        while lifts != 0 {
            let rest = own & !(lifts & lifts.wrapping_neg());
            let mut targets = self.links[lifts.trailing_zeros() as usize] & !own;
            any |= targets;
            while targets != 0 {
                best = best.max(preference(rest | targets & targets.wrapping_neg()));
                targets &= targets - 1;
            }
            lifts &= lifts - 1;
        }
        if self.pass && own != 0 || self.blocked_pass && any == 0 {
            return Some(best.max(preference(own)));
        }
        (any != 0).then_some(best)
    }
}

/// Ranks of the sets of one size by two reads: one for the lower cells, one for the upper ones. As the size is fixed, the
/// number of upper cells tells that of the lower ones.
struct Ranks {
    split: u32,
    lower: Vec<u32>,
    upper: Vec<u32>,
}

impl Ranks {
    fn new(cells: u32, size: u32) -> Ranks {
        let split = cells.div_ceil(2);
        let lower = (0..1u64 << split).map(|set| rank(set) as u32).collect();
        let upper = (0..1u64 << (cells - split)).map(|set| {
            // The lowest cells have rank 0, so they only push the others to their places.
            let below = size.checked_sub(set.count_ones()).filter(|&below| below <= split);
            below.map_or(0, |below| rank(set << split | ((1 << below) - 1)) as u32)
        });
        Ranks { split, lower, upper: upper.collect() }
    }

    #[inline(always)]
    fn of(&self, set: u64) -> usize {
        let lower = self.lower[set as usize & (self.lower.len() - 1)];
        let upper = self.upper[(set >> self.split) as usize & (self.upper.len() - 1)];
        (lower + upper) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::catalogue::standard_game;

    #[test]
    fn two_reads_give_the_rank() {
        for (cells, size) in [(0, 0), (1, 1), (7, 3), (12, 5), (13, 13), (20, 2)] {
            let ranks = Ranks::new(cells, size);
            assert!(subsets(cells, size).all(|set| ranks.of(set) as u64 == rank(set)));
        }
    }

    #[test]
    fn the_best_drop_of_a_lifted_piece_is_the_best_move() {
        let game = standard_game("swap4").unwrap();
        let counts = *game.layers().last().unwrap();
        let left = game.board() & !0b1111;
        let moves = RowMoves::new(&game, counts, left);
        let (cells, size) = (left.count_ones(), u32::from(counts.mover));
        let (ranks, lifted) = (Ranks::new(cells, size), Ranks::new(cells, size - 1));
        // Of few different preferences many are equal; of many the best is often that of the own set, which is no move.
        for most in [2, 255] {
            let preferences: Vec<u8> =
                subsets(cells, size).map(|set| ((set * 0x9E37) >> 7) as u8 % most).collect();
            let mut drops = Vec::new();
            moves.find_drops(size, &ranks, &preferences, &mut drops);
            for own in subsets(cells, size) {
                let best = moves.best(own, &ranks, &preferences);
                assert_eq!(moves.best_drop(own, &lifted, &drops), best, "{own:b}");
            }
        }
    }
}
