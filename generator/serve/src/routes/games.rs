//! `/api/v1/games`: games with a table.

use crate::batch::{self, Batch};
use crate::describe::Summary;
use crate::job::Job;
use crate::library::Library;
use crate::reply::{Asked, Named, Reply};
use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use morpion_report::line::{LineAnswer, line_until};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Tables from this size on may have to be read from disk, so that asking them may take a while.
const LARGE: u64 = 64 << 20;

#[derive(Serialize)]
struct List<'a> {
    games: Vec<&'a Summary>,
}

/// `GET /api/v1/games`
pub async fn games(State(library): State<Arc<Library>>) -> Response {
    let games = library.entries().iter().map(|entry| &entry.summary).collect();
    Json(List { games }).into_response()
}

/// `GET /api/v1/games/{game}`
pub async fn game(
    State(library): State<Arc<Library>>,
    Named(name): Named<String>,
) -> Result<Response, Reply> {
    let entry = library.find(&name)?;
    Ok(([(CONTENT_TYPE, "application/json")], entry.description.clone()).into_response())
}

/// What is asked of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    position: Option<String>,
}

/// `GET /api/v1/games/{game}/position`
pub async fn position(
    State(library): State<Arc<Library>>,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    let entry = library.find(&name)?;
    let (position, side) = entry.position(at.position.as_deref())?;
    let answer = || entry.answer(position, side);
    let answer =
        if entry.table.size() < LARGE { answer() } else { tokio::task::block_in_place(answer) };
    Ok(Json(answer?).into_response())
}

/// `GET /api/v1/games/{game}/line`
pub async fn line(
    State(library): State<Arc<Library>>,
    job: Job,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    let (position, side) = library.find(&name)?.position(at.position.as_deref())?;
    job.run(move |job| {
        let table = &library.find(&name)?.table;
        let line = line_until(table, position, side, &|| job.check())?;
        job.answer(&LineAnswer::new(table, &line))
    })
    .await
}

/// `POST /api/v1/games/{game}/positions`
pub async fn positions(
    State(library): State<Arc<Library>>,
    job: Job,
    Named(name): Named<String>,
    request: Request,
) -> Result<Response, Reply> {
    library.find(&name)?;
    let (batch, body): (Batch<String>, _) = batch::read(&job, request).await?;
    job.run(move |job| {
        let _in_flight = body;
        let entry = library.find(&name)?;
        batch::answers(job, &batch.positions, |text| {
            let (position, side) = entry.position(Some(text))?;
            entry.answer(position, side)
        })
    })
    .await
}
