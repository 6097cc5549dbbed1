//! The positions that play can reach, followed layer by layer.
//!
//! A walk goes through the layers in the order of play. For each layer it returns the set of positions reached from a
//! given position, with one bit per arrangement. From the empty 3×3 board, it reaches 1, 9, 72, 252 and 756 positions
//! with up to four pieces, which are all arrangements. With five pieces X may have made a line, and with six only 1,520
//! of 1,680 arrangements are reached.
//!
//! Layers that lead to each other form a *group* and are followed together: see [`mod@groups`](crate::groups).

use crate::arranged::{Arranged, layers};
use crate::groups::groups;
use morpion_lookup::Game;
use morpion_lookup::raw::Position;
use morpion_machine::progress::{Progress, Stopped, Unobserved};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Treatment of positions that differ only in the side to move, X or O. In many layers the numbers of pieces determine the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Counted as one position.
    Together,
    /// Counted as two positions.
    Apart,
}

/// The sets of one layer. With [`Sides::Apart`], the first is for positions in which the same side is to move as at the root.
type Slots = [OnceLock<Reached>; 2];

/// A walk through all play from one position, group by group.
///
/// Memory: one bit per arrangement of the layers of the present group, and of the later layers that have been reached. While a group
/// is followed in which play can continue forever, it takes twice as many again. With [`Sides::Apart`] a layer may have two sets.
#[derive(Debug)]
pub struct Walk<'g> {
    game: &'g Game,
    root: Position,
    sides: Sides,
    /// The layers of the present group; empty past the last one.
    group: Range<usize>,
    /// The groups after it.
    later: std::vec::IntoIter<Range<usize>>,
    /// The sets of all layers that are not left yet.
    sets: Vec<Slots>,
    /// The sets of the group that are entered from outside, by layer and slot.
    entered: Vec<(usize, usize)>,
}

