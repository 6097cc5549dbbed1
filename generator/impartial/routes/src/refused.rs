//! Reasons why a question has no answer.

use morpion_grundy::GrundyError;
use morpion_impartial::octal::answer::AnswerError;
use std::fmt::Display;

/// Reason why a question has no answer, with a message.
#[derive(Debug)]
pub enum Refused {
    /// The text of a position is malformed, or no position has this text.
    Position {
        /// The problem.
        message: String,
        /// `true` if the text is malformed.
        malformed: bool,
        /// The text.
        text: String,
    },
    /// The question is too large, or beyond the table.
    NotHere(String),
    /// The table is damaged.
    Damaged(String),
    /// A stop was requested.
    Stopped,
}

impl Refused {
    /// Refuses a number above `most`.
    pub(crate) fn beyond<N: PartialOrd + Display>(
        found: N,
        most: N,
        noun: &str,
    ) -> Result<(), Refused> {
        if found <= most {
            return Ok(());
        }
        Err(Refused::NotHere(format!("{found} {noun}, expected at most {most}")))
    }

    pub(crate) fn position(message: impl Display, malformed: bool, text: &str) -> Refused {
        Refused::Position { message: message.to_string(), malformed, text: text.into() }
    }
}

impl From<AnswerError> for Refused {
    fn from(error: AnswerError) -> Refused {
        match error {
            AnswerError::Stopped(_) => Refused::Stopped,
            other => Refused::NotHere(other.to_string()),
        }
    }
}

impl From<GrundyError> for Refused {
    fn from(error: GrundyError) -> Refused {
        Refused::Damaged(error.to_string())
    }
}
