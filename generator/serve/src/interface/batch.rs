//! Batches: many positions in one request. Each answer is written as soon as it is found.

use super::answer::Written;
use crate::job::Job;
use crate::refusal::Refusal;
use schemars::JsonSchema;
use serde::Serialize;

/// The answers to a batch, as JSON.
pub(crate) type Answers<A, P> = Written<List<A, P>>;

/// The answers to a batch.
#[derive(JsonSchema)]
#[schemars(rename = "{A}s")]
#[expect(dead_code, reason = "each answer is written as soon as it is found")]
pub(crate) struct List<A, P> {
    /// In the order of the positions.
    answers: Vec<Answered<A, P>>,
}

/// An answer, or the reason why a position has none.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum Answered<A, P> {
    Answer(A),
    Refused {
        /// The reason.
        error: String,
        /// The invalid position.
        input: P,
    },
}

/// Writes one answer for each position, in the same order. An invalid position gets an error.
///
/// # Errors
/// The first internal error, and errors of [`Job::check`] and [`Job::check_length`].
pub(crate) fn answers<A: Serialize, P: Serialize>(
    job: &Job,
    positions: &[P],
    answer: impl Fn(&P) -> Result<A, Refusal>,
) -> Result<Answers<A, P>, Refusal> {
    write(job, positions.iter().map(|position| (position, answer(position))))
}

/// Writes answers with their inputs, each when the iterator has found it. An error that is not internal becomes an answer.
///
/// # Errors
/// As [`answers`].
pub(crate) fn write<'p, A: Serialize, P: Serialize + 'p>(
    job: &Job,
    answers: impl Iterator<Item = (&'p P, Result<A, Refusal>)>,
) -> Result<Answers<A, P>, Refusal> {
    let mut text = br#"{"answers":["#.to_vec();
    for (number, (input, answer)) in answers.enumerate() {
        job.check()?;
        if number > 0 {
            text.push(b',');
        }
        let answered = match answer {
            Err(refusal) if !refusal.is_fault() => {
                Answered::Refused { error: refusal.message(), input }
            }
            answer => Answered::Answer(answer?),
        };
        serde_json::to_writer(&mut text, &answered)?;
        job.check_length(&text)?;
    }
    text.extend(b"]}");
    Ok(Written::new(text.into()))
}
