//! The legal moves of a position, one after the other.
//!
//! Iterates over the steps of the position's layer, and over the targets of each step. From the empty 3×3 board they are the nine
//! placements a1, b1, c1, a2 … c3, in the order of the cells.

use crate::error::{TextError, TextFault};
use crate::raw::Position;
use crate::raw::Step;
use crate::raw::rank::cells;
use crate::{Game, Move};

impl Game {
    /// The moves of the side to move: placements by their cell, moves of pieces by origin, then target, the pass last. Lines
    /// are ignored: call it only if nobody has made one. Nothing is allocated.
    #[inline]
    pub fn legal_moves(&self, position: impl Into<Position>) -> impl Iterator<Item = Move> + Clone {
        let position = position.into();
        let layer = self.layer_of(position).unwrap_or(usize::MAX);
        let steps = self.graph().steps(layer).iter();
        let pass = self.may_pass(layer, position);
        LegalMoves { position, steps, from: None, targets: 0, pass }
    }

    /// The position after a legal move. [`Position::after`](crate::Position::after) does not check the move.
    ///
    /// # Errors
    /// If the move is not legal in this position, or the game is over.
    pub fn play(&self, position: crate::Position, mv: Move) -> Result<crate::Position, TextError> {
        if self.over(position).is_none() && self.legal_moves(position).any(|legal| legal == mv) {
            return Ok(position.after(mv));
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

#[derive(Clone)]
struct LegalMoves<'g> {
    position: Position,
    steps: core::slice::Iter<'g, Step>,
    /// Of the present step.
    from: Option<u8>,
    targets: u64,
    pass: bool,
}

impl Iterator for LegalMoves<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        while self.targets == 0 {
            let Some(step) = self.steps.next() else {
                return core::mem::take(&mut self.pass).then_some(Move::Pass);
            };
            (self.from, self.targets) = (step.from, step.targets(self.position));
        }
        let to = self.targets.trailing_zeros() as u8;
        self.targets &= self.targets - 1;
        Some(match self.from {
            Some(from) => Move::Shift { from, to },
            None => Move::Place { to },
        })
    }
}
