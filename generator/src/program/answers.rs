//! Many questions to one command: as arguments, or one a line from standard input; one answer a line.

use anyhow::Result;
use serde::Serialize;
use std::io::{BufRead, StdoutLock, Write};
use std::process::ExitCode;

#[derive(Serialize)]
struct Refused<'a> {
    error: String,
    input: &'a str,
}

/// The answers so far.
pub struct Answers {
    json: bool,
    all_answered: bool,
    out: StdoutLock<'static>,
}

impl Answers {
    /// None yet; with `json` a question that is refused has its line among them, too.
    pub fn new(json: bool) -> Answers {
        Answers { json, all_answered: true, out: std::io::stdout().lock() }
    }

    /// Writes an answer, or why there is none.
    pub fn write(&mut self, question: &str, answer: Result<String, String>) -> Result<()> {
        self.all_answered &= answer.is_ok();
        match answer {
            Ok(answer) => writeln!(self.out, "{answer}")?,
            Err(error) if self.json => {
                let refused = Refused { error, input: question.trim() };
                writeln!(self.out, "{}", serde_json::to_string(&refused)?)?;
            }
            Err(error) => eprintln!("morpion: {question:?}: {error}"),
        }
        // Whoever feeds questions through a pipe waits for each answer.
        Ok(self.out.flush()?)
    }

    /// 2 where a question was refused.
    pub fn status(self) -> ExitCode {
        if self.all_answered { ExitCode::SUCCESS } else { ExitCode::from(2) }
    }
}

/// Asks each of `questions`, or, where there are none, each line of standard input that is not blank.
pub fn each(questions: &[String], mut ask: impl FnMut(&str) -> Result<()>) -> Result<()> {
    if !questions.is_empty() {
        return questions.iter().try_for_each(|question| ask(question));
    }
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if !line.trim().is_empty() {
            ask(&line)?;
        }
    }
    Ok(())
}
