//! The moves of a position: how many stay in its group, and the best child outside.

use crate::solve::entry::{Codes, Entry, Shared};
use crate::solve::groups::places::Places;
use morpion_lookup::raw::rank::cells;
use morpion_lookup::raw::{CELLS, Oldest, Position, Step};
use morpion_lookup::{Counts, Game, MAX_CELLS, Move};

/// The moves of the positions of one layer. Fast if positions of one waiter's word follow each other, because their children lie in the
/// same rows.
pub struct Moves<'r, E: Entry> {
    places: &'r Places<'r>,
    /// The solved layers to which moves lead.
    solved: &'r [Option<Codes<E>>],
    layer: usize,
    is_cyclic: bool,
    takes: bool,
    /// The word of the last waiter, and its pieces that may be taken.
    takeable: (u64, u64),
    /// Rows of the last children: first after moves that take nothing, then by the cell of the piece that is taken, or of the higher one.
    folds: [Fold<'r, E>; MAX_CELLS as usize + 1],
}

/// The row of a layer in which a child was found.
struct Fold<'r, E: Entry> {
    pieces: Option<[Counts; 2]>,
    /// The layer with these pieces; `None` if the game is over there.
    layer: Option<(usize, &'r Codes<E>)>,
    mover: Option<u64>,
    row: usize,
    symmetry: usize,
    image: u64,
}

impl<'r, E: Entry> Moves<'r, E> {
    /// The moves of layer number `layer`. `solved` has the layers after its group to which they lead.
    pub fn new(places: &'r Places<'r>, solved: &'r [Option<Codes<E>>], layer: usize) -> Self {
        let graph = places.game().graph();
        let none =
            |_| Fold { pieces: None, layer: None, mover: None, row: 0, symmetry: 0, image: 0 };
        Moves {
            places,
            solved,
            layer,
            is_cyclic: places.game().is_cyclic(layer),
            takes: graph.takes.is_some(),
            takeable: (0, 0),
            folds: std::array::from_fn(none),
        }
    }

    /// Number of moves that stay in the group, and the preference of the best child outside.
    pub fn children(&mut self, position: Position) -> (u16, E) {
        let game = self.places.game();
        let (mut inside, mut best) = (0, E::default());
        let has_effect = self.takes || game.has_ages();
        let completing = if has_effect { completing(game, position.mover & CELLS) } else { 0 };
        for step in game.graph().steps(self.layer) {
            let targets = step.targets(position);
            if targets == 0 {
                continue;
            }
            let made = self.made(step, position, targets & completing);
            for to in cells(made) {
                let after = after(game, step, position, to);
                let is_two = self.takes && game.takes(position, step.from, to).1;
                best = best.max(self.best_after_line(after, is_two));
            }
            let others = targets & !made;
            let stays = self.is_cyclic && (step.from.is_some() || step.oldest.is_some());
            if stays {
                inside += others.count_ones() as u16;
                continue;
            }
            for to in cells(others) {
                best = best.max(self.outside(after(game, step, position, to), None));
            }
        }
        match game.may_pass(self.layer, position) {
            true if self.is_cyclic => inside += 1,
            true => best = best.max(self.outside(game.apply(position, Move::Pass), None)),
            false => {}
        }
        (inside, best)
    }

    /// The targets among `completing` on which a step makes a line that takes, or that ends the game while the oldest piece is still
    /// there.
    fn made(&mut self, step: &Step, Position { mover, waiter }: Position, completing: u64) -> u64 {
        let (game, ends) = (self.places.game(), step.oldest == Some(Oldest::AfterLines));
        if completing == 0 || !self.takes && !ends {
            return 0;
        }
        if self.takes {
            if self.takeable.0 != waiter {
                self.takeable = (waiter, game.takeable(waiter & CELLS));
            }
            if self.takeable.1 == 0 {
                return 0;
            }
        }
        let left = mover & CELLS & !step.from.map_or(0, |from| 1 << from);
        let is_made = |to: u8| match self.takes {
            true => game.in_lines(left | 1 << to) >> to & 1 == 1,
            false => game.has_line(left | 1 << to),
        };
        cells(completing).filter(|&to| is_made(to)).fold(0, |made, to| made | 1 << to)
    }

    /// The preference of the best child after a line: the game is over, or one or two pieces of the side to move then are taken.
    fn best_after_line(&mut self, after: Position, is_two: bool) -> E {
        if !self.takes {
            return self.outside(after, None);
        }
        let mut best = E::default();
        for take in cells(self.takeable.1) {
            let left = after.mover & !(1 << take);
            let others = cells(self.takeable.1).take_while(|&other| is_two && other < take);
            let pairs = others.map(|other| left & !(1 << other));
            for mover in pairs.chain((!is_two).then_some(left)) {
                best = best.max(self.outside(Position { mover, ..after }, Some(take)));
            }
        }
        best
    }

    /// The preference of a position outside the group, after a move that took the piece of a cell, perhaps with another one, or nothing.
    fn outside(&mut self, after: Position, take: Option<u8>) -> E {
        let (places, solved) = (self.places, self.solved);
        let fold = &mut self.folds[take.map_or(0, |take| usize::from(take) + 1)];
        let (game, pieces) = (places.game(), [after.counts(), after.hands()]);
        if fold.pieces != Some(pieces) {
            let layer = game.layer_of(after).filter(|&layer| !game.graph().layers[layer].ended);
            let codes =
                |layer: usize| solved[layer].as_ref().expect("layers after a group are kept");
            fold.layer = layer.map(|layer| (layer, codes(layer)));
            (fold.pieces, fold.mover) = (Some(pieces), None);
        }
        let Some((layer, codes)) = fold.layer else {
            return final_code::<E>(game, after).preference();
        };
        let layer = places.layer(layer);
        if fold.mover != Some(after.mover) {
            (fold.row, fold.symmetry, fold.image) = places.folded(layer, after.mover);
            fold.mover = Some(after.mover);
        }
        let waiter = places.image(fold.symmetry, after.waiter);
        codes[layer.key_in(fold.row, Position { mover: fold.image, waiter })].get().preference()
    }
}

/// The cells that complete a line of this set, each alone.
fn completing(game: &Game, set: u64) -> u64 {
    let missing = game.lines().iter().map(|&line| line & !set);
    missing.filter(|cells| cells.is_power_of_two()).fold(0, |all, cell| all | cell)
}

/// The code of a position that is over.
pub fn final_code<E: Entry>(game: &Game, position: Position) -> E {
    let score = game.over(position).map(|over| game.final_score(over));
    score.and_then(E::of).unwrap_or(E::none())
}

/// The position after a step that takes nothing.
fn after(game: &Game, step: &Step, position: Position, to: u8) -> Position {
    match step.from {
        Some(from) => game.apply(position, Move::Shift { from, to }),
        None => game.apply(position, Move::Place { to }),
    }
}
