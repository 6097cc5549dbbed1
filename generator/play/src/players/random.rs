//! Chooses any legal move.

use super::player::{Choice, PlayerError, PlayerKind, Question};

pub const KIND: PlayerKind = PlayerKind::fixed("random", "any legal move", consider);

fn consider(question: &Question<'_>) -> Result<Choice, PlayerError> {
    Choice::of(question.moves())
}
