//! The paths of the interface and what stands behind each.

use super::batch::{self, Batch};
use super::cram::{self, CramBoard};
use super::describe::Summary;
use super::heaps::{self, HeapGame};
use super::library::{Library, damaged};
use super::limits::Limits;
use super::metrics::{self, Metrics};
use super::rate::{self, Buckets};
use super::reply::{Asked, Named, Reply};
use super::{assets, body, opponent};
use axum::extract::{Request, State as Extract};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use morpion_grundy::GrundyTable;
use morpion_report::line::{LineAnswer, line};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Tables from this size on may have to be read from disk, so that asking them may take a while.
const LARGE: u64 = 64 << 20;

/// What all requests share.
pub struct Shared {
    /// The tables.
    pub library: Library,
    /// The games of heaps.
    pub heaps: Vec<HeapGame>,
    /// The boards of cram.
    pub cram: Vec<CramBoard>,
    /// The limits.
    pub limits: Arc<Limits>,
    /// The counters.
    pub metrics: Arc<Metrics>,
    /// One permit for each batch or line worked on.
    pub heavy: Arc<Semaphore>,
    /// What each address has left.
    pub buckets: Buckets,
}

/// What all requests share, as handlers get it.
pub type State = Arc<Shared>;

/// The server without its connections: from a request to an answer.
pub fn router(
    library: Library,
    grundy: Vec<GrundyTable>,
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
) -> Router {
    let state = shared(library, grundy, limits, metrics);
    Router::new()
        .route("/healthz", get(healthy))
        .route("/metrics", get(metrics::show))
        .route("/api/v1/openapi.json", get(assets::openapi))
        .route("/api/v1/games", get(games))
        .route("/api/v1/games/{game}", get(game))
        .route("/api/v1/games/{game}/position", get(position))
        .route("/api/v1/games/{game}/line", get(perfect_line))
        .route("/api/v1/games/{game}/positions", post(positions))
        .route("/api/v1/games/{game}/move", get(opponent::show))
        .route("/api/v1/grundy", get(heaps::games))
        .route("/api/v1/grundy/{game}", get(heaps::game))
        .route("/api/v1/grundy/{game}/position", get(heaps::position))
        .route("/api/v1/grundy/{game}/line", get(heaps::line))
        .route("/api/v1/grundy/{game}/positions", post(heaps::positions))
        .route("/api/v1/cram", get(cram::boards))
        .route("/api/v1/cram/{board}", get(cram::board))
        .route("/api/v1/cram/{board}/position", get(cram::position))
        .route("/api/v1/cram/{board}/line", get(cram::line))
        .route("/api/v1/cram/{board}/positions", post(cram::positions))
        .route("/api/v1/players", get(opponent::players))
        .method_not_allowed_fallback(wrong_method)
        .fallback(assets::show)
        .layer(from_fn_with_state(state.clone(), rate::limit))
        .layer(from_fn_with_state(state.clone(), metrics::count))
        .layer(map_response(guard))
        .with_state(state)
}

fn shared(
    library: Library,
    grundy: Vec<GrundyTable>,
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
) -> State {
    let (cram, heaps) = grundy.into_iter().partition(|table| table.cram().is_ok());
    Arc::new(Shared {
        library,
        heaps: HeapGame::all(heaps),
        cram: CramBoard::all(cram),
        heavy: Arc::new(Semaphore::new(limits.heavy)),
        buckets: Buckets::new(limits.rate),
        metrics,
        limits,
    })
}

/// Tells browsers to load nothing from elsewhere and to show the page in no other.
async fn guard(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                  manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

async fn healthy(Extract(state): Extract<State>) -> Json<Value> {
    Json(json!({ "status": "ok", "games": state.library.entries().len() }))
}

async fn wrong_method(method: Method, uri: Uri) -> Reply {
    let expected = if uri.path().ends_with("/positions") { "POST" } else { "GET" };
    Reply::method(format!("{method} is not answered here: expected {expected}"))
}

#[derive(Serialize)]
struct Games<'a> {
    games: Vec<&'a Summary>,
}

async fn games(Extract(state): Extract<State>) -> Response {
    let games = state.library.entries().iter().map(|entry| &entry.summary).collect();
    Json(Games { games }).into_response()
}

async fn game(
    Extract(state): Extract<State>,
    Named(name): Named<String>,
) -> Result<Response, Reply> {
    let entry = state.library.find(&name)?;
    Ok(([(CONTENT_TYPE, "application/json")], entry.description.clone()).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    position: Option<String>,
}

async fn position(
    Extract(state): Extract<State>,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    let entry = state.library.find(&name)?;
    let (position, side) = entry.position(at.position.as_deref())?;
    let answer = || entry.answer(position, side);
    let answer =
        if entry.table.size() < LARGE { answer() } else { tokio::task::block_in_place(answer) };
    Ok(Json(answer?).into_response())
}

async fn perfect_line(
    Extract(state): Extract<State>,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    let (position, side) = state.library.find(&name)?.position(at.position.as_deref())?;
    heavy(state, move |state| {
        let table = &state.library.find(&name)?.table;
        let line = line(table, position, side).map_err(damaged)?;
        Ok(Json(LineAnswer::new(table, &line)).into_response())
    })
    .await
}

async fn positions(
    Extract(state): Extract<State>,
    Named(name): Named<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Reply> {
    state.library.find(&name)?;
    let batch: Batch = body::read(&headers, request, &state.limits).await?;
    batch::check(batch.positions.len(), &state.limits)?;
    heavy(state, move |state| {
        let entry = state.library.find(&name)?;
        batch::answers(batch.positions, |text| {
            let (position, side) = entry.position(Some(text))?;
            entry.answer(position, side)
        })
    })
    .await
}

/// Works on something longer than one answer, on a thread of its own and with as many others as the limit allows.
pub async fn heavy<T: Send + 'static>(
    state: State,
    work: impl FnOnce(&Shared) -> Result<T, Reply> + Send + 'static,
) -> Result<T, Reply> {
    let Ok(permit) = state.heavy.clone().try_acquire_owned() else {
        let limit = state.limits.heavy;
        return Err(Reply::often(format!(
            "{limit} longer requests are being worked on: try again"
        )));
    };
    let worked = tokio::task::spawn_blocking(move || {
        let result = work(&state);
        drop(permit);
        result
    });
    worked.await.map_err(|_| Reply::fault("the work on this request failed"))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;

    #[tokio::test]
    async fn work_beyond_the_limit_is_refused() {
        let limits = Arc::new(Limits { heavy: 1, ..Limits::default() });
        let state = shared(Library::new(Vec::new()).unwrap(), Vec::new(), limits, Arc::default());
        let held = state.heavy.clone().acquire_owned().await.unwrap();
        let refused = heavy(state.clone(), |_| Ok(())).await.unwrap_err();
        assert_eq!(refused.into_response().status(), StatusCode::TOO_MANY_REQUESTS);
        drop(held);
        assert!(heavy(state, |_| Ok(())).await.is_ok());
    }
}
