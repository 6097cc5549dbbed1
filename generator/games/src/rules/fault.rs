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
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        let line = text[line_begins..].lines().next().unwrap_or_default();
        let message = in_words(&message, line).unwrap_or(message);
        RuleFault::Toml {
            line: before.matches('\n').count() + 1,
            column: before[line_begins..].chars().count() + 1,
            message,
        }
    }
}

/// Example values of keys and tables.
const EXAMPLES: [(&str, &str); 33] = [
    ("name", "\"mine\""),
    ("title", "\"My game\""),
    ("aliases", "[\"ours\"]"),
    ("board", "{ rows = 3, columns = 3 }"),
    ("rows", "3"),
    ("columns", "3"),
    ("cells", "9"),
    ("blocked", "[\"b2\"]"),
    ("wrap", "\"rows\""),
    ("names", "[\"n\", \"w\", \"e\", \"s\"]"),
    ("layout", "\"a b c\""),
    ("steps", "[[0, 2], [1, 1]]"),
    ("hex", "3"),
    ("lines", "{ length = 3 }"),
    ("length", "3"),
    ("within", "\"full\""),
    ("gaps", "true"),
    ("exact", "true"),
    ("shapes", "[\"XX/XX\"]"),
    ("sets", "[[\"a1\", \"b2\", \"c3\"]]"),
    ("add", "[[\"a1\", \"b2\", \"c3\"]]"),
    ("pieces", "{ each = 3 }"),
    ("each", "3"),
    ("moves", "{ to = \"king\" }"),
    ("to", "\"king\""),
    ("edges", "[[\"a1\", \"b2\"]]"),
    ("stay", "true"),
    ("stuck", "\"pass\""),
    ("opening", "{ forbidden = [\"b2\"] }"),
    ("forbidden", "[\"b2\"]"),
    ("during", "\"first\""),
    ("start", "\"XXX/.../OOO\""),
    ("misere", "true"),
];

/// Rephrases an error about a key or a value of rules, with its remedy: the nearest known word, all known words, or an
/// example. `line` is the line of the error. Returns `None` for other errors, such as syntax errors.
fn in_words(message: &str, line: &str) -> Option<String> {
    if let Some(key) = message.strip_prefix("missing field ") {
        return Some(format!("missing key {key}"));
    }
    if let Some(unknown) = message.strip_prefix("unknown ") {
        let kind = if unknown.starts_with("field") { "key" } else { "value" };
        let mut words = unknown.split('`').skip(1).step_by(2).map(String::from);
        let (word, known) = (words.next()?, words.collect::<Vec<_>>());
        return Some(match nearest(&word, known.iter().cloned()).first() {
            Some(near) => format!("unknown {kind} `{word}`: did you mean `{near}`?"),
            None => format!("unknown {kind} `{word}`: use one of {}", known.join(", ")),
        });
    }
    if ["invalid ", "wanted "].iter().any(|start| message.starts_with(start)) {
        let key = line.split_once('=')?.0.trim().rsplit('.').next()?;
        let (key, value) = EXAMPLES.iter().find(|(known, _)| *known == key)?;
        return Some(format!("wrong value of `{key}`: write for example `{key} = {value}`"));
    }
    None
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
            (
                "pieces = 3\nboard.hex = 3\nlines.length = 3".into(),
                "write for example `pieces = { each = 3 }`",
            ),
            ("board.hex = 3\nlines.length = true".into(), "write for example `length = 3`"),
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
            assert!(error.ends_with(&format!(": {remedy}")), "{error}");
        }
    }
}
