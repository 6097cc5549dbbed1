//! Operators: steps from children to parents inside the waiter's rows.
//!
//! Fix the waiter's set B. Its row in the child layer contains every position after a move of the mover. For every set
//! A of the mover, an operator determines the best child (placement), or whether one child is lost or all are won
//! (movement). The `sliced` operator works on all rows of a block or a strip at once.
//!
//! Example on 3×3 with one piece each and B = {4}: the row of B in the placement layer (1, 1) comes from its row in
//! layer (2, 1), in which the mover of (1, 1) has two pieces. For A = {0} the children are {0, 1}, {0, 2}, …, {0, 8}
//! but not {0, 4}. The operator takes the best of these seven entries of one row.

pub(crate) mod place;
pub(crate) mod sliced;
pub(crate) mod supersets;

use morpion_lookup::raw::rank::{cells, compress};
use morpion_lookup::{Counts, Game, Stuck};

/// The rules of a layer, as seen from the waiter's rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerRules<'g> {
    /// The rules.
    pub game: &'g Game,
    /// The layer of the parents.
    pub counts: Counts,
}

impl LayerRules<'_> {
    /// Number of cells that the waiter leaves. In the waiter's rows, these cells are numbered from 0.
    pub fn cells_left(&self) -> u32 {
        u32::from(self.game.cells()) - u32::from(self.counts.waiter)
    }

    /// The neighbours of each cell that `waiter` leaves. Both are numbered among these cells.
    pub fn links(&self, waiter: u64) -> Vec<u64> {
        let left = self.game.board() & !waiter;
        cells(left).map(|cell| compress(self.game.neighbours(cell), left)).collect()
    }

    /// Returns true if a blocked side passes.
    pub fn blocked_pass(&self) -> bool {
        let movement = self.game.rules().movement.as_ref();
        movement.is_some_and(|movement| movement.stuck == Stuck::Pass)
    }

    /// Returns true if a lifted piece may be put back on its cell.
    pub fn stay(&self) -> bool {
        self.game.rules().movement.as_ref().is_some_and(|movement| movement.stay)
    }
}
