//! Minimax with alpha-beta pruning. Chooses the same moves as minimax, but visits fewer positions.

use super::player::{Choice, Player, PlayerError, PlayerKind, Turn};
use super::search::{Pruning, Search, depth};

pub const KIND: PlayerKind = PlayerKind {
    name: "alphabeta",
    usage: "alphabeta:DEPTH",
    about: "as minimax, leaving out what cannot change the answer",
    examples: &["alphabeta:4", "alphabeta:6"],
    make: |parameters| Ok(Box::new(AlphaBeta { depth: depth("alphabeta", parameters)? })),
};

struct AlphaBeta {
    depth: u8,
}

impl Player for AlphaBeta {
    fn name(&self) -> String {
        format!("alphabeta:{}", self.depth)
    }

    fn consider(&self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        Search::new(turn.game, Pruning::AlphaBeta, turn.limit).best(turn.position, self.depth)
    }
}
