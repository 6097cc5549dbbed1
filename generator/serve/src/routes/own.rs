//! `/api/v1/rules`: games of the visitor's own.
//!
//! In: the text of a rule file. Out: what it describes, or its table.

use crate::body;
use crate::job::Job;
use crate::own::{self, Outline, OwnRules, Solved};
use crate::reasons::{NoBatch, NoRules, Slow, TooLarge, TooMuch, TooOften};
use crate::refusal::Refusal;
use axum::Json;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Games that are solved at a time: one, since each takes all cores.
#[derive(Clone)]
pub(super) struct Solving(Arc<Semaphore>);

impl Default for Solving {
    fn default() -> Solving {
        Solving(Arc::new(Semaphore::new(1)))
    }
}

async fn read(job: &Job, request: Request) -> Result<morpion_lookup::Game, Refusal> {
    let body = body::read(job, request).await?;
    let asked: OwnRules = serde_json::from_slice(body.bytes()).map_err(|error| {
        Refusal::bad(format!(
            "the body: {error}; expected a JSON object like {{\"rules\": \"name = …\"}}"
        ))
    })?;
    own::game(&asked.rules)
}

/// What a rule file describes.
#[utoipa::path(
    post, path = "/api/v1/rules", operation_id = "rules",
    request_body(content = OwnRules, example = json!({ "rules": EXAMPLE })),
    responses(
        (status = 200, description = "The game.", body = Outline),
        NoBatch, NoRules, Slow, TooLarge, TooOften,
    ),
)]
pub(super) async fn outline(job: Job, request: Request) -> Result<Response, Refusal> {
    Ok(Json(Outline::of(&read(&job, request).await?)).into_response())
}

/// The table of a small game.
#[utoipa::path(
    post, path = "/api/v1/rules/table", operation_id = "solve",
    request_body(content = OwnRules, example = json!({ "rules": EXAMPLE })),
    responses(
        (status = 200, description = "The game and its table.", body = Solved),
        NoBatch, NoRules, Slow, TooLarge, TooMuch,
    ),
)]
pub(super) async fn solve(
    State(solving): State<Solving>,
    job: Job,
    request: Request,
) -> Result<Response, Refusal> {
    let game = read(&job, request).await?;
    let Ok(alone) = solving.0.try_acquire_owned() else {
        return Err(Refusal::often("another game is being solved: try again"));
    };
    job.run(move |job| {
        let _alone = alone;
        job.answer(&own::solve(&game, job)?)
    })
    .await
}

const EXAMPLE: &str = "name = \"mine\"\n\n[board]\nrows = 3\ncolumns = 3\n\n[lines]\nlength = 3\n\n[pieces]\neach = 2\n\n[moves]\nto = \"any\"\n";
