//! The legal moves of a position, one after the other.
//!
//! Iterates over the legal moves of a position. From the empty 3×3 board they are the nine placements a1,
//! b1, c1, a2 … c3, in the order of the cells.

use crate::game::Game;
use crate::rank::cells;
use crate::{Move, raw};

impl Game {
    /// The moves of the side to move: placements by their cell, moves of pieces by origin, then target, the pass last. Lines
    /// are ignored: call it only if nobody has made one. Nothing is allocated.
    #[inline]
    pub fn legal_moves(
        &self,
        position: impl Into<raw::Position>,
    ) -> impl Iterator<Item = Move> + Clone {
        let position = position.into();
        let counts = position.counts();
        let empty = self.board() & !(position.mover | position.waiter);
        let mut moves =
            LegalMoves { game: self, empty, lifts: 0, from: None, targets: 0, pass: false };
        if self.is_movement(counts) {
            moves.lifts = position.mover;
            moves.pass = self.may_pass(position);
        } else if self.rules().pieces.is_none_or(|each| counts.mover < each) {
            moves.targets = self.placements(position);
        }
        moves
    }
}

#[derive(Clone)]
struct LegalMoves<'g> {
    game: &'g Game,
    empty: u64,
    lifts: u64,
    from: Option<u8>,
    targets: u64,
    pass: bool,
}

impl Iterator for LegalMoves<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        while self.targets == 0 {
            let Some(from) = cells(self.lifts).next() else {
                return core::mem::take(&mut self.pass).then_some(Move::Pass);
            };
            self.lifts &= self.lifts - 1;
            self.from = Some(from);
            self.targets = self.game.neighbours(from) & self.empty;
        }
        let to = self.targets.trailing_zeros() as u8;
        self.targets &= self.targets - 1;
        Some(match self.from {
            Some(from) => Move::Shift { from, to },
            None => Move::Place { to },
        })
    }
}
