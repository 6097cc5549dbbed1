//! Batches: many positions in one request. Each answer is written as soon as it is found.

use super::answer::Written;
use crate::job::Job;
use crate::refusal::Refusal;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use std::borrow::Cow;
use std::marker::PhantomData;

/// The answers to a batch: for each position of type `P` an `A` or an error.
pub(crate) struct List<A, P>(PhantomData<(A, P)>);

/// The answers to a batch, as JSON.
pub(crate) type Answers<A, P> = Written<List<A, P>>;

impl<A: JsonSchema, P: JsonSchema> JsonSchema for List<A, P> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}s", A::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let answer = generator.subschema_for::<A>();
        let refused = generator.subschema_for::<Refused<'_, P>>();
        list(&answer, &refused)
    }
}

/// The schema of a list of answers and errors.
fn list(answer: &Schema, refused: &Schema) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "answers": {
                "type": "array",
                "items": {
                    "description": "In the order of the positions.",
                    "oneOf": [answer, refused],
                },
            },
        },
        "required": ["answers"],
    })
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Refused<'p, P> {
    /// The reason.
    error: String,
    /// The invalid position.
    input: &'p P,
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
        match answer {
            Err(refusal) if !refusal.is_fault() => {
                let refused = Refused { error: refusal.message(), input };
                serde_json::to_writer(&mut text, &refused)?;
            }
            answer => serde_json::to_writer(&mut text, &answer?)?,
        }
        job.check_length(&text)?;
    }
    text.extend(b"]}");
    Ok(Written::new(text.into()))
}
