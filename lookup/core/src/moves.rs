//! The moves of a position and the positions after them, and the end of a game.
//!
//! Interprets the steps of the position's layer. From the empty 3×3 board they are the nine placements a1, b1, c1, a2 … c3, in the order
//! of the cells.

use crate::error::PositionError;
use crate::game::Game;
use crate::layers::{Over, Stuck, Takes};
use crate::order::Sequence;
use crate::position::{CELLS, Move, Position, SHIFT};
use crate::score::{DrawKind, Score, Value};
use crate::steps::{Effect, Moves, Oldest, Step, Travel};

impl Game {
    /// Returns the reason if the game is over; `None` if the side to move has a move.
    ///
    /// # Errors
    /// If the game does not have the position.
    pub fn over(&self, position: impl Into<Position>) -> Result<Option<Over>, PositionError> {
        let position = position.into();
        self.check(position)?;
        Ok(self.end_at(position))
    }

    /// The moves of the side to move: placements by their cell, moves of pieces by origin, then target, then the piece taken, the pass
    /// last. There are no moves if the game is over or does not have the position. Nothing is allocated.
    pub fn legal_moves(&self, position: impl Into<Position>) -> impl Iterator<Item = Move> {
        let position = position.into();
        let continues = self.check(position).is_ok() && self.end_at(position).is_none();
        continues.then(|| self.moves_at(position)).into_iter().flatten()
    }

    /// Returns [`Game::legal_moves`] without a check. The game must have the position, and nobody may have made a line.
    #[doc(hidden)]
    #[inline]
    pub fn moves_at(&self, position: impl Into<Position>) -> impl Iterator<Item = Move> + Clone {
        let position = position.into();
        let layer = self.layer_of(position).unwrap_or(usize::MAX);
        let moves = self.moves(layer);
        LegalMoves {
            game: self,
            position,
            moves,
            origins: moves.origins(position),
            from: None,
            targets: moves.places(position),
            to: 0,
            takes: 0,
            also: 0,
            pass: self.may_pass(layer, position),
        }
    }

    /// The position after `mv`, seen by the other side. The move should be legal in this position: after an illegal move the result may be
    /// invalid, and cells from 64 on are dropped.
    #[inline]
    #[must_use]
    pub fn apply(&self, position: impl Into<Position>, mv: Move) -> Position {
        let bit = |cell: u8| 1u64.checked_shl(cell.into()).unwrap_or(0);
        let position = position.into();
        let Position { mover, waiter } = position;
        let moved = |from: u8, to: u8| mover & !bit(from) | bit(to);
        let after = match mv {
            Move::Place { to } if self.has_children_in_one_row() => {
                Position { mover: mover | bit(to), waiter }
            }
            Move::Place { to } => Position { mover: self.placed(position, to), waiter },
            Move::Shift { from, to } => Position { mover: moved(from, to), waiter },
            Move::Take { from, to, take, also } => Position {
                mover: from.map_or_else(|| self.placed(position, to), |from| moved(from, to)),
                waiter: waiter & !bit(take) & !also.map_or(0, bit),
            },
            Move::Push { from, to } => self.pushed(position, from, to).unwrap_or(position),
            Move::Pass => position,
        };
        Position { mover: after.waiter, waiter: after.mover }
    }

    /// The mover's word after a placement in a game with pieces in hand, or with pieces that age.
    fn placed(&self, position: Position, to: u8) -> u64 {
        if !self.has_ages() {
            return (position.mover - (position.mover & !CELLS).min(1 << SHIFT))
                | 1u64.checked_shl(to.into()).unwrap_or(0);
        }
        let layer = self.layer_of(position).unwrap_or(usize::MAX);
        let oldest = self.moves(layer).oldest;
        let mut sequence = Sequence::of(position.mover);
        sequence.push(to);
        let has_line = || self.has_line(position.mover & CELLS | 1 << (to & 63));
        if oldest.is_some_and(|oldest| oldest != Oldest::AfterLines || !has_line()) {
            sequence.remove_oldest();
        }
        sequence.word()
    }

    /// The words of both sides after a push by the mover; `None` if there is no such push.
    fn pushed(&self, position: Position, from: u8, to: u8) -> Option<Position> {
        let is_push = |step: &&Step| step.from == Some(from) && step.to >> (to & 63) & 1 == 1;
        let step = self.graph().steps(self.layer_of(position)?).iter().find(is_push)?;
        match step.effect {
            Effect::Push { path } => Some(step.pushed(path, position)),
            Effect::Move | Effect::Replace { .. } | Effect::Pass => None,
        }
    }

    /// The pieces of the waiter that the mover may take after a move to `to`, and true if the move takes two pieces. `from` is the cell
    /// that the moved piece left; `None` for a new piece.
    #[inline]
    pub fn takes(&self, position: Position, from: Option<u8>, to: u8) -> (u64, bool) {
        let Position { mover, waiter } = position.cells();
        let own = mover & !from.map_or(0, |from| 1 << (from & 63)) | 1 << (to & 63);
        let takes = self.graph().takes.filter(|_| self.has_line(own));
        let Some(takes) = takes else { return (0, false) };
        let lines = self.made_lines(own).filter(|line| line >> (to & 63) & 1 == 1);
        let [all, any] = lines.fold([u64::MAX, 0], |[all, any], line| [all & line, any | line]);
        let pieces = if any != 0 { self.takeable(waiter) } else { 0 };
        // Two lines differ in some cell, so `all` and `any` are equal only if there is one line.
        (pieces, all != any && takes.most() > 1 && pieces.count_ones() > 1)
    }

