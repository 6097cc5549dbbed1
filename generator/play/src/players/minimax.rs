//! Minimax to a fixed depth.

use super::player::{Choice, Player, PlayerError, PlayerKind, Turn};
use super::search::{Pruning, Search, depth};

pub const KIND: PlayerKind = PlayerKind {
    name: "minimax",
    usage: "minimax:DEPTH",
    about: "looks DEPTH half-moves ahead, then counts the lines still possible for each side",
    examples: &["minimax:2", "minimax:4"],
    make: |parameters| Ok(Box::new(Minimax { depth: depth("minimax", parameters)? })),
};

struct Minimax {
    depth: u8,
}

impl Player for Minimax {
    fn name(&self) -> String {
        format!("minimax:{}", self.depth)
    }

    fn consider(&self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        Search::new(turn.game, Pruning::None, turn.limit).best(turn.position, self.depth)
    }
}
