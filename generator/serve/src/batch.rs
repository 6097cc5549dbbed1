//! Batches: many positions in one request. Positions are counted before they are read, and each answer is written as
//! soon as it is found.

use super::job::Job;
use super::refusal::Refusal;
use axum::extract::Request;
use serde::de::{DeserializeOwned, IgnoredAny, SeqAccess, Visitor};
use serde::ser::{Error, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// Number of positions in a body.
#[derive(Deserialize)]
#[serde(rename = "Batch")]
struct Size {
    #[serde(deserialize_with = "count")]
    positions: usize,
}

fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    struct Count;
    impl<'de> Visitor<'de> for Count {
        type Value = usize;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a sequence")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<usize, A::Error> {
            let mut count = 0;
            while sequence.next_element::<IgnoredAny>()?.is_some() {
                count += 1;
            }
            Ok(count)
        }
    }
    deserializer.deserialize_seq(Count)
}

/// Reads the body of a request for many positions.
///
/// # Errors
/// 413 if there are too many positions, 400 if the body is another object, and errors of [`Job::body`].
pub(crate) async fn read<T: DeserializeOwned>(
    job: &mut Job,
    request: Request,
) -> Result<T, Refusal> {
    let body = job.body(request.into_body()).await?;
    let broken = |error| {
        Refusal::bad(format!(
            "the body: {error}; expected a JSON object like {{\"positions\": [\"…\"]}}"
        ))
    };
    // Positions are counted first, since short ones take far more memory than the text.
    let size: Size = serde_json::from_slice(&body).map_err(broken)?;
    let (found, limit) = (size.positions, job.limits().batch);
    if found > limit {
        return Err(Refusal::large(format!("{found} positions, expected at most {limit}")));
    }
    serde_json::from_slice(&body).map_err(broken)
}

/// The schema of the answers to a batch: for each position of type `P` an `A` or an error.
pub(crate) struct Answers<A, P>(PhantomData<(A, P)>);

impl<A: ToSchema, P: ToSchema> PartialSchema for Answers<A, P> {
    fn schema() -> RefOr<Schema> {
        let each = OneOfBuilder::new()
            .item(Ref::from_schema_name(A::name()))
            .item(Refused::<P>::schema())
            .description(Some("In the order of the positions."));
        let answers = ArrayBuilder::new().items(each);
        ObjectBuilder::new().property("answers", answers).required("answers").into()
    }
}

impl<A: ToSchema, P: ToSchema> ToSchema for Answers<A, P> {
    fn name() -> Cow<'static, str> {
        format!("{}s", A::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((A::name().into(), A::schema()));
        A::schemas(schemas);
    }
}

/// The answers to a batch as JSON.
#[derive(Serialize)]
struct Written<T> {
    answers: T,
}

#[derive(Serialize, ToSchema)]
struct Refused<'p, P> {
    /// The reason.
    error: String,
    /// The invalid position.
    #[schema(inline)]
    input: &'p P,
}

/// Answers that are found while they are written, so that only the text is in memory.
struct Each<'p, P, F> {
    job: &'p Job,
    positions: &'p [P],
    answer: F,
    fault: &'p Cell<Option<Refusal>>,
}

impl<A: Serialize, P: Serialize, F: Fn(&P) -> Result<A, Refusal>> Serialize for Each<'_, P, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut answers = serializer.serialize_seq(Some(self.positions.len()))?;
        for position in self.positions {
            match self.job.check().and_then(|()| (self.answer)(position)) {
                Ok(answer) => answers.serialize_element(&answer)?,
                Err(refusal) if refusal.is_fault() => {
                    let error = S::Error::custom(refusal.status());
                    self.fault.set(Some(refusal));
                    return Err(error);
                }
                Err(refusal) => {
                    let refused = Refused { error: refusal.message(), input: position };
                    answers.serialize_element(&refused)?;
                }
            }
        }
        answers.end()
    }
}

/// Writes one answer for each position, in the same order. An invalid position gets an error.
///
/// # Errors
/// The first internal error, and errors of [`Job::check`] and [`Job::answer`].
pub(crate) fn answers<A: Serialize, P: Serialize>(
    job: &Job,
    positions: &[P],
    answer: impl Fn(&P) -> Result<A, Refusal>,
) -> Result<Vec<u8>, Refusal> {
    let fault = Cell::new(None);
    let written = job.answer(&Written { answers: Each { job, positions, answer, fault: &fault } });
    match fault.take() {
        Some(fault) => Err(fault),
        None => written,
    }
}
