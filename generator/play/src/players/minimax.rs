//! Minimax and alpha-beta: the moves whose worth is greatest, some half-moves ahead.

use super::player::{Choice, Player, PlayerError, PlayerKind, Turn};
use super::search::{Pruning, Search, depth};

pub const MINIMAX: PlayerKind = PlayerKind {
    name: "minimax",
    usage: "minimax:DEPTH",
    about: "looks DEPTH half-moves ahead, then counts the lines still possible for each side",
    examples: &["minimax:2", "minimax:4"],
    make: |parameters| Minimax::make("minimax", Pruning::None, parameters),
};

pub const ALPHA_BETA: PlayerKind = PlayerKind {
    name: "alphabeta",
    usage: "alphabeta:DEPTH",
    about: "as minimax, leaving out what cannot change the answer",
    examples: &["alphabeta:4", "alphabeta:6"],
    make: |parameters| Minimax::make("alphabeta", Pruning::AlphaBeta, parameters),
};

struct Minimax {
    name: &'static str,
    pruning: Pruning,
    depth: u8,
}

impl Minimax {
    fn make(
        name: &'static str,
        pruning: Pruning,
        parameters: Option<&str>,
    ) -> Result<Box<dyn Player>, String> {
        Ok(Box::new(Minimax { name, pruning, depth: depth(name, parameters)? }))
    }
}

impl Player for Minimax {
    fn name(&self) -> String {
        format!("{}:{}", self.name, self.depth)
    }

    fn consider(&self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        Search::new(turn.game, self.pruning, turn.limit).best(turn.position, self.depth)
    }
}
