//! The outcome in every answer, and the error for a text that is not a board, a position or a row.

use morpion_core::Value;
use thiserror::Error;

/// A text is not a board, a position or a row: the reason in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TextError(pub(crate) String);

/// Returns `win` if the side to move can force a win, and `loss` otherwise.
#[must_use]
pub fn outcome(wins: bool) -> &'static str {
    if wins { Value::Win.name() } else { Value::Loss.name() }
}
