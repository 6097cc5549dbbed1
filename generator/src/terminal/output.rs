//! Output of commands: results on standard output, messages on standard error.
//!
//! Writes text, and values as lines of JSON. Failures of standard output are marked, so that main recognises them.
//! `println!` would panic at a closed pipe or a full disk.

use anstream::AutoStream;
use anyhow::{Context, Result};
use morpion_builder::files;
use morpion_builder::folders::LookupError;
use morpion_games::rules::RuleFileError;
use morpion_report::phrases::grouped;
use serde::Serialize;
use std::fmt::{self, Display};
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::{Path, PathBuf};

/// Standard output, buffered, and the exit status of the command. A command flushes it whenever a reader may be waiting.
pub struct Output {
    buffer: BufWriter<Stdout>,
    /// Exit status if the command does not fail: 1 for a negative result, 2 if a question has no answer.
    pub status: u8,
}

impl Default for Output {
    fn default() -> Output {
        Output { buffer: BufWriter::with_capacity(1 << 16, io::stdout()), status: 0 }
    }
}

impl Output {
    /// Writes one line of JSON.
    pub fn json(&mut self, value: &impl Serialize) -> Result<()> {
        // Converted to an I/O error, which main recognises.
        serde_json::to_writer(&mut *self, value).map_err(io::Error::from)?;
        Ok(writeln!(self)?)
    }

    /// Writes the fields of a struct, one a line, without fields that have no value.
    pub fn fields(&mut self, facts: &impl Serialize) -> Result<()> {
        let rows = csv(&[facts])?;
        let mut reader = csv::Reader::from_reader(&rows[..]);
        let names = reader.headers()?.clone();
        for row in reader.records() {
            let row = row?;
            let facts = names.iter().zip(&row).filter(|(_, value)| !value.is_empty());
            let text = |value: &str| {
                value.parse::<u64>().map_or_else(|_| Shown(value).to_string(), grouped)
            };
            let facts = facts.map(|(name, value)| (name.replace('_', " "), text(value)));
            self.facts(&facts.collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Writes facts below each other, each after its label. A fact may have several lines.
    pub fn facts<L: AsRef<str>>(&mut self, facts: &[(L, String)]) -> Result<()> {
        let labels = facts.iter().map(|(label, _)| label.as_ref().chars().count());
        // All usual labels fit in 12 columns, so that most commands have the same width.
        let width = labels.fold(12, usize::max) + 2;
        for (label, fact) in facts {
            let fact = fact.replace('\n', &format!("\n{:width$}", ""));
            writeln!(self, "{:width$}{fact}", label.as_ref())?;
        }
        Ok(())
    }

    /// The output with colours if standard output shows them, and otherwise without.
    pub fn coloured(&mut self) -> AutoStream<&mut (dyn Write + 'static)> {
        let colours = AutoStream::choice(&io::stdout());
        AutoStream::new(self, colours)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.write(bytes).map_err(Lost::wrap)
    }

    /// Forwards the bytes as a whole, since most writes fit the buffer.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.write_all(bytes).map_err(Lost::wrap)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer.flush().map_err(Lost::wrap)
    }
}

/// Writing to standard output failed.
#[derive(Debug, thiserror::Error)]
#[error("standard output: {0}")]
struct Lost(io::Error);

impl Lost {
    fn wrap(error: io::Error) -> io::Error {
        io::Error::new(error.kind(), Lost(error))
    }
}

/// Returns true if a command ended early because its output was closed. That is not an error, since `head` does so.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|error| {
        error.kind() == io::ErrorKind::BrokenPipe
            && error.get_ref().is_some_and(|inner| inner.is::<Lost>())
    })
}

/// The lines of an error: one for each fault of a rule file, otherwise one.
pub fn lines_of(error: &anyhow::Error) -> Vec<String> {
    let rules = match error.downcast_ref() {
        Some(LookupError::Rules(rules)) => Some(rules),
        _ => error.downcast_ref::<RuleFileError>(),
    };
    match rules {
        Some(rules) => rules.faults.iter().map(|fault| fault.of(&rules.file)).collect(),
        None => vec![format!("{error:#}")],
    }
}

/// Writes a file that the user named, as a whole or not at all.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    replace(path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// Writes a file into `folder`, completely or not at all. Creates the folder if it is missing.
pub fn save(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<PathBuf> {
    fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot create the folder", folder.display()))?;
    let path = folder.join(name);
    replace(&path, write)?;
    Ok(path)
}

/// Writes a file, as a whole or not at all.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    files::replace(path, write).with_context(|| format!("{}: cannot be written", path.display()))
}

/// Writes rows as CSV, with their fields as a header line. Missing values are empty.
pub fn csv<T: Serialize>(rows: &[T]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    Ok(writer.into_inner()?)
}

/// The maximum width of help and tables, in columns.
pub const WIDTH: usize = 80;

/// Breaks text between words into lines of at most `width` characters. A longer word gets its own line.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Writes text from outside in lines that fit a terminal, with control characters escaped.
pub fn write_wrapped(out: &mut impl Write, text: impl Display) -> io::Result<()> {
    let lines = wrapped(&Shown(text).to_string(), WIDTH);
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Writes a message to standard error, with control characters escaped. On a terminal, breaks it into lines that fit. Failures
/// are ignored.
pub fn note(message: impl Display) {
    let mut lines = format!("{}\n", Shown(message));
    if io::stderr().is_terminal() {
        lines = wrapped(&lines, WIDTH).join("\n") + "\n";
    }
    let _ = io::stderr().write_all(lines.as_bytes());
}

/// Text from outside, such as a file name or a title. Control characters are escaped, so that the text can neither
/// imitate a line of output nor control the terminal.
pub struct Shown<T>(pub T);

impl<T: Display> Display for Shown<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = String::new();
        for c in self.0.to_string().chars() {
            if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
        }
        f.pad(&shown)
    }
}

#[cfg(test)]
mod tests {
    use super::{Shown, wrapped};

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two  three\nfour", 7), ["one two", "three", "four"]);
        assert_eq!(wrapped("a much-too-long word", 6), ["a", "much-too-long", "word"]);
        assert_eq!(wrapped("×× ×× ××", 5), ["×× ××", "××"]);
        assert!(wrapped(" ", 5).is_empty());
    }

    #[test]
    fn only_control_characters_are_escaped() {
        let text = "a\nb\t\u{1b}[2J\u{9b}2J\u{7f} é \"x\" \\ × …";
        let shown = "a\\nb\\t\\u{1b}[2J\\u{9b}2J\\u{7f} é \"x\" \\ × …";
        assert_eq!(Shown(text).to_string(), shown);
    }
}
