//! The positions that play can reach, followed layer by layer.
//!
//! A walk goes through the layers in the order of play. For each layer it returns the set of positions reached from a
//! given position, with one bit per arrangement. From the empty 3×3 board, it reaches 1, 9, 72, 252 and 756 positions
//! with up to four pieces, which are all arrangements. With five pieces X may have made a line, and with six only 1,520
//! of 1,680 arrangements are reached.

use crate::symmetry::ranker::Ranker;
use morpion_lookup::raw::Position;
use morpion_lookup::raw::rank::{binomial, cells, compress, expand, subsets};
use morpion_lookup::{Counts, Game};
use morpion_machine::progress::{Progress, Stopped, Unobserved};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Treatment of positions of the movement layer that differ only in the side to move, X or O. While pieces are placed,
/// their number determines the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Counted as one position.
    Together,
    /// Counted as two positions.
    Apart,
}

/// A walk through all play from one position, layer by layer.
///
/// Memory: one bit per arrangement of the present and of the next layer. The movement layer takes twice as many again
/// for the positions found last. With [`Sides::Apart`] it also has two sets of its own.
#[derive(Debug)]
pub struct Walk<'g> {
    game: &'g Game,
    root: Position,
    sides: Sides,
    /// The present layer and all later layers.
    layers: Vec<Counts>,
    reached: Vec<Reached>,
}

impl<'g> Walk<'g> {
    /// Starts at the position `root` of the game, which is the first reached position.
    pub fn new(game: &'g Game, root: Position, sides: Sides) -> Walk<'g> {
        let layers = layers_from(game, root);
        let mut walk = Walk { game, root, sides, layers, reached: Vec::new() };
        walk.reached = walk.none_reached(true);
        if let Some(first) = walk.reached.first() {
            first.insert(root);
        }
        walk
    }

    /// The reached positions of the present layer, empty past the last layer. There is one set, or two in a movement
    /// layer with [`Sides::Apart`]. In the first set, the side to move is the one that was to move when the layer was
    /// entered.
    pub fn reached(&self) -> &[Reached] {
        &self.reached
    }

    /// The present layer; `None` past the last one.
    pub fn layer(&self) -> Option<Counts> {
        self.layers.first().copied()
    }

    /// Adds the positions that moves of pieces reach inside the present layer. Does nothing while pieces are placed.
    ///
    /// # Errors
    /// If `progress` requests a stop.
    pub fn move_pieces(&mut self, progress: &dyn Progress) -> Result<(), Stopped> {
        if !self.layers.first().is_some_and(|&counts| self.game.is_movement(counts)) {
            return Ok(());
        }
        // All positions found last have the same side to move: the side of the set at `turn`.
        let mut turn = 0;
        let mut found = self.reached[turn].copy();
        while !found.is_empty() {
            progress.check()?;
            turn = (turn + 1) % self.reached.len();
            let known = &self.reached[turn];
            let next = known.none();
            self.children(&found, &known.arrangements, |child| {
                if known.insert_number(child) {
                    next.insert_number(child);
                }
            });
            found = next;
        }
        Ok(())
    }

    /// Continues with the next layer by placing a piece. Returns the positions reached in the previous layer.
    pub fn place_piece(&mut self) -> Vec<Reached> {
        self.layers.drain(..1.min(self.layers.len()));
        let root_moves = self.reached.first().is_some_and(|reached| !reached.root_moves);
        let next = self.none_reached(root_moves);
        if let ([present], Some(next)) = (&self.reached[..], next.first()) {
            self.children(present, &next.arrangements, |child| {
                next.insert_number(child);
            });
        }
        std::mem::replace(&mut self.reached, next)
    }

    /// Visits the position after every move from each of `positions` that is not over. Passes its number among
    /// `arrangements`.
    fn children(
        &self,
        positions: &Reached,
        arrangements: &Arrangements,
        visit: impl Fn(u64) + Sync,
    ) {
        positions.for_each(|position| {
            if !self.game.has_line(position.waiter) {
                // The waiter's pieces stay in place, so all moves lead into one row.
                let row = arrangements.row(position.waiter);
                for mv in self.game.legal_moves(position) {
                    visit(row.number(position.after(mv).waiter));
                }
            }
        });
    }

    /// Empty sets for the first of `layers`.
    fn none_reached(&self, root_moves: bool) -> Vec<Reached> {
        let Some(&counts) = self.layers.first() else { return Vec::new() };
        let fixed = fixed(self.game, self.root, counts, root_moves);
        let arrangements = Arc::new(Arrangements::new(self.game, counts, fixed));
        let empty = |root_moves| Reached {
            bits: no_bits(arrangements.len()),
            arrangements: arrangements.clone(),
            root_moves,
        };
        let apart = self.sides == Sides::Apart && self.game.is_movement(counts);
        if apart { vec![empty(root_moves), empty(!root_moves)] } else { vec![empty(root_moves)] }
    }
}

/// All positions that play can reach from `root`: every set of a [`Walk`], in the order of play.
///
/// Memory: one bit for each of [`arrangements_from`], and the sets of the walk for the movement layer.
pub fn reachable(game: &Game, root: Position, sides: Sides) -> Vec<Reached> {
    let mut walk = Walk::new(game, root, sides);
    let mut all = Vec::new();
    while !walk.reached().is_empty() {
        walk.move_pieces(&Unobserved).expect("no observer asks for a stop");
        all.extend(walk.place_piece());
    }
    all
}

/// The number of arrangements that could follow `root`, which is the number of bits that [`reachable`] keeps. The
/// root's own pieces stay in place while other pieces are placed.
pub fn arrangements_from(game: &Game, root: Position, sides: Sides) -> u64 {
    let of = |(counts, root_moves): (Counts, bool)| {
        let fixed = fixed(game, root, counts, root_moves);
        let [mover, waiter] = free_pieces(counts, fixed);
        let free = free_cells(game, fixed).count_ones();
        let times = if sides == Sides::Apart && game.is_movement(counts) { 2 } else { 1 };
        times * binomial(free, mover) * binomial(free - mover, waiter)
    };
    let turns = [true, false].into_iter().cycle();
    layers_from(game, root).into_iter().zip(turns).map(of).sum()
}

/// The layer of `root` and all later layers; empty if `root` is in none.
fn layers_from(game: &Game, root: Position) -> Vec<Counts> {
    let [mover, waiter] = [root.mover, root.waiter].map(|set| set.count_ones() as u8);
    let first = game.layer_index(Counts { mover, waiter });
    first.map_or(Vec::new(), |first| game.layers().split_off(first))
}

/// The pieces that have not moved since the root, as mover and waiter of the layer. While pieces are placed, these are
/// all pieces of the root; afterwards there are none.
fn fixed(game: &Game, root: Position, counts: Counts, root_moves: bool) -> Position {
    match (game.is_movement(counts), root_moves) {
        (true, _) => Position { mover: 0, waiter: 0 },
        (false, true) => root,
        (false, false) => Position { mover: root.waiter, waiter: root.mover },
    }
}

fn free_cells(game: &Game, fixed: Position) -> u64 {
    game.board() & !(fixed.mover | fixed.waiter)
}

/// Number of the mover's and of the waiter's pieces that are not fixed.
fn free_pieces(counts: Counts, fixed: Position) -> [u32; 2] {
    [(counts.mover, fixed.mover), (counts.waiter, fixed.waiter)]
        .map(|(pieces, fixed)| u32::from(pieces) - fixed.count_ones())
}

/// A set of positions of one layer.
#[derive(Debug)]
pub struct Reached {
    arrangements: Arc<Arrangements>,
    /// One bit per arrangement, by number.
    bits: Vec<AtomicU64>,
    root_moves: bool,
}

impl Reached {
    /// Returns true if the same side is to move as at the root. Meaningless in a movement layer with [`Sides::Together`].
    pub fn root_moves(&self) -> bool {
        self.root_moves
    }

