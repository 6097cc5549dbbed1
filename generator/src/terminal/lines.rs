//! Lines that are typed or piped in.
//!
//! Reads bytes, or keys at a prompt of a terminal, where lines can be edited and recalled. A line that is not text is
//! returned as an error, so that later lines are still read.

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, BufRead, IsTerminal, Read, StdinLock, Write};

/// The maximum length of a line in bytes, far more than any position or sum of heaps needs.
const LONGEST: u64 = 1 << 20;

/// The line is not valid text.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The line, truncated.
    pub text: String,
    /// The problem and the remedy.
    pub error: String,
}

/// Source of the lines that answer prompts.
pub enum Prompts {
    /// A terminal: the editor with its history, and `true` if prompts have colours.
    Typed(Box<DefaultEditor>, bool),
    /// A pipe or a file; also a terminal if prompts would be invisible.
    Piped(StdinLock<'static>),
}

impl Default for Prompts {
    /// Reads from standard input.
    fn default() -> Prompts {
        let typed = io::stdin().is_terminal() && io::stdout().is_terminal();
        let colours = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        match DefaultEditor::new() {
            Ok(editor) if typed => Prompts::Typed(Box::new(editor), colours),
            _ => Prompts::Piped(io::stdin().lock()),
        }
    }
}

impl Prompts {
    /// Asks for a line, again after a line that cannot be read. Returns `None` at the end of the input, or after Ctrl-C at a prompt.
    ///
    /// # Errors
    /// If standard input or `out` fails.
    pub fn ask(&mut self, prompt: &str, out: &mut impl Write) -> io::Result<Option<String>> {
        loop {
            match self.read(prompt, out)?.transpose() {
                Ok(line) => return Ok(line),
                Err(error) => writeln!(out, "{error}")?,
            }
        }
    }

    /// Asks for a line, or returns the reason why it cannot be read.
    fn read(
        &mut self,
        prompt: &str,
        out: &mut impl Write,
    ) -> io::Result<Option<Result<String, String>>> {
        match self {
            Prompts::Piped(input) => {
                write!(out, "{prompt}")?;
                out.flush()?;
                Ok(next(input)?.map(|line| line.map_err(|line| line.error)))
            }
            Prompts::Typed(editor, colours) => {
                out.flush()?;
                let bare = strip_str(prompt).to_string();
                let styled = if *colours { prompt } else { &bare };
                match editor.readline(&(bare.as_str(), styled)) {
                    Ok(line) => {
                        // A line that is missing in the history is still used.
                        let _ = editor.add_history_entry(&line);
                        Ok(Some(Ok(line)))
                    }
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                        Ok(Some(Err("the line is not UTF-8 text".into())))
                    }
                    Err(ReadlineError::Io(error)) => Err(error),
                    Err(error) => Err(io::Error::other(error)),
                }
            }
        }
    }
}

/// Reads the next line with its line break; `None` at the end of the input.
///
/// # Errors
/// If `input` fails.
pub fn next(input: &mut impl BufRead) -> io::Result<Option<Result<String, Unreadable>>> {
    let mut line = Vec::new();
    if input.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 > LONGEST && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        let text = String::from_utf8_lossy(&line[..80]).into_owned() + "…";
        let error = format!("the line is longer than {LONGEST} bytes");
        return Ok(Some(Err(Unreadable { text, error })));
    }
    Ok(Some(String::from_utf8(line).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[at];
        Unreadable {
            text: String::from_utf8_lossy(error.as_bytes()).into_owned(),
            error: format!("not UTF-8 text: byte {byte:#04x} at position {}", at + 1),
        }
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> Vec<Result<String, Unreadable>> {
        std::iter::from_fn(|| next(&mut input).unwrap()).collect()
    }

    #[test]
    fn a_bad_line_leaves_the_others_alone() {
        let lines = all(b"one\n\xff\xfe\n\nt\xe9\nlast");
        let readable: Vec<_> = lines.iter().map(|line| line.as_deref().ok()).collect();
        assert_eq!(readable, [Some("one\n"), None, Some("\n"), None, Some("last")]);
        let fault = lines[3].as_ref().unwrap_err();
        assert_eq!(fault.error, "not UTF-8 text: byte 0xe9 at position 2");
        assert_eq!(fault.text, "t\u{fffd}\n");
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_to_its_end() {
        let longest = LONGEST as usize;
        for (length, fits) in [(longest - 1, true), (longest, true), (longest + 1, false)] {
            let text = [&vec![b'x'; length][..], b"\nnext\n"].concat();
            let lines = all(&text);
            assert_eq!(lines[0].is_ok(), fits, "{length}");
            assert_eq!(lines.last().unwrap().as_deref(), Ok("next\n"));
            assert_eq!(lines.len(), 2, "{length}");
        }
    }
}