impl<'g> Walk<'g> {
    /// Starts at the position `root` of the game, which is the first reached position.
    pub fn new(game: &'g Game, root: Position, sides: Sides) -> Walk<'g> {
        let sets: Vec<Slots> = game.graph().layers.iter().map(|_| Slots::default()).collect();
        let (later, entered) = (groups(game).into_iter(), Vec::new());
        let mut walk = Walk { game, root, sides, group: 0..0, later, sets, entered };
        if let Some(layer) = game.layer_of(root) {
            walk.set(layer, true).insert(root);
        }
        walk.enter();
        walk
    }

    /// The positions of the present group that are reached from outside; empty past the last one. There is one set for each layer, or
    /// two with [`Sides::Apart`].
    pub fn entered(&self) -> impl Iterator<Item = &Reached> {
        self.entered.iter().filter_map(|&(layer, slot)| self.sets[layer][slot].get())
    }

    /// Returns true past the last group that play reaches.
    pub fn is_over(&self) -> bool {
        self.group.is_empty()
    }

    /// Follows all moves from the present group, inside it and to later layers.
    ///
    /// # Errors
    /// If `progress` requests a stop.
    pub fn follow(&mut self, progress: &dyn Progress) -> Result<(), Stopped> {
        if !self.group.clone().any(|index| self.game.is_cyclic(index)) {
            let none = [];
            self.entered().for_each(|set| self.children(set, &none));
            return progress.check();
        }
        let mut found: Vec<Reached> = self.entered().map(Reached::copy).collect();
        while !found.is_empty() {
            progress.check()?;
            let next: Vec<Slots> = self.group.clone().map(|_| Slots::default()).collect();
            found.iter().for_each(|set| self.children(set, &next));
            found = next.into_iter().flatten().filter_map(OnceLock::into_inner).collect();
        }
        Ok(())
    }

    /// Goes to the next group that play reaches. Returns the positions reached in the present group: first the sets that are entered
    /// from outside.
    pub fn leave(&mut self) -> Vec<Reached> {
        let entered = std::mem::take(&mut self.entered);
        let others = slots(&self.group).filter(|set| !entered.contains(set)).collect::<Vec<_>>();
        let mut left = Vec::new();
        for (layer, slot) in entered.into_iter().chain(others) {
            left.extend(self.sets[layer][slot].take());
        }
        self.enter();
        left
    }

    /// Makes the next group with reached positions the present one.
    fn enter(&mut self) {
        let is_reached = |&(layer, slot): &(usize, usize)| self.sets[layer][slot].get().is_some();
        let next = self.later.find(|group| slots(group).any(|set| is_reached(&set)));
        self.group = next.unwrap_or_default();
        self.entered = slots(&self.group).filter(is_reached).collect();
    }

    /// The set for positions of a layer, if the same side is to move as at the root, or the other one.
    fn set(&self, layer: usize, root_moves: bool) -> &Reached {
        let new = || {
            let arranged =
                Arranged::new(self.game, layer, fixed(self.game, self.root, layer, root_moves));
            Reached::empty(Arc::new(arranged), root_moves)
        };
        self.sets[layer][self.slot(root_moves)].get_or_init(new)
    }

    fn slot(&self, root_moves: bool) -> usize {
        usize::from(self.sides == Sides::Apart && !root_moves)
    }

    /// Adds the position after every move from each of `positions` that is not over. Those that are new in the group are also added to
    /// `next`.
    fn children(&self, positions: &Reached, next: &[Slots]) {
        let root_moves = !positions.root_moves;
        let add = |layer: usize, number: u64, set: &Reached| {
            if set.insert_number(number)
                && let Some(slots) = layer.checked_sub(self.group.start).and_then(|at| next.get(at))
            {
                slots[self.slot(root_moves)].get_or_init(|| set.none()).insert_number(number);
            }
        };
        let (game, layer) = (self.game, positions.arranged.layer());
        if !game.is_plain() {
            positions.for_each(|position| {
                if game.over(position).is_none() {
                    for mv in game.legal_moves(position) {
                        let child = game.apply(position, mv);
                        let Some(layer) = game.layer_of(child) else { continue };
                        let set = self.set(layer, root_moves);
                        add(layer, set.arranged.number(child), set);
                    }
                }
            });
            return;
        }
        let Some(layer) = game.graph().layers[layer].next.map(usize::from) else { return };
        let set = self.set(layer, root_moves);
        positions.for_each(|position| {
            if !game.has_line(position.waiter) {
                // The waiter's pieces stay in place, so all moves lead into one row.
                let row = set.arranged.row(position.waiter) * set.arranged.columns();
                for mv in game.legal_moves(position) {
                    add(layer, row + set.arranged.column(game.apply(position, mv)), set);
                }
            }
        });
    }
}

/// The sets of a group, by layer and slot.
fn slots(group: &Range<usize>) -> impl Iterator<Item = (usize, usize)> + use<> {
    group.clone().flat_map(|layer| [(layer, 0), (layer, 1)])
}

/// All positions that play can reach from `root`: every set of a [`Walk`], in the order of play.
///
/// Memory: at most one bit for each of [`arrangements_from`], and the sets of the walk for groups in which play can continue forever.
pub fn reachable(game: &Game, root: Position, sides: Sides) -> Vec<Reached> {
    let mut walk = Walk::new(game, root, sides);
    let mut all = Vec::new();
    while !walk.is_over() {
        walk.follow(&Unobserved).expect("no observer asks for a stop");
        all.extend(walk.leave());
    }
    all
}

/// The number of arrangements that could follow `root`, which is the most bits that [`reachable`] keeps. The
/// root's own pieces stay in place while other pieces are placed.
pub fn arrangements_from(game: &Game, root: Position, sides: Sides) -> u128 {
    let layers = &game.graph().layers;
    let group = |layer| groups(game).into_iter().find(|group| group.contains(&layer));
    let first = game.layer_of(root).and_then(group).map_or(layers.len(), |group| group.start);
    let of = |(index, root_moves): (usize, bool)| {
        let has_both = sides == Sides::Apart && layers[index].turn.is_none();
        let times = if has_both { 2 } else { 1 };
        times * Arranged::new(game, index, fixed(game, root, index, root_moves)).count()
    };
    (first..layers.len()).zip([true, false].into_iter().cycle()).map(of).sum()
}

/// The number of arrangements in all layers of a game. Divided by the order of the group, it approximates the number of
/// entries of the table.
pub fn arrangements(game: &Game) -> u128 {
    layers(game).map(|layer| layer.count()).sum()
}

/// The pieces that have not moved since the root, as mover and waiter of the layer. While pieces are placed, these are
/// all pieces of the root; afterwards there are none.
fn fixed(game: &Game, root: Position, layer: usize, root_moves: bool) -> Position {
    match (!game.is_plain() || game.is_cyclic(layer), root_moves) {
        (true, _) => Position { mover: 0, waiter: 0 },
        (false, true) => root,
        (false, false) => Position { mover: root.waiter, waiter: root.mover },
    }
}

/// A set of positions of one layer.
#[derive(Debug)]
pub struct Reached {
    arranged: Arc<Arranged>,
    /// One bit per arrangement, by number.
    bits: Vec<AtomicU64>,
    root_moves: bool,
}

impl Reached {
    /// Number of the layer.
    pub fn layer(&self) -> usize {
        self.arranged.layer()
    }

