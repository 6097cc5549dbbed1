//! Answers many questions in one command. Questions are arguments, or lines of standard input; each gets one line of
//! output.

use crate::terminal::lines::{self, Unreadable};
use crate::terminal::output::{Output, note};
use anyhow::Result;
use serde_json::json;
use std::io::Write;

/// Answers each of `questions` or, if there are none, each line of standard input that is not blank. `ask` returns the
/// answer, or an error as text. With `json`, errors are printed among the answers. The exit status is 2 after an error.
/// Returns false without a question.
///
/// Consecutive lines for which `is_part` returns true are one question. The question ends as soon as it has an answer, or before
/// any other line.
pub fn answer_each(
    out: &mut Output,
    json: bool,
    questions: &[String],
    is_part: impl Fn(&str) -> bool,
    mut ask: impl FnMut(&str) -> Result<Result<String, String>>,
) -> Result<bool> {
    let (mut all_answered, mut any) = (true, false);
    let mut answer = |question: &str, answer: Result<String, String>| -> Result<()> {
        (all_answered, any) = (all_answered && answer.is_ok(), true);
        match answer {
            Ok(answer) => writeln!(out, "{answer}")?,
            Err(error) if json => out.json(&json!({ "error": error, "input": question.trim() }))?,
            Err(error) => note(format_args!("morpion: {question:?}: {error}")),
        }
        // A program at the other end of a pipe may wait for each answer.
        Ok(out.flush()?)
    };
    for question in questions {
        answer(question, ask(question)?)?;
    }
    let mut input = std::io::stdin().lock();
    let mut parts = String::new();
    while questions.is_empty() {
        let line = lines::next(&mut input)?;
        if let Some(Ok(line)) = &line
            && is_part(line)
        {
            parts.push_str(line);
            if let Ok(found) = ask(&parts)? {
                answer(parts.trim(), Ok(found))?;
                parts.clear();
            }
            continue;
        }
        if !parts.trim().is_empty() {
            answer(parts.trim(), ask(&parts)?)?;
        }
        parts.clear();
        match line {
            None => break,
            Some(Ok(line)) if line.trim().is_empty() => {}
            Some(Ok(line)) => answer(line.trim(), ask(&line)?)?,
            Some(Err(Unreadable { text, error })) => answer(text.trim(), Err(error))?,
        }
    }
    out.status = if all_answered { 0 } else { 2 };
    Ok(any)
}
