//! The outcome in every answer, and the error for a text that is not a board, a position or a row.

use serde::Serialize;
use std::fmt;
use thiserror::Error;

/// A text is not a board, a position or a row: the reason in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TextError(pub(crate) String);

/// Outcome for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The side to move can force a win.
    Win,
    /// The other side can force a win.
    Loss,
}

impl From<bool> for Outcome {
    /// Returns a win for `true`.
    fn from(win: bool) -> Outcome {
        if win { Outcome::Win } else { Outcome::Loss }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if *self == Outcome::Win { "win" } else { "loss" })
    }
}
