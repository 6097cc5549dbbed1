//! `/api/v1/rules`: games described by a visitor.
//!
//! Answers with the description of a rule file, or with its table.

use crate::job::Job;
use crate::own::{self, Outline, OwnRules, Solved};
use crate::reasons::{BadBody, BodyTooLong, Busy, NoRules, Slow};
use crate::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// A lock for solving: one game at a time, since each uses all cores.
#[derive(Clone)]
pub(super) struct Solving(Arc<Semaphore>);

impl Default for Solving {
    fn default() -> Solving {
        Solving(Arc::new(Semaphore::new(1)))
    }
}

const JSON: &str = "application/json";

/// Refuses a body whose type is not JSON. Another site may post plain text without permission, but not JSON.
fn check_kind(headers: &HeaderMap) -> Result<(), Refusal> {
    let kind = headers.get(CONTENT_TYPE).map(|kind| String::from_utf8_lossy(kind.as_bytes()));
    let is_json = |kind: &str| {
        kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(JSON))
    };
    let found = match &kind {
        Some(kind) if is_json(kind) => return Ok(()),
        Some(kind) => format!("{:?}", kind.chars().take(64).collect::<String>()),
        None => "none".to_owned(),
    };
    Err(Refusal::bad(format!("the body is {found}: send content-type: {JSON}")))
}

async fn read(job: &mut Job, request: Request) -> Result<OwnRules, Refusal> {
    check_kind(request.headers())?;
    let body = job.body(request.into_body()).await?;
    serde_json::from_slice(&body).map_err(|error| {
        Refusal::bad(format!(
            "the body: {error}; expected a JSON object like {{\"rules\": \"name = …\"}}"
        ))
    })
}

/// Describes the game of a rule file.
#[utoipa::path(
    post, path = "/api/v1/rules", operation_id = "rules",
    request_body(content = OwnRules, example = json!({ "rules": EXAMPLE })),
    responses(
        (status = 200, description = "The game.", body = Outline),
        BadBody, NoRules, Slow, BodyTooLong, Busy,
    ),
)]
pub(super) async fn outline(mut job: Job, request: Request) -> Result<Response, Refusal> {
    let asked = read(&mut job, request).await?;
    job.run(move |job| job.answer(&Outline::of(&own::game(&asked.rules)?))).await
}

/// Solves a small game and returns its table.
#[utoipa::path(
    post, path = "/api/v1/rules/table", operation_id = "solve",
    request_body(content = OwnRules, example = json!({ "rules": EXAMPLE })),
    responses(
        (status = 200, description = "The game and its table.", body = Solved),
        BadBody, NoRules, Slow, BodyTooLong, Busy,
    ),
)]
pub(super) async fn solve(
    State(solving): State<Solving>,
    mut job: Job,
    request: Request,
) -> Result<Response, Refusal> {
    let asked = read(&mut job, request).await?;
    let Ok(alone) = solving.0.try_acquire_owned() else {
        return Err(Refusal::often("another game is being solved: try again"));
    };
    job.run(move |job| {
        let _alone = alone;
        job.answer(&own::solve(&own::game(&asked.rules)?, job)?)
    })
    .await
}

const EXAMPLE: &str = "name = \"mine\"\n\n[board]\nrows = 3\ncolumns = 3\n\n[lines]\nlength = 3\n\n[pieces]\neach = 2\n\n[moves]\nto = \"any\"\n";
