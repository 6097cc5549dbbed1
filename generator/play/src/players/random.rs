//! Chooses any legal move.

use super::player::{Choice, Player, PlayerError, PlayerKind, Turn, plain};

pub const KIND: PlayerKind = PlayerKind {
    name: "random",
    usage: "random",
    about: "any legal move",
    examples: &["random"],
    make: |parameters| plain(parameters, Random),
};

struct Random;

impl Player for Random {
    fn name(&self) -> String {
        "random".into()
    }

    fn consider(&self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        Choice::of(turn.moves())
    }
}
