//! Many positions at once: how many, and the answers in their order.

use super::limits::Limits;
use super::reply::Reply;
use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

/// The body of a request for many positions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Each as text.
    pub positions: Vec<String>,
}

#[derive(Serialize)]
struct Answers<A, P> {
    answers: Vec<InBatch<A, P>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum InBatch<A, P> {
    Answer(A),
    Refused { error: String, input: P },
}

/// Refuses more positions than are answered at once.
///
/// # Errors
/// 413.
pub fn check(found: usize, limits: &Limits) -> Result<(), Reply> {
    let limit = limits.batch;
    if found > limit {
        return Err(Reply::large(format!("{found} positions, expected at most {limit}")));
    }
    Ok(())
}

/// One answer a position, in their order; an error in the place of one that is none.
///
/// # Errors
/// The first that is the server's fault.
pub fn answers<A: Serialize, P: Serialize>(
    positions: Vec<P>,
    answer: impl Fn(&P) -> Result<A, Reply>,
) -> Result<Response, Reply> {
    let answers = positions.into_iter().map(|position| match answer(&position) {
        Ok(answer) => Ok(InBatch::Answer(answer)),
        Err(reply) if reply.is_fault() => Err(reply),
        Err(reply) => Ok(InBatch::Refused { error: reply.message(), input: position }),
    });
    let answers = answers.collect::<Result<Vec<_>, Reply>>()?;
    Ok(Json(Answers { answers }).into_response())
}
