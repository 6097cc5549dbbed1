//! The rules of one layer, as operators need them.

use morpion_lookup::raw::rank::compress;
use morpion_lookup::raw::{Form, Step};
use morpion_lookup::{Counts, Game};

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
        self.game.is_cyclic(self.index)
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
