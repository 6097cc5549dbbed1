//! Batches: many positions in one request. Each answer is written as soon as it is found.

use crate::job::Job;
use crate::refusal::Refusal;
use serde::Serialize;
use std::borrow::Cow;
use std::marker::PhantomData;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// The schema of the answers to a batch: for each position of type `P` an `A` or an error.
pub(crate) struct Answers<A, P>(PhantomData<fn() -> (A, P)>);

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

#[derive(Serialize, ToSchema)]
struct Refused<'p, P> {
    /// The reason.
    error: String,
    /// The invalid position.
    #[schema(inline)]
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
) -> Result<Vec<u8>, Refusal> {
    let mut text = br#"{"answers":["#.to_vec();
    for (number, position) in positions.iter().enumerate() {
        job.check()?;
        if number > 0 {
            text.push(b',');
        }
        match answer(position) {
            Err(refusal) if !refusal.is_fault() => {
                let refused = Refused { error: refusal.message(), input: position };
                serde_json::to_writer(&mut text, &refused)?;
            }
            answer => serde_json::to_writer(&mut text, &answer?)?,
        }
        job.check_length(&text)?;
    }
    text.extend(b"]}");
    Ok(text)
}
