//! Many positions in one request.
//!
//! In: the body, counted before it is read. Out: the answers in the order of the positions, each written as it is found.

use super::body;
use super::flight::Buffer;
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

/// The body of a request for many positions.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Batch {
    /// As text.
    pub positions: Vec<String>,
}

/// How many positions there are in a body, whatever else it says.
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

/// Reads the body of a request for many positions. Its bytes stay in flight with it, since they measure what it takes.
///
/// # Errors
/// 413 where there are too many or it is too long, 408 where it does not arrive in time, 400 where it is not what was
/// expected, 429 where too much is in flight.
pub(crate) async fn read<T: DeserializeOwned>(
    job: &Job,
    request: Request,
) -> Result<(T, Buffer), Refusal> {
    let body = body::read(job, request).await?;
    let broken = |error| {
        Refusal::bad(format!(
            "the body: {error}; expected a JSON object like {{\"positions\": [\"…\"]}}"
        ))
    };
    // Counted first: short positions take far more memory than bytes of the body.
    let size: Size = serde_json::from_slice(body.bytes()).map_err(broken)?;
    let (found, limit) = (size.positions, job.limits().batch);
    if found > limit {
        return Err(Refusal::large(format!("{found} positions, expected at most {limit}")));
    }
    Ok((serde_json::from_slice(body.bytes()).map_err(broken)?, body))
}

/// The answer to a batch of positions, each a `P`, as the interface describes it: an `A` or an error for each.
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

/// The answer to a batch, as it is written.
#[derive(Serialize)]
struct Written<T> {
    answers: T,
}

#[derive(Serialize, ToSchema)]
struct Refused<'p, P> {
    /// What was found, and what was expected.
    error: String,
    /// The position in question.
    #[schema(inline)]
    input: &'p P,
}

/// The answers, each found when it is written, so that only their text is kept.
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

/// One answer a position, in their order; an error in the place of one that is none.
///
/// # Errors
/// The first that is the server's fault, and where the job is over or the answers do not fit.
pub(crate) fn answers<A: Serialize, P: Serialize>(
    job: &Job,
    positions: &[P],
    answer: impl Fn(&P) -> Result<A, Refusal>,
) -> Result<Buffer, Refusal> {
    let fault = Cell::new(None);
    let written = job.answer(&Written { answers: Each { job, positions, answer, fault: &fault } });
    match fault.take() {
        Some(fault) => Err(fault),
        None => written,
    }
}