    /// Returns an empty set for the same layer.
    pub fn none(&self) -> Reached {
        let Reached { arrangements, root_moves, .. } = self;
        Reached {
            bits: no_bits(arrangements.len()),
            arrangements: arrangements.clone(),
            root_moves: *root_moves,
        }
    }

    fn copy(&self) -> Reached {
        let bits = self.bits.iter().map(|word| word.load(Ordering::Relaxed).into());
        Reached {
            bits: bits.collect(),
            arrangements: self.arrangements.clone(),
            root_moves: self.root_moves,
        }
    }

    /// Adds a position of the layer and returns true if it is new. Threads may add to one set at the same time.
    #[inline]
    pub fn insert(&self, position: Position) -> bool {
        self.insert_number(self.arrangements.row(position.mover).number(position.waiter))
    }

    #[inline]
    fn insert_number(&self, number: u64) -> bool {
        let bit = 1 << (number % 64);
        let word = &self.bits[(number / 64) as usize];
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Number of positions.
    pub fn len(&self) -> u64 {
        self.bits.par_iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| word.load(Ordering::Relaxed) == 0)
    }

    /// Visits the positions on all threads of the pool.
    pub fn for_each(&self, visit: impl Fn(Position) + Sync) {
        let columns = self.arrangements.waiters.len() as u64;
        (0..self.arrangements.movers.len()).into_par_iter().for_each(|row| {
            let mut number = row as u64 * columns;
            let end = number + columns;
            while number < end {
                let word =
                    self.bits[(number / 64) as usize].load(Ordering::Relaxed) >> (number % 64);
                if word == 0 {
                    number = (number / 64 + 1) * 64;
                    continue;
                }
                number += u64::from(word.trailing_zeros());
                if number < end {
                    let column = number - row as u64 * columns;
                    visit(self.arrangements.position(row, column as usize));
                }
                number += 1;
            }
        });
    }

    /// The positions, ascending: by the mover's set, then by the waiter's.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let columns = self.arrangements.waiters.len();
        self.bits.iter().enumerate().flat_map(move |(at, word)| {
            cells(word.load(Ordering::Relaxed)).map(move |bit| {
                let number = at * 64 + usize::from(bit);
                self.arrangements.position(number / columns, number % columns)
            })
        })
    }
}

