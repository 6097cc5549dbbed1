//! Errors of rule files. Each names the file, the reason, and the key or the place in the text.

use crate::nearest::nearest;
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
        /// The TOML reader's message, in one line.
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

    /// Converts an error of the TOML reader to one line with its place in `text`.
    pub(super) fn of_toml(text: &str, error: &toml::de::Error) -> RuleFault {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line_begins = before.rfind('\n').map_or(0, |newline| newline + 1);
        let mut message = error.message().lines().collect::<Vec<_>>().join(", ");
        let line = text[line_begins..].lines().next().unwrap_or_default();
        if let Some(remedy) = remedy(&message, line) {
            message += &format!("; {remedy}");
        }
        RuleFault::Toml {
            line: before.matches('\n').count() + 1,
            column: before[line_begins..].chars().count() + 1,
            message,
        }
    }
}

/// Example values for keys whose type is easily mistaken.
const EXAMPLES: [(&str, &str); 15] = [
    ("rows", "3"),
    ("columns", "3"),
    ("cells", "9"),
    ("hex", "3"),
    ("wrap", "\"rows\""),
    ("layout", "\"a b c\""),
    ("length", "3"),
    ("within", "\"full\""),
    ("gaps", "true"),
    ("exact", "true"),
    ("each", "3"),
    ("to", "\"king\""),
    ("stay", "true"),
    ("stuck", "\"pass\""),
    ("misere", "true"),
];

/// Suggests what the author probably meant: the nearest known word, or a value of the right type.
fn remedy(message: &str, line: &str) -> Option<String> {
    if message.starts_with("unknown ") {
        let mut words = message.split('`').skip(1).step_by(2);
        let unknown = words.next()?;
        let word = nearest(unknown, words.map(String::from)).into_iter().next()?;
        return Some(format!("did you mean `{word}`?"));
    }
    let key = line.split('=').next()?.trim();
    let (key, value) = EXAMPLES.iter().find(|(known, _)| *known == key)?;
    Some(format!("write for example `{key} = {value}`"))
}

impl From<RulesError> for RuleFault {
    fn from(error: RulesError) -> RuleFault {
        RuleFault::of_key(error.key, error.found, error.expected)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::parse;

    #[test]
    fn mistaken_words_and_types_get_a_suggestion() {
        let board = "[board]\nrows = 3\ncolumns = 3\n";
        for (text, remedy) in [
            (
                format!("{board}wrap = true\n[lines]\nlength = 3"),
                "write for example `wrap = \"rows\"`",
            ),
            (
                "[board]\nrows = \"3\"\ncolumns = 3\n[lines]\nlength = 3".into(),
                "write for example `rows = 3`",
            ),
            ("[board]\nhex = \"3\"\n[lines]\nlength = 3".into(), "write for example `hex = 3`"),
            (format!("{board}[line]\nlength = 3"), "did you mean `lines`?"),
            (format!("{board}[lines]\nlenght = 3"), "did you mean `length`?"),
            (
                format!("{board}[lines]\nlength = 3\n[goal]\nmisere = \"yes\""),
                "write for example `misere = true`",
            ),
            (
                format!("{board}[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"kings\""),
                "did you mean `king`?",
            ),
        ] {
            let error = parse("t.toml", &format!("name = \"t\"\n{text}")).unwrap_err().to_string();
            assert!(error.ends_with(&format!("; {remedy}")), "{error}");
        }
    }
}
