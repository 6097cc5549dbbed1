//! Errors of rule files. Each names the file, the reason, and the key or the place in the text.

use morpion_lookup::{RulesError, TextError};
use std::io;
use thiserror::Error;

/// The maximum length of a rule file in bytes. Twice the maximum number of lines would fit, even if each had all cells.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// An invalid rule file.
#[derive(Debug, Error)]
#[error("{file}: {fault}")]
pub struct RuleFileError {
    /// The file name as the user gave it.
    pub file: String,
    /// The first error in the file.
    pub fault: RuleFault,
}

/// Reason why a rule file is invalid.
#[derive(Debug, Error)]
pub enum RuleFault {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is longer than `MAX_BYTES`.
    #[error("longer than {MAX_BYTES} bytes, the most that a rule file may have")]
    TooLong,
    /// The text is not valid TOML, has an unknown key, or has a value of the wrong type.
    #[error("TOML, line {line}, column {column}: {message}")]
    Toml {
        /// Line number, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The reason, in one line.
        message: String,
    },
    /// The text is valid TOML, but the rules are invalid.
    #[error("{key}: {found}, expected {expected}")]
    Rules {
        /// The key.
        key: String,
        /// The value in the file.
        found: String,
        /// Description of valid values.
        expected: String,
    },
    /// The preset start is illegal.
    #[error("opening.start: {0}")]
    Start(#[from] TextError),
}

impl RuleFault {
    /// An error in the value of a key.
    pub(super) fn of_key(
        key: &str,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> RuleFault {
        RuleFault::Rules { key: key.into(), found: found.into(), expected: expected.into() }
    }

    /// An error of the TOML text at byte `start`, in one line.
    pub(super) fn at(text: &str, start: usize, message: &str) -> RuleFault {
        let before = text.get(..start).unwrap_or_default();
        let line_begins = before.rfind('\n').map_or(0, |newline| newline + 1);
        RuleFault::Toml {
            line: before.matches('\n').count() + 1,
            column: before[line_begins..].chars().count() + 1,
            message: message.lines().collect::<Vec<_>>().join(", "),
        }
    }
}

impl From<RulesError> for RuleFault {
    fn from(error: RulesError) -> RuleFault {
        RuleFault::of_key(error.key, error.found, error.expected)
    }
}
