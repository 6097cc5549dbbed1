//! Chooses any legal move.

use super::player::{Choice, PlayerError, PlayerKind, Question, fixed};

pub const KIND: PlayerKind = PlayerKind {
    name: "random",
    usage: "random",
    about: "any legal move",
    examples: &["random"],
    make: |parameters| fixed("random", parameters, consider),
};

fn consider(question: &Question<'_>) -> Result<Choice, PlayerError> {
    Choice::of(question.moves())
}
