//! The positions that play can reach, followed layer by layer.
//!
//! A walk goes through the layers in the order of play. For each layer it returns the set of positions reached from a
//! given position, with one bit per arrangement. From the empty 3×3 board, it reaches 1, 9, 72, 252 and 756 positions
//! with up to four pieces, which are all arrangements. With five pieces X may have made a line, and with six only 1,520
//! of 1,680 arrangements are reached.

use morpion_lookup::raw::rank::{expand, subsets};
use morpion_lookup::raw::{Arrangements, Position};
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
            self.children(&found, &known.layer, |child| {
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
            self.children(present, &next.layer, |child| {
                next.insert_number(child);
            });
        }
        std::mem::replace(&mut self.reached, next)
    }

    /// Visits the position after every move from each of `positions` that is not over. Passes its number in `layer`.
    fn children(&self, positions: &Reached, layer: &Layer, visit: impl Fn(u64) + Sync) {
        let Layer { arrangements, waiters, .. } = layer;
        positions.for_each(|position| {
            if !self.game.has_line(position.waiter) {
                // The waiter's pieces stay in place, so all moves lead into one row.
                let row = arrangements.row(position.waiter) * waiters.len() as u64;
                for mv in self.game.legal_moves(position) {
                    visit(row + arrangements.column(self.game.apply(position, mv)));
                }
            }
        });
    }

    /// Empty sets for the first of `layers`.
    fn none_reached(&self, root_moves: bool) -> Vec<Reached> {
        let Some(&counts) = self.layers.first() else { return Vec::new() };
        let layer = Arc::new(Layer::new(self.game, self.root, counts, root_moves));
        let empty = |root_moves| Reached::empty(layer.clone(), root_moves);
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
        let times = if sides == Sides::Apart && game.is_movement(counts) { 2 } else { 1 };
        let (cells, pieces) = free(game, counts, fixed(game, root, counts, root_moves));
        times * Arrangements::new(cells, pieces).count()
    };
    let turns = [true, false].into_iter().cycle();
    layers_from(game, root).into_iter().zip(turns).map(of).sum()
}

/// The number of arrangements in all layers of a game. Divided by the order of the group, it approximates the number of
/// entries of the table.
pub fn arrangements(game: &Game) -> u128 {
    arrangements_from(game, game.start().raw, Sides::Together).into()
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

/// The cells and the numbers of pieces that are not fixed.
fn free(game: &Game, counts: Counts, fixed: Position) -> (u64, Counts) {
    let mover = counts.mover - fixed.mover.count_ones() as u8;
    let waiter = counts.waiter - fixed.waiter.count_ones() as u8;
    (game.board() & !(fixed.mover | fixed.waiter), Counts { mover, waiter })
}

/// A set of positions of one layer.
#[derive(Debug)]
pub struct Reached {
    layer: Arc<Layer>,
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
        Reached::empty(self.layer.clone(), self.root_moves)
    }

    fn empty(layer: Arc<Layer>, root_moves: bool) -> Reached {
        let words = layer.arrangements.count().div_ceil(64);
        let bits = std::iter::repeat_with(AtomicU64::default).take(words as usize).collect();
        Reached { layer, bits, root_moves }
    }

    fn copy(&self) -> Reached {
        let bits = self.bits.iter().map(|word| word.load(Ordering::Relaxed).into()).collect();
        Reached { layer: self.layer.clone(), bits, root_moves: self.root_moves }
    }

    /// Adds a position of the layer and returns true if it is new. Threads may add to one set at the same time.
    #[inline]
    pub fn insert(&self, position: Position) -> bool {
        self.insert_number(self.layer.arrangements.number(position))
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
        let rows = 0..self.layer.arrangements.rows();
        rows.into_par_iter().for_each(|row| self.row(row).for_each(&visit));
    }

    /// The positions, ascending: by the mover's set, then by the waiter's.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        (0..self.layer.arrangements.rows()).flat_map(|row| self.row(row))
    }

    /// The positions with one set of the mover.
    fn row(&self, row: u64) -> impl Iterator<Item = Position> + '_ {
        let Layer { fixed, cells, arrangements, waiters } = &*self.layer;
        let first = row * waiters.len() as u64;
        let mover = arrangements.position(first).mover;
        let left = cells & !mover;
        self.numbers(first, first + waiters.len() as u64).map(move |number| Position {
            mover: fixed.mover | mover,
            waiter: fixed.waiter | expand(waiters[(number - first) as usize], left),
        })
    }

    /// The numbers in the set from `next` to `end`, ascending.
    fn numbers(&self, mut next: u64, end: u64) -> impl Iterator<Item = u64> + '_ {
        std::iter::from_fn(move || {
            while next < end {
                let word = self.bits[(next / 64) as usize].load(Ordering::Relaxed) >> (next % 64);
                if word != 0 {
                    let number = next + u64::from(word.trailing_zeros());
                    next = number + 1;
                    return (number < end).then_some(number);
                }
                next = (next / 64 + 1) * 64;
            }
            None
        })
    }
}

/// The arrangements of one layer, some of whose pieces may be fixed.
#[derive(Debug)]
struct Layer {
    fixed: Position,
    /// The cells without a fixed piece.
    cells: u64,
    /// The arrangements of the pieces that are not fixed.
    arrangements: Arrangements,
    /// The waiter's sets by column, as sets of the cells that the mover leaves. Listed once, because every visit needs them.
    waiters: Vec<u64>,
}

impl Layer {
    fn new(game: &Game, root: Position, counts: Counts, root_moves: bool) -> Layer {
        let fixed = fixed(game, root, counts, root_moves);
        let (cells, pieces) = free(game, counts, fixed);
        let left = cells.count_ones() - u32::from(pieces.mover);
        let waiters = subsets(left, pieces.waiter.into()).collect();
        Layer { fixed, cells, arrangements: Arrangements::new(cells, pieces), waiters }
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
            let children = game.legal_moves(position).map(|mv| game.apply(position, mv));
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
                    let bits: u64 = all.iter().map(|layer| layer.layer.arrangements.count()).sum();
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
