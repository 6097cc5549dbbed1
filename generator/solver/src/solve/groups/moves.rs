//! The moves of the positions of a row: how many stay in the group, and the best child outside.

use crate::solve::entry::{Entry, Shared};
use crate::solve::groups::group::Codes;
use crate::solve::groups::places::Places;
use morpion_lookup::raw::rank::cells;
use morpion_lookup::raw::{CELLS, Position, Step};
use morpion_lookup::{Counts, Game, MAX_CELLS, Move, Oldest};

/// The moves of one word of the mover.
pub struct RowMoves<'r, E: Entry> {
    places: &'r Places<'r>,
    /// The solved layers to which moves lead.
    solved: &'r [Option<Codes<E>>],
    layer: usize,
    mover: u64,
    steps: Vec<RowStep<'r>>,
    /// Where children lie: first those after moves that take nothing, then by the cell of the piece that is taken.
    folds: [Fold<'r, E>; MAX_CELLS as usize + 1],
}

/// A step that the mover's word may allow.
struct RowStep<'r> {
    step: &'r Step,
    /// The targets on which a line is made that takes, or that ends the game while the oldest piece is still there.
    lines: u64,
    /// True if the step stays in the group, unless such a line is made.
    stays: bool,
}

/// The row of a layer in which the last child was found.
struct Fold<'r, E: Entry> {
    pieces: Option<[Counts; 2]>,
    /// The layer with these pieces; `None` if the game is over there.
    layer: Option<(usize, &'r Codes<E>)>,
    mover: Option<u64>,
    row: usize,
    symmetry: usize,
    image: u64,
}

impl<'r, E: Entry> RowMoves<'r, E> {
    /// The moves of a word of the mover in layer number `layer`. `solved` has the layers after its group to which they lead.
    pub fn new(
        places: &'r Places<'r>,
        solved: &'r [Option<Codes<E>>],
        layer: usize,
        mover: u64,
    ) -> RowMoves<'r, E> {
        let graph = places.game().graph();
        let is_cyclic = graph.is_cyclic(layer);
        let is_possible =
            |step: &&Step| step.path != 0 || step.from.is_none_or(|from| mover >> from & 1 == 1);
        let of_row = |step| RowStep {
            step,
            lines: lines(places.game(), step, mover),
            stays: is_cyclic
                && match step.from {
                    None => step.oldest.is_some(),
                    Some(from) => step.path == 0 || mover >> from & 1 == 1,
                },
        };
        let steps = graph.steps(layer).iter().filter(is_possible).map(of_row).collect();
        let none =
            |_| Fold { pieces: None, layer: None, mover: None, row: 0, symmetry: 0, image: 0 };
        RowMoves { places, solved, layer, mover, steps, folds: std::array::from_fn(none) }
    }

    /// Number of moves that stay in the group, and the code of the best child outside, if the waiter has this word.
    pub fn children(&mut self, waiter: u64) -> (u32, E) {
        let RowMoves { places, solved, steps, folds, .. } = self;
        let (game, position) = (places.game(), Position { mover: self.mover, waiter });
        let (mut inside, mut best) = (0, E::none());
        let mut leave = |after: Position, take: Option<u8>| {
            let fold = &mut folds[take.map_or(0, |take| usize::from(take) + 1)];
            let code = fold.code(places, solved, after);
            best = std::cmp::max_by_key(best, code, |code| code.preference());
        };
        let mut takeable = None;
        for &RowStep { step, lines, stays } in &*steps {
            let targets = step.targets(position);
            let (mut others, made) = (targets & !lines, targets & lines);
            if made != 0 {
                let takes = *takeable.get_or_insert_with(|| game.takeable(waiter & CELLS));
                if takes == 0 && game.graph().takes.is_some() {
                    others = targets;
                } else {
                    for to in cells(made) {
                        let after = after(game, step, position, to);
                        if takes == 0 {
                            leave(after, None);
                        }
                        for take in cells(takes) {
                            let mover = after.mover & !(1 << take);
                            leave(Position { mover, ..after }, Some(take));
                        }
                    }
                }
            }
            match stays {
                true => inside += others.count_ones(),
                false => cells(others).for_each(|to| leave(after(game, step, position, to), None)),
            }
        }
        match game.may_pass(self.layer, position) {
            true if game.graph().is_cyclic(self.layer) => inside += 1,
            true => leave(game.apply(position, Move::Pass), None),
            false => {}
        }
        (inside, best)
    }
}

/// The targets of a step on which a line takes, or ends the game while the oldest piece is still there.
fn lines(game: &Game, step: &Step, mover: u64) -> u64 {
    let is_line = |to: u8| match step.oldest {
        Some(Oldest::AfterLines) => game.has_line(mover & CELLS | 1 << to),
        _ => game.graph().takes.is_some() && game.makes_line(mover & CELLS, step.from, to),
    };
    cells(step.to).filter(|&to| is_line(to)).fold(0, |lines, to| lines | 1 << to)
}

impl<'r, E: Entry> Fold<'r, E> {
    /// The code of a position outside the group.
    fn code(&mut self, places: &Places<'r>, solved: &'r [Option<Codes<E>>], after: Position) -> E {
        let (game, pieces) = (places.game(), [after.counts(), after.hands()]);
        if self.pieces != Some(pieces) {
            let layer = game.layer_of(after).filter(|&layer| !game.graph().layers[layer].ended);
            let codes =
                |layer: usize| solved[layer].as_ref().expect("layers after a group are kept");
            self.layer = layer.map(|layer| (layer, codes(layer)));
            (self.pieces, self.mover) = (Some(pieces), None);
        }
        let Some((layer, codes)) = self.layer else { return final_code(game, after) };
        if self.mover != Some(after.mover) {
            (self.row, self.symmetry, self.image) = places.folded(layer, after.mover);
            self.mover = Some(after.mover);
        }
        let waiter = places.image(self.symmetry, after.waiter);
        codes[places.key_in(layer, self.row, Position { mover: self.image, waiter })].get()
    }
}

/// The code of a position that is over.
pub fn final_code<E: Entry>(game: &Game, position: Position) -> E {
    let score = game.over(position).map(|over| game.final_score(over));
    score.and_then(E::of).unwrap_or(E::none())
}

/// The position after a step that takes nothing.
fn after(game: &Game, step: &Step, position: Position, to: u8) -> Position {
    match step.from {
        Some(_) if step.path != 0 => {
            let [mover, waiter] = step.push(position);
            Position { mover: waiter, waiter: mover }
        }
        Some(from) => game.apply(position, Move::Shift { from, to }),
        None => game.apply(position, Move::Place { to }),
    }
}
