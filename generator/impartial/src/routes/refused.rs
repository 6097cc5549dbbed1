//! Refused questions.

use crate::octal::answer::AnswerError;
use morpion_grundy::GrundyError;
use std::fmt::Display;

/// A refused question, as a status of HTTP with a message.
#[derive(Debug)]
pub struct Refused {
    /// 400 for a malformed text, 404 for a missing game or position, 500 for a damaged table, 503 after a stop.
    pub status: u16,
    /// The problem, then the remedy.
    pub message: String,
    /// The text of a position that has no answer.
    pub text: Option<String>,
}

impl Refused {
    pub(crate) fn new(status: u16, message: impl Display) -> Refused {
        Refused { status, message: message.to_string(), text: None }
    }

    pub(crate) fn position(message: impl Display, malformed: bool, text: &str) -> Refused {
        let status = if malformed { 400 } else { 404 };
        Refused { text: Some(text.into()), ..Refused::new(status, message) }
    }
}

impl From<AnswerError> for Refused {
    fn from(error: AnswerError) -> Refused {
        let stopped = matches!(error, AnswerError::Stopped(_));
        Refused::new(if stopped { 503 } else { 404 }, error)
    }
}

impl From<GrundyError> for Refused {
    fn from(error: GrundyError) -> Refused {
        Refused::new(500, error)
    }
}
