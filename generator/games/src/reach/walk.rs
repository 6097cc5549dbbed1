//! The positions that play can reach, followed layer by layer.
//!
//! A walk goes through the layers in the order of play. For each layer it returns the set of positions reached from a
//! given position, with one bit per arrangement. From the empty 3×3 board, it reaches 1, 9, 72, 252 and 756 positions
//! with up to four pieces, which are all arrangements. With five pieces X may have made a line, and with six only 1,520
//! of 1,680 arrangements are reached.
//!
//! Layers that lead to each other form a *group* and are followed together: see [`groups`](mod@crate::reach::groups).

use crate::reach::TooLarge;
use crate::reach::arrangements::{Arrangements, layers};
use crate::reach::fold::{Fold, Representative};
use crate::reach::groups::groups;
use crate::reach::reached::Reached;
use morpion_core::{CELLS, Game, Permutation, Position};
use std::ops::Range;
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
type Slots = [OnceLock<Result<Reached, TooLarge>>; 2];

/// A walk through all play from one position, group by group.
///
/// Memory: one bit per arrangement of the layers of the present group, and of the later layers that have been reached. While the walk
/// follows a group in which play can continue forever, it takes two more bits per arrangement of the group. With [`Sides::Apart`] a layer
/// may have two sets.
#[derive(Debug)]
pub struct Walk {
    game: Game,
    root: Position,
    sides: Sides,
    fold: Arc<Fold>,
    /// The layers of the present group; empty past the last one.
    group: Range<usize>,
    /// The groups after the present group.
    later: std::vec::IntoIter<Range<usize>>,
    /// The sets of all layers that are not left yet.
    sets: Vec<Slots>,
}

impl Walk {
    /// Starts at the position `root` of the game, which is the first reached position.
    ///
    /// With `symmetries` of the game, which are a group, the walk follows only representatives under the symmetries that keep the root, so
    /// it takes less time. Without symmetries, the walk reaches every position. If pieces age, symmetries are not used, because their
    /// images take longer.
    ///
    /// # Errors
    /// If there is not enough memory for the layer of the root.
    pub fn new(
        game: &Game,
        root: Position,
        sides: Sides,
        symmetries: &[Permutation],
    ) -> Result<Walk, TooLarge> {
        let symmetries = if game.has_ages() { &[] } else { symmetries };
        let fold = Arc::new(Fold::new(game.cells(), root, symmetries));
        let sets: Vec<Slots> = game.graph().layers.iter().map(|_| Slots::default()).collect();
        let later = groups(game).into_iter();
        let mut walk = Walk { game: game.clone(), root, sides, fold, group: 0..0, later, sets };
        if let Some(layer) = walk.game.layer_of(root) {
            walk.set(layer, true)?.insert(root);
        }
        walk.enter();
        Ok(walk)
    }

    /// The positions of the present group that are reached so far. Before [`Walk::follow`], these are the positions reached from outside the
    /// group. Each reached layer has a set, or two sets with [`Sides::Apart`].
    pub fn present(&self) -> impl Iterator<Item = &Reached> {
        slots(&self.group).filter_map(|(layer, slot)| self.sets[layer][slot].get()?.as_ref().ok())
    }

    /// Returns true past the last group that play reaches.
    pub fn is_over(&self) -> bool {
        self.group.is_empty()
    }

    /// Follows all moves from the present group, inside it and to later layers. Calls `check` on the calling thread, often enough for a
    /// program that answers to its user.
    ///
    /// # Errors
    /// The first error of `check`: then another call follows the remaining moves. [`TooLarge`] if there is not enough memory.
    pub fn follow<E: From<TooLarge>>(
        &mut self,
        check: impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.group.clone().any(|index| self.game.graph().is_cyclic(index)) {
            return self.present().try_for_each(|set| self.children_of(set, &[], &check));
        }
        let mut found = self.present().map(Reached::copy).collect::<Result<Vec<_>, _>>()?;
        while !found.is_empty() {
            let next: Vec<Slots> = self.group.clone().map(|_| Slots::default()).collect();
            found.iter().try_for_each(|set| self.children_of(set, &next, &check))?;
            found = next.into_iter().flatten().filter_map(OnceLock::into_inner).flatten().collect();
        }
        Ok(())
    }

    /// Goes to the next group that play reaches. Returns the sets of the present group by layer. The set in which the same side is to move
    /// as at the root is the first of its layer.
    pub fn leave(&mut self) -> Vec<Reached> {
        let taken = slots(&self.group).filter_map(|(layer, slot)| self.sets[layer][slot].take());
        let left = taken.flatten().collect();
        self.enter();
        left
    }

