//! The legal moves of a position, one after the other.
//!
//! Iterates over the steps of the position's layer, and over the targets of each step. From the empty 3×3 board they are the nine
//! placements a1, b1, c1, a2 … c3, in the order of the cells.

use crate::error::{TextError, TextFault};
use crate::raw::Position;
use crate::raw::rank::cells;
use crate::{Game, Move};

impl Game {
    /// The position after a legal move. [`Game::after`] does not check the move.
    ///
    /// # Errors
    /// If the move is not legal in this position, or the game is over.
    pub fn play(&self, position: crate::Position, mv: Move) -> Result<crate::Position, TextError> {
        if self.over(position).is_none() && self.legal_moves(position).any(|legal| legal == mv) {
            return Ok(self.after(position, mv));
        }
        Err(TextFault::Illegal { found: self.format_move(mv) }.into())
    }

    /// The positions from which a move leads to `position`, each as its side to move saw it. Lines are ignored, and so are passes of
    /// blocked sides.
    pub fn undo(&self, position: impl Into<Position>) -> impl Iterator<Item = Position> {
        let Position { mover, waiter } = position.into();
        let after = self.layer_of(Position { mover, waiter });
        let layers = self.graph().layers.iter().enumerate();
        let layers = layers
            .filter(move |(_, layer)| after.is_some() && layer.next.map(usize::from) == after);
        let steps = layers.flat_map(|(index, _)| self.graph().steps(index));
        steps.flat_map(move |step| {
            let lifted = step.from.map_or(0, |from| 1 << from) & !(mover | waiter);
            let dropped = if step.is_pass() { 1 } else { step.to & waiter };
            cells(dropped).filter_map(move |to| {
                let to = if step.is_pass() { 0 } else { 1 << to };
                let before = Position { mover: waiter & !to | lifted, waiter: mover };
                (step.is_pass() || step.targets(before) & to != 0).then_some(before)
            })
        })
    }
}