    /// The pieces of a waiter with the cells `waiter` that a line of the mover may take.
    pub fn takeable(&self, waiter: u64) -> u64 {
        let outside = self.made_lines(waiter).fold(waiter, |outside, line| outside & !line);
        match self.graph().takes {
            None => 0,
            Some(Takes::Any | Takes::TwoAny) => waiter,
            Some(Takes::OutsideFirst | Takes::TwoOutsideFirst) if outside == 0 => waiter,
            Some(_) => outside,
        }
    }

    /// Returns [`Game::over`] without a check: if [`Game::check`] refuses the position, the answer is meaningless.
    #[doc(hidden)]
    #[inline]
    pub fn end_at(&self, position: impl Into<Position>) -> Option<Over> {
        let position = position.into();
        let blocked = || {
            let Position { mover, waiter } = position.cells();
            let is_full = self.graph().full.is_some() && mover | waiter == self.board();
            let is_blocked = self.moves_at(position).next().is_none();
            is_blocked.then_some(if is_full { Over::Full } else { self.graph().blocked_reason })
        };
        self.end_before_moves(position).or_else(blocked)
    }

    /// The reason if the game is over whether or not there are moves. The game must have the position.
    #[inline]
    pub(crate) fn end_before_moves(&self, position: Position) -> Option<Over> {
        let graph = self.graph();
        if graph.own_lines && self.has_line(position.mover) {
            Some(Over::OwnLine)
        } else if !graph.may_take() && self.has_line(position.waiter) {
            Some(Over::Line)
        } else {
            (!self.has_children_in_one_row() && self.has_ended(position)).then_some(Over::Few)
        }
    }

    /// Returns true if the layer of the position has ended.
    fn has_ended(&self, position: Position) -> bool {
        self.layer_at(position).is_some_and(|layer| layer.ended)
    }

    /// The score of a position that the game has and a table does not, because its layer has ended; otherwise `None`.
    #[cold]
    pub fn ended(&self, position: Position) -> Option<Score> {
        if self.has_children_in_one_row()
            || !self.has_ended(position)
            || self.check(position).is_err()
        {
            return None;
        }
        self.end_before_moves(position).map(|over| self.final_score(over))
    }

    /// Returns the score of a finished game for the side to move.
    pub fn final_score(&self, over: Over) -> Score {
        let graph = self.graph();
        let blocked = |stuck| match stuck {
            Stuck::Win => Value::Win,
            Stuck::Draw | Stuck::Pass => Value::Draw,
            Stuck::Loss => Value::Loss,
        };
        let value = match over {
            Over::Line => graph.line,
            Over::OwnLine => graph.line.reversed(),
            Over::Few => Value::Loss,
            Over::Full => blocked(graph.full.unwrap_or(graph.blocked)),
            Over::Stuck => blocked(graph.blocked),
        };
        match value {
            Value::Win => Score::Win { plies: Some(0) },
            Value::Draw => Score::Draw { kind: DrawKind::End },
            Value::Loss => Score::Loss { plies: Some(0) },
        }
    }
}

#[derive(Clone)]
struct LegalMoves<'g> {
    game: &'g Game,
    position: Position,
    moves: &'g Moves,
    /// The cells whose pieces are still to be lifted.
    origins: u64,
    /// The current origin and its remaining targets; then the pieces that may still be taken after the move to `to`. If a move takes two
    /// pieces, it takes the lowest of `takes` with one of `also`.
    from: Option<u8>,
    targets: u64,
    to: u8,
    takes: u64,
    also: u64,
    pass: bool,
}

impl Iterator for LegalMoves<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.takes == 0 {
            while self.targets == 0 {
                if self.origins == 0 {
                    return core::mem::take(&mut self.pass).then_some(Move::Pass);
                }
                let from = self.origins.trailing_zeros() as u8;
                self.origins &= self.origins - 1;
                (self.from, self.targets) = (Some(from), self.moves.targets(from, self.position));
            }
            self.to = self.targets.trailing_zeros() as u8;
            self.targets &= self.targets - 1;
            let (takes, is_two) = self.game.takes(self.position, self.from, self.to);
            (self.takes, self.also) = (takes, if is_two { takes & (takes - 1) } else { 0 });
        }
        let (from, to) = (self.from, self.to);
        if self.takes != 0 {
            let [take, also] = [self.takes, self.also].map(|set| set.trailing_zeros() as u8);
            let is_two = self.also != 0;
            self.also &= self.also.wrapping_sub(1);
            if self.also == 0 {
                self.takes &= self.takes - 1;
                if is_two {
                    self.also = self.takes & (self.takes - 1);
                    // No pair is left: the last piece has no piece above it.
                    self.takes = if self.also == 0 { 0 } else { self.takes };
                }
            }
            return Some(Move::Take { from, to, take, also: is_two.then_some(also) });
        }
        Some(match from {
            Some(from) if self.moves.travel == Travel::Pushes => Move::Push { from, to },
            Some(from) => Move::Shift { from, to },
            None => Move::Place { to },
        })
    }
}
