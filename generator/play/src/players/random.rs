//! Chooses any legal move.

use super::player::{Choice, PlayerError, PlayerKind, Turn, plain};

pub const KIND: PlayerKind = PlayerKind {
    name: "random",
    usage: "random",
    about: "any legal move",
    examples: &["random"],
    make: |parameters| plain("random", parameters, consider),
};

fn consider(turn: &Turn<'_>) -> Result<Choice, PlayerError> {
    Choice::of(turn.moves())
}
