//! Game tree search, shared by the minimax players.
//!
//! Worths are for the side to move. A position at the maximum depth is worth the lines still possible for the mover
//! minus the lines still possible for the other side (in misère the reverse).
//!
//! A decided game is worth [`DECIDED`] minus the half-moves until its end. That is more than any difference of lines,
//! so the search prefers sooner wins and later losses. A drawn end is worth 0.

use super::lines::{possible, sign};
use super::player::{Choice, Player, PlayerError, Question};
use morpion_core::{Game, Position, Value};

/// Worth of a win, more than any number of lines.
pub const DECIDED: i32 = 1_000_000;

/// The maximum depth of a search.
const DEEPEST: u8 = 36;

/// Treatment of moves that cannot change the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Visits all moves: minimax.
    None,
    /// Skips moves that cannot change the result: alpha-beta.
    AlphaBeta,
}

/// A search of one game, which counts the visited positions.
#[derive(Debug)]
pub struct Search<'a> {
    game: &'a Game,
    pruning: Pruning,
    limit: u64,
    nodes: u64,
    /// True if undecided positions at the maximum depth are worth 0.
    pub(super) only_decided: bool,
}

impl<'a> Search<'a> {
    /// A search that visits at most `limit` positions; `None` for no limit. Moves are tried in the order of the legal moves.
    pub fn new(game: &'a Game, pruning: Pruning, limit: Option<u64>) -> Search<'a> {
        Search { game, pruning, limit: limit.unwrap_or(u64::MAX), nodes: 0, only_decided: false }
    }

    /// The moves of greatest worth, with their worth.
    ///
    /// # Errors
    /// [`PlayerError::TooLong`] if the search exceeds its limit, [`PlayerError::Over`] if the game is over.
    pub fn best(mut self, position: Position, depth: u8) -> Result<Choice, PlayerError> {
        self.count()?;
        let question = Question { game: self.game, position, table: None, limit: None };
        let (mut best, mut moves) = (-i32::MAX, Vec::new());
        for mv in question.moves() {
            // The bound is one below the best worth so far, so that equally good moves are found too.
            let alpha = (best - 1).max(-i32::MAX);
            let worth = -self.visit(
                self.game.apply(position, mv),
                depth.saturating_sub(1),
                1,
                -i32::MAX,
                -alpha,
            )?;
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
        if let Some(over) = self.game.end_at(position) {
            return Ok(match self.game.final_score(over).value() {
                Value::Win => DECIDED - ply,
                Value::Draw => 0,
                Value::Loss => ply - DECIDED,
            });
        }
        if depth == 0 {
            return Ok(if self.only_decided { 0 } else { evaluate(self.game, position) });
        }
        let mut best = -i32::MAX;
        for mv in self.game.moves_at(position) {
            let worth =
                -self.visit(self.game.apply(position, mv), depth - 1, ply + 1, -beta, -alpha)?;
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
            return Err(PlayerError::TooLong(self.limit));
        }
        self.nodes += 1;
        Ok(())
    }
}

/// The lines still possible for the mover minus the lines still possible for the other side; in misère the reverse.
fn evaluate(game: &Game, Position { mover, waiter }: Position) -> i32 {
    sign(game) * (possible(game, mover, waiter) - possible(game, waiter, mover))
}

/// Makes a player that searches to the depth in its parameters, from 1 to [`DEEPEST`].
pub(super) fn make(
    name: &str,
    pruning: Pruning,
    parameters: Option<&str>,
) -> Result<Player, String> {
    let depth = parameters
        .and_then(|text| text.parse().ok())
        .filter(|depth| (1..=DEEPEST).contains(depth))
        .ok_or_else(|| format!("{name}:DEPTH with a depth from 1 to {DEEPEST}"))?;
    Ok(Player::new(&format!("{name}:{depth}"), move |question| {
        Search::new(question.game, pruning, question.limit).best(question.position, depth)
    }))
}