    /// Returns true if the same side is to move as at the root. Meaningless with [`Sides::Together`] in a layer in which either side
    /// may be to move.
    pub fn root_moves(&self) -> bool {
        self.root_moves
    }

    /// Returns an empty set for the same layer.
    pub fn none(&self) -> Reached {
        Reached::empty(self.arranged.clone(), self.root_moves)
    }

    fn empty(arranged: Arc<Arranged>, root_moves: bool) -> Reached {
        let words = arranged.count().div_ceil(64);
        let bits = std::iter::repeat_with(AtomicU64::default).take(words as usize).collect();
        Reached { arranged, bits, root_moves }
    }

    fn copy(&self) -> Reached {
        let bits = self.bits.iter().map(|word| word.load(Ordering::Relaxed).into()).collect();
        Reached { arranged: self.arranged.clone(), bits, root_moves: self.root_moves }
    }

    /// Adds a position of the layer and returns true if it is new. Threads may add to one set at the same time.
    #[inline]
    pub fn insert(&self, position: Position) -> bool {
        self.insert_number(self.arranged.number(position))
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
        let rows = 0..self.arranged.rows();
        rows.into_par_iter().for_each(|row| self.row(row).for_each(&visit));
    }

    /// The positions: by the mover's set, then by the order of its pieces if they age, then by the waiter's in the same way.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        (0..self.arranged.rows()).flat_map(|row| self.row(row))
    }

    /// The positions with one word of the mover.
    fn row(&self, row: u64) -> impl Iterator<Item = Position> + '_ {
        let columns = self.arranged.columns();
        let position = self.arranged.in_row(row);
        self.numbers(row * columns, (row + 1) * columns)
            .map(move |number| position(number - row * columns))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{standard, standard_game};
    use std::collections::BTreeSet;

    /// A position, and `true` if the root's side is to move. With [`Sides::Together`], always `true` in a layer in which either side
    /// may be to move.
    fn state(game: &Game, sides: Sides, position: Position, root_moves: bool) -> (Position, bool) {
        let is_either = game.side_to_move(position).is_none();
        (position, root_moves || is_either && sides == Sides::Together)
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
        let small = standard().filter(|game| game.cells() == 9 && arrangements(game) < 200_000);
        for game in small.chain([mills("each = 3", "mixed = true"), mills("each = 4", "fly = 3")]) {
            let later = game.parse_position("X../.O./..X").map(|position| position.raw);
            for root in [Ok(game.start().raw), later].into_iter().flatten() {
                for sides in [Sides::Together, Sides::Apart] {
                    let all = reachable(&game, root, sides);
                    let mut found = BTreeSet::new();
                    for layer in &all {
                        let positions: Vec<Position> = layer.positions().collect();
                        let numbers = positions.iter().map(|&at| layer.arranged.number(at));
                        assert!(numbers.is_sorted_by(|a, b| a < b));
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
                    let bits: u128 = all.iter().map(|layer| layer.arranged.count()).sum();
                    assert!(bits <= arrangements_from(&game, root, sides));
                }
            }
        }
    }

    /// A mill game on 3×3 with sliding pieces.
    fn mills(pieces: &str, rule: &str) -> Game {
        let text = format!(
            "name = \"m\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\n{pieces}\n\
             [moves]\nto = \"orthogonal\"\n[mills]\n{rule}\n"
        );
        crate::rules::parse("m", &text).unwrap()
    }

    /// The number that others have published for two rings with four pieces of each side, in which colours count.
    #[test]
    fn mills_with_four_pieces_reach_the_known_number() {
        let text = include_str!("../presets/six-mens-morris.toml");
        let game = crate::rules::parse("t", &text.replace("each = 6", "each = 4")).unwrap();
        let all = reachable(&game, game.start().raw, Sides::Apart);
        assert_eq!(all.iter().map(Reached::len).sum::<u64>(), 2_338_718 + 1_271_632 + 500_801);
    }

    #[test]
    fn the_layers_of_the_classic_game_have_the_known_numbers() {
        let game = standard_game("classic").unwrap();
        let all = reachable(&game, game.start().raw, Sides::Together);
        let numbers: Vec<u64> = all.iter().map(Reached::len).collect();
        assert_eq!(numbers, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    }
}