    /// Makes the next group with reached positions the present one.
    fn enter(&mut self) {
        let is_reached = |(layer, slot): (usize, usize)| self.sets[layer][slot].get().is_some();
        self.group = self.later.find(|group| slots(group).any(is_reached)).unwrap_or_default();
    }

    /// The set for positions of a layer. `root_moves` tells whether the same side is to move there as at the root.
    fn set(&self, layer: usize, root_moves: bool) -> Result<&Reached, TooLarge> {
        let new = || {
            let fixed = fixed(&self.game, self.root, layer, root_moves);
            let arranged = Arc::new(Arrangements::of_layer(&self.game, layer, fixed));
            Reached::empty(arranged, root_moves, self.fold.clone())
        };
        let set = self.sets[layer][self.slot(root_moves)].get_or_init(new);
        set.as_ref().map_err(|&error| error)
    }

    fn slot(&self, root_moves: bool) -> usize {
        usize::from(self.sides == Sides::Apart && !root_moves)
    }

    /// Adds the positions after every move from each of `positions`, as [`Walk::children`] does.
    fn children_of<E: From<TooLarge>>(
        &self,
        positions: &Reached,
        next: &[Slots],
        check: &impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        let root_moves = !positions.root_moves();
        positions.for_each_in_blocks(check, |position| self.children(position, root_moves, next))
    }

    /// Adds the position after every move from `position`, if the game is not over there. Positions that are new in the group are also
    /// added to `next`. `root_moves` tells whether the same side is to move there as at the root.
    fn children(
        &self,
        position: Position,
        root_moves: bool,
        next: &[Slots],
    ) -> Result<(), TooLarge> {
        let (game, fold) = (&self.game, &self.fold);
        if game.end_at(position).is_some() {
            return Ok(());
        }
        // Most moves leave the waiter's pieces in place, so that they lead into one row of one layer.
        let mut row: Option<Row> = None;
        for child in game.moves_at(position).map(|mv| game.apply(position, mv)) {
            let key = (child.mover, child.counts().waiter, child.hands().waiter);
            if row.as_ref().is_none_or(|row| row.key != key) {
                let Some(layer) = game.layer_of(child) else { continue };
                let (set, to) =
                    (self.set(layer, root_moves)?, fold.representative(child.mover & CELLS));
                let first = set.arranged().row(to.word(child.mover)) * set.arranged().columns();
                let new = layer.checked_sub(self.group.start).and_then(|at| next.get(at));
                let new = new.map(|slots| &slots[self.slot(root_moves)]);
                row = Some(Row { key, set, to, first, new });
            }
            let Some(Row { set, to, first, new, .. }) = &row else { continue };
            for image in fold.images(to, child) {
                let number = first + set.arranged().column(image);
                if set.insert_number(number)
                    && let Some(new) = new
                {
                    let new = new.get_or_init(|| set.none());
                    new.as_ref().map_err(|&error| error)?.insert_number(number);
                }
            }
        }
        Ok(())
    }
}

/// The row into which moves lead.
struct Row<'w> {
    /// The mover's word, and the waiter's pieces on the board and in hand.
    key: (u64, u8, u8),
    set: &'w Reached,
    to: Representative,
    /// The first number of the row.
    first: u64,
    /// The set of the new positions of the layer, if it is in the present group.
    new: Option<&'w OnceLock<Result<Reached, TooLarge>>>,
}

/// The sets of a group, by layer and slot.
fn slots(group: &Range<usize>) -> impl Iterator<Item = (usize, usize)> + use<> {
    group.clone().flat_map(|layer| [(layer, 0), (layer, 1)])
}

/// All positions that play can reach from `root`: every set of a [`Walk`], in the order of play.
///
/// Memory: at most one bit for each of [`arrangements_from`], and the sets of the walk for groups in which play can continue forever.
///
/// # Errors
/// If there is not enough memory.
pub fn reachable(game: &Game, root: Position, sides: Sides) -> Result<Vec<Reached>, TooLarge> {
    let mut walk = Walk::new(game, root, sides, &[])?;
    let mut all = Vec::new();
    while !walk.is_over() {
        walk.follow(|| Ok::<(), TooLarge>(()))?;
        all.extend(walk.leave());
    }
    Ok(all)
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
        times * Arrangements::of_layer(game, index, fixed(game, root, index, root_moves)).count()
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
    match (!game.has_children_in_one_row() || game.graph().is_cyclic(layer), root_moves) {
        (true, _) => Position { mover: 0, waiter: 0 },
        (false, true) => root,
        (false, false) => Position { mover: root.waiter, waiter: root.mover },
    }
}
