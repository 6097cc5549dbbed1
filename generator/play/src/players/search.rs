//! Game tree search, shared by the minimax players.
//!
//! Worths are for the side to move. A position at the end of the search is worth the lines still possible for the mover
//! less those still possible for the other (in misère the other way round); a game that is decided is worth
//! [`DECIDED`] less the half-moves until then, which is more than any such difference, so that the sooner win and the later
//! loss are preferred. A drawn end is worth 0.

use super::lines::{possible, sign};
use super::player::{Choice, PlayerError, Turn};
use morpion_lookup::raw::Position;
use morpion_lookup::{Game, Value};

/// The worth of having won: more than all lines.
pub const DECIDED: i32 = 1_000_000;

/// The greatest depth of a search.
const DEEPEST: u8 = 36;

/// Treatment of moves that can no longer matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Visits everything: minimax.
    None,
    /// Leaves out what cannot change the answer: alpha-beta.
    AlphaBeta,
}

/// A search of one game, counting the positions it visits.
#[derive(Debug)]
pub struct Search<'a> {
    game: &'a Game,
    pruning: Pruning,
    limit: u64,
    nodes: u64,
}

impl<'a> Search<'a> {
    /// A search that visits at most `limit` positions (`None`: any number), moves in the order of [`Game::legal_moves`].
    pub fn new(game: &'a Game, pruning: Pruning, limit: Option<u64>) -> Search<'a> {
        Search { game, pruning, limit: limit.unwrap_or(u64::MAX), nodes: 0 }
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The worth of a position, `depth` half-moves ahead.
    ///
    /// # Errors
    /// [`PlayerError::TooLong`] beyond the limit.
    pub fn worth(&mut self, position: Position, depth: u8) -> Result<i32, PlayerError> {
        self.visit(position, depth, 0, -i32::MAX, i32::MAX)
    }

    /// The moves of greatest worth, and that worth.
    ///
    /// # Errors
    /// [`PlayerError::TooLong`] beyond the limit, [`PlayerError::Over`] where the game is over.
    pub fn best(mut self, position: Position, depth: u8) -> Result<Choice, PlayerError> {
        self.count()?;
        let turn = Turn { game: self.game, position, table: None, limit: None };
        let (mut best, mut moves) = (-i32::MAX, Vec::new());
        for mv in turn.moves() {
            // One below the best so far, so that equal moves are distinguished from worse ones.
            let alpha = (best - 1).max(-i32::MAX);
            let worth =
                -self.visit(position.after(mv), depth.saturating_sub(1), 1, -i32::MAX, -alpha)?;
            if worth > best {
                best = worth;
                moves.clear();
            }
            if worth == best {
                moves.push(mv);
            }
        }
        Ok(Choice { nodes: Some(self.nodes), worth: Some(best), ..Choice::of(moves)? })
    }

    fn visit(
        &mut self,
        position: Position,
        depth: u8,
        ply: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, PlayerError> {
        self.count()?;
        if let Some(over) = self.game.over(position) {
            return Ok(match self.game.final_score(over).value() {
                Value::Win => DECIDED - ply,
                Value::Draw => 0,
                Value::Loss => ply - DECIDED,
            });
        }
        if depth == 0 {
            return Ok(evaluate(self.game, position));
        }
        let mut best = -i32::MAX;
        for mv in self.game.legal_moves(position) {
            let worth = -self.visit(position.after(mv), depth - 1, ply + 1, -beta, -alpha)?;
            best = best.max(worth);
            if self.pruning == Pruning::AlphaBeta {
                alpha = alpha.max(worth);
                if alpha >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    fn count(&mut self) -> Result<(), PlayerError> {
        if self.nodes >= self.limit {
            return Err(PlayerError::TooLong { limit: self.limit });
        }
        self.nodes += 1;
        Ok(())
    }
}

/// The lines still possible for the mover less those still possible for the other; in misère the other way round.
fn evaluate(game: &Game, Position { mover, waiter }: Position) -> i32 {
    sign(game) * (possible(game, mover, waiter) - possible(game, waiter, mover))
}

/// Reads a depth.
pub(super) fn depth(name: &str, parameters: Option<&str>) -> Result<u8, String> {
    parameters
        .and_then(|text| text.parse().ok())
        .filter(|depth| (1..=DEEPEST).contains(depth))
        .ok_or_else(|| format!("{name}:DEPTH with a depth from 1 to {DEEPEST}"))
}
