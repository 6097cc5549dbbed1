//! Minimax and alpha-beta: search some half-moves ahead for the moves of greatest worth.

use super::player::{Make, Player, PlayerKind};
use super::search::{Pruning, Search, depth};

pub const MINIMAX: PlayerKind = PlayerKind {
    name: "minimax",
    usage: "minimax:DEPTH",
    about: "looks DEPTH half-moves ahead, then counts the lines still possible for each side",
    examples: &["minimax:2", "minimax:4"],
    make: Make::Parameters(|parameters| make("minimax", Pruning::None, parameters)),
};

pub const ALPHA_BETA: PlayerKind = PlayerKind {
    name: "alphabeta",
    usage: "alphabeta:DEPTH",
    about: "as minimax, leaving out what cannot change the answer",
    examples: &["alphabeta:4", "alphabeta:6"],
    make: Make::Parameters(|parameters| make("alphabeta", Pruning::AlphaBeta, parameters)),
};

fn make(name: &str, pruning: Pruning, parameters: Option<&str>) -> Result<Player, String> {
    let depth = depth(name, parameters)?;
    Ok(Player::new(&format!("{name}:{depth}"), move |question| {
        Search::new(question.game, pruning, question.limit).best(question.position, depth)
    }))
}
