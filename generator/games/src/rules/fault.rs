//! What is wrong with a rule file: every reason for refusing one.
//!
//! In: what was found and what was expected. Out: an error that names the file, the key or the place, and both.

use morpion_lookup::{RulesError, TextError};
use std::io;
use thiserror::Error;

/// The longest rule file that is read, in bytes: room for twice the lines there may be, were each of all cells.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// A rule file that describes no game.
#[derive(Debug, Error)]
#[error("{file}: {fault}")]
pub struct RuleFileError {
    /// The file, as it was named.
    pub file: String,
    /// What is wrong with it.
    pub fault: RuleFault,
}

/// What is wrong with a rule file.
#[derive(Debug, Error)]
pub enum RuleFault {
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is longer than `MAX_BYTES`.
    #[error("found more than {MAX_BYTES} bytes, expected a rule file of at most as many")]
    TooLong,
    /// It is no TOML, or has an unknown key or a value of the wrong type.
    #[error("TOML, line {line}, column {column}: {message}")]
    Toml {
        /// The line, from 1.
        line: usize,
        /// The character of the line, from 1.
        column: usize,
        /// What is wrong there, in one line.
        message: String,
    },
    /// Sound TOML, unsound rules.
    #[error("{key}: found {found}, expected {expected}")]
    Rules {
        /// The key.
        key: String,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// An illegal start.
    #[error("opening.start: {0}")]
    Start(#[from] TextError),
}

impl RuleFault {
    /// A key of sound TOML that makes unsound rules.
    pub(super) fn of_key(
        key: &str,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> RuleFault {
        RuleFault::Rules { key: key.into(), found: found.into(), expected: expected.into() }
    }

    /// What the TOML reader says of `text`, in one line with its place.
    pub(super) fn of_toml(text: &str, error: &toml::de::Error) -> RuleFault {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line_begins = before.rfind('\n').map_or(0, |newline| newline + 1);
        RuleFault::Toml {
            line: before.matches('\n').count() + 1,
            column: before[line_begins..].chars().count() + 1,
            message: error.message().lines().collect::<Vec<_>>().join(", "),
        }
    }
}

impl From<RulesError> for RuleFault {
    fn from(error: RulesError) -> RuleFault {
        RuleFault::of_key(error.key, error.found, error.expected)
    }
}
