//! Operators: steps from children to parents inside the waiter's rows.
//!
//! Fix the waiter's set B. Its row in the child layer contains every position after a move of the mover. For every set
//! A of the mover, an operator determines the best child (placement), or whether one child is lost or all are won
//! (movement). The `sliced` operator works on all rows of a block or a strip at once.
//!
//! Example on 3×3 with one piece each and B = {4}: the row of B in the placement layer (1, 1) comes from its row in
//! layer (2, 1), in which the mover of (1, 1) has two pieces. For A = {0} the children are {0, 1}, {0, 2}, …, {0, 8}
//! but not {0, 4}. The operator takes the best of these seven entries of one row.

pub(crate) mod general;
pub(crate) mod place;
pub(crate) mod sliced;
pub(crate) mod supersets;

use general::General;
use morpion_lookup::raw::rank::compress;
use morpion_lookup::{Counts, Form, Game, Step};
use supersets::Supersets;

/// The operator of a placement layer.
pub(crate) enum Placing {
    /// Each piece may be placed on any empty cell of a set.
    Pieces(Supersets),
    /// Any steps.
    General(General),
}

impl Placing {
    /// The fastest operator for the steps of the layer.
    pub fn new(rules: &LayerRules) -> Placing {
        match rules.form() {
            Form::Place(_) => {
                Placing::Pieces(Supersets::new(rules.cells_left(), rules.counts.mover.into()))
            }
            Form::Free | Form::Linked(_) | Form::General => Placing::General(General::new(rules)),
        }
    }
}

/// The rules of a layer, as seen from the waiter's rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerRules<'g> {
    /// The rules.
    pub game: &'g Game,
    /// The layer of the parents.
    pub counts: Counts,
    /// Index of the layer.
    index: usize,
}

impl<'g> LayerRules<'g> {
    /// The rules of the layer `counts`, which the game has.
    pub fn new(game: &'g Game, counts: Counts) -> LayerRules<'g> {
        LayerRules { game, counts, index: game.layer_index(counts).unwrap_or_default() }
    }

    /// Number of cells that the waiter leaves. In the waiter's rows, these cells are numbered from 0.
    pub fn cells_left(&self) -> u32 {
        u32::from(self.game.cells()) - u32::from(self.counts.waiter)
    }

    /// The kinds of moves.
    pub fn steps(&self) -> &'g [Step] {
        self.game.graph().steps(self.index)
    }

    /// The form of the steps.
    pub fn form(&self) -> &'g Form {
        self.game.form(self.index)
    }

    /// Returns true if the children are in the same layer.
    pub fn is_cyclic(&self) -> bool {
        self.game.graph().is_cyclic(self.index)
    }

    /// The targets of each cell that `waiter` leaves. Both are numbered among these cells. For steps of any form but `General`.
    pub fn links(&self, waiter: u64) -> Vec<u64> {
        let left = self.game.board() & !waiter;
        let mut links = vec![0; left.count_ones() as usize];
        for step in self.steps() {
            if let Some(from) = step.from.filter(|&from| left >> from & 1 == 1) {
                links[(left & ((1 << from) - 1)).count_ones() as usize] |= compress(step.to, left);
            }
        }
        links
    }

    /// Returns true if a blocked side passes.
    pub fn blocked_pass(&self) -> bool {
        self.is_cyclic() && self.game.graph().passes_if_blocked()
    }

    /// Returns true if a lifted piece may be put back on its cell.
    pub fn stay(&self) -> bool {
        self.steps().iter().any(Step::is_pass)
    }
}