fn no_bits(length: u64) -> Vec<AtomicU64> {
    (0..length.div_ceil(64)).map(|_| AtomicU64::new(0)).collect()
}

/// The arrangements of one layer in which some pieces are fixed, numbered by the mover's set, then by the waiter's.
#[derive(Debug)]
struct Arrangements {
    fixed: Position,
    /// The cells without a fixed piece.
    free: u64,
    /// The possible sets of the mover's free pieces, by rank.
    movers: Vec<u64>,
    /// The possible sets of the waiter's free pieces, by rank. They are sets of the cells that are neither fixed nor
    /// the mover's.
    waiters: Vec<u64>,
    mover_ranks: Ranker,
    waiter_ranks: Ranker,
}

impl Arrangements {
    fn new(game: &Game, counts: Counts, fixed: Position) -> Arrangements {
        let free = free_cells(game, fixed);
        let [mover, waiter] = free_pieces(counts, fixed);
        let cells = free.count_ones();
        Arrangements {
            fixed,
            free,
            movers: subsets(cells, mover).map(|set| expand(set, free)).collect(),
            waiters: subsets(cells - mover, waiter).collect(),
            mover_ranks: Ranker::new(cells, mover),
            waiter_ranks: Ranker::new(cells - mover, waiter),
        }
    }

    fn len(&self) -> u64 {
        self.movers.len() as u64 * self.waiters.len() as u64
    }

    /// Range of the arrangements with these pieces of the mover.
    #[inline]
    fn row(&self, mover: u64) -> Row<'_> {
        let rank = self.mover_ranks.rank(compress(mover, self.free));
        Row {
            start: u64::from(rank) * self.waiters.len() as u64,
            left: self.free & !mover,
            waiter_ranks: &self.waiter_ranks,
        }
    }

    #[inline]
    fn position(&self, row: usize, column: usize) -> Position {
        let mover = self.movers[row];
        let waiter = expand(self.waiters[column], self.free & !mover);
        Position { mover: self.fixed.mover | mover, waiter: self.fixed.waiter | waiter }
    }
}

/// The arrangements of a layer that have the same set of the mover.
struct Row<'a> {
    /// The number of the first arrangement.
    start: u64,
    /// The cells for the waiter's free pieces.
    left: u64,
    waiter_ranks: &'a Ranker,
}

impl Row<'_> {
    /// The number of the arrangement with these pieces of the waiter.
    #[inline]
    fn number(&self, waiter: u64) -> u64 {
        self.start + u64::from(self.waiter_ranks.rank(compress(waiter, self.left)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{standard, standard_game};
    use std::collections::BTreeSet;

    /// A position, and `true` if the root's side is to move. Always `true` in a movement layer with
    /// [`Sides::Together`].
    fn state(game: &Game, sides: Sides, position: Position, root_moves: bool) -> (Position, bool) {
        let [mover, waiter] = [position.mover, position.waiter].map(|set| set.count_ones() as u8);
        let moving = game.is_movement(Counts { mover, waiter });
        (position, root_moves || moving && sides == Sides::Together)
    }

    fn by_definition(game: &Game, root: Position, sides: Sides) -> BTreeSet<(Position, bool)> {
        let mut known = BTreeSet::from([(root, true)]);
        let mut found = vec![(root, true)];
        while let Some((position, root_moves)) = found.pop() {
            if game.over(position).is_some() {
                continue;
            }
            let children = game.legal_moves(position).map(|mv| position.after(mv));
            found.extend(
                children
                    .map(|child| state(game, sides, child, !root_moves))
                    .filter(|&child| known.insert(child)),
            );
        }
        known
    }

    #[test]
    fn a_walk_and_single_moves_reach_the_same_positions() {
        for game in standard().filter(|game| game.cells() == 9) {
            let later = game.parse_position("X../.O./..X").map(|position| position.raw);
            for root in [Ok(game.start().raw), later].into_iter().flatten() {
                for sides in [Sides::Together, Sides::Apart] {
                    let all = reachable(&game, root, sides);
                    let mut found = BTreeSet::new();
                    for layer in &all {
                        let positions: Vec<Position> = layer.positions().collect();
                        assert!(positions.is_sorted());
                        assert_eq!(positions.len() as u64, layer.len());
                        found.extend(
                            positions
                                .into_iter()
                                .map(|position| state(&game, sides, position, layer.root_moves())),
                        );
                    }
                    assert_eq!(
                        found,
                        by_definition(&game, root, sides),
                        "{} {sides:?}",
                        game.rules().name
                    );
                    let bits: u64 = all.iter().map(|layer| layer.arrangements.len()).sum();
                    assert_eq!(bits, arrangements_from(&game, root, sides));
                }
            }
        }
    }

    #[test]
    fn the_layers_of_the_classic_game_have_the_known_numbers() {
        let game = standard_game("classic").unwrap();
        let all = reachable(&game, game.start().raw, Sides::Together);
        let numbers: Vec<u64> = all.iter().map(Reached::len).collect();
        assert_eq!(numbers, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    }
}
