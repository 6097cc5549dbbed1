//! The answers: moves with their worth, and perfect ones.

use crate::error::ProbeError;
use crate::game::{Counts, Move, Over, Position};
use crate::score::{DrawKind, Score};
use crate::table::Table;
use core::ops::Deref;

/// The most moves a position can have: 9 pieces with 18 free cells of 36, and the pass.
pub const MAX_MOVES: usize = 163;

/// A move and what it is worth to the side that makes it, counted from the position before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Its worth.
    pub score: Score,
}

/// The moves of a position, the best first; equal ones in the order of [`crate::Game::moves`]. A slice of
/// [`RankedMove`] that lives on the stack.
#[derive(Clone, Debug)]
pub struct RankedMoves {
    moves: [RankedMove; MAX_MOVES],
    length: usize,
}

impl RankedMoves {
    /// Every perfect move: of the best value, then with the shortest win or the longest loss; all drawing moves where the
    /// value is a draw.
    pub fn best(&self) -> &[RankedMove] {
        let preference = self.first().map(|best| best.score.preference());
        let end = self.iter().position(|ranked| Some(ranked.score.preference()) != preference);
        &self[..end.unwrap_or(self.length)]
    }
}

impl Deref for RankedMoves {
    type Target = [RankedMove];

    fn deref(&self) -> &[RankedMove] {
        &self.moves[..self.length]
    }
}

impl Table<'_> {
    /// All moves of a position with their worth, the best first; none where the game is over.
    ///
    /// All positions after a move lie in one row, so this costs one canonicalisation and one read a move. Nothing is
    /// allocated.
    ///
    /// # Errors
    /// As [`Table::probe`].
    pub fn moves(&self, position: Position) -> Result<RankedMoves, ProbeError> {
        let blank = RankedMove { mv: Move::Pass, score: Score::Draw { kind: DrawKind::Cycle } };
        let mut ranked = RankedMoves { moves: [blank; MAX_MOVES], length: 0 };
        self.each_move(position, |mv| {
            if let Some(slot) = ranked.moves.get_mut(ranked.length) {
                *slot = mv;
                ranked.length += 1;
            }
        })?;
        let moves = &mut ranked.moves[..ranked.length];
        // Insertion sort: stable, without allocation, and the lists are short.
        for end in 1..moves.len() {
            let mut at = end;
            while at > 0 && moves[at - 1].score.preference() < moves[at].score.preference() {
                moves.swap(at - 1, at);
                at -= 1;
            }
        }
        Ok(ranked)
    }

    /// A perfect move: the first of those in [`RankedMoves::best`]; `None` where the game is over.
    ///
    /// # Errors
    /// As [`Table::probe`].
    pub fn best(&self, position: Position) -> Result<Option<RankedMove>, ProbeError> {
        let mut best: Option<RankedMove> = None;
        self.each_move(position, |ranked| {
            if best.is_none_or(|best| ranked.score.preference() > best.score.preference()) {
                best = Some(ranked);
            }
        })?;
        Ok(best)
    }

    /// Whether the game is over in a position, and why.
    ///
    /// # Errors
    /// [`ProbeError::Position`] where the game has no such position.
    pub fn over(&self, position: Position) -> Result<Option<Over>, ProbeError> {
        self.game().check(position)?;
        Ok(self.game().over(position))
    }

    /// Calls `visit` with every move, in the order of [`crate::Game::moves`].
    fn each_move(
        &self,
        position: Position,
        mut visit: impl FnMut(RankedMove),
    ) -> Result<(), ProbeError> {
        let game = self.game();
        let counts = game.check(position)?;
        if game.has_line(position.waiter) {
            return Ok(());
        }
        let placed = u8::from(!game.is_movement(counts));
        let child = Counts { mover: counts.waiter, waiter: counts.mover + placed };
        let mut moves = game.moves(position).peekable();
        if moves.peek().is_none() {
            return Ok(());
        }
        let index = game.layer_index(child).ok_or(ProbeError::Damaged("a layer is missing"))?;
        let row = self.row(position.waiter)?;
        for mv in moves {
            let score = self.score(index, &row, position.after(mv).waiter)?.before();
            visit(RankedMove { mv, score });
        }
        Ok(())
    }
}
