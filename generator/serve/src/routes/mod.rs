//! The paths of the interface and what answers on each.

mod cram;
mod games;
mod heaps;
mod opponent;
mod page;

use crate::cram::CramBoard;
use crate::flight::Flight;
use crate::heaps::HeapGame;
use crate::host;
use crate::job::Jobs;
use crate::library::Library;
use crate::limits::Limits;
use crate::metrics::{self, Metrics};
use crate::rate::{self, Buckets};
use crate::reply::Reply;
use axum::extract::{FromRef, State as Extract};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method, Uri};
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use morpion_grundy::GrundyTable;
use serde_json::{Value, json};
use std::sync::Arc;

/// What all requests share. Each handler takes its part.
#[derive(Clone, FromRef)]
pub struct State {
    library: Arc<Library>,
    heaps: heaps::Games,
    cram: cram::Boards,
    metrics: Arc<Metrics>,
    flight: Arc<Flight>,
    buckets: Arc<Buckets>,
    jobs: Jobs,
}

impl State {
    /// Nothing asked yet.
    pub fn new(
        library: Library,
        grundy: Vec<GrundyTable>,
        limits: Arc<Limits>,
        metrics: Arc<Metrics>,
    ) -> State {
        let (cram, heaps) = grundy.into_iter().partition(|table| table.cram().is_ok());
        let flight = Flight::new(limits.in_flight, metrics.clone());
        State {
            library: Arc::new(library),
            heaps: HeapGame::all(heaps).into(),
            cram: CramBoard::all(cram).into(),
            metrics,
            buckets: Arc::new(Buckets::new(limits.rate)),
            jobs: Jobs::new(limits, flight.clone()),
            flight,
        }
    }

    /// The longer requests.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }
}

/// The server without its connections: from a request to an answer. Where it is `local`, requests have to name this machine.
pub fn router(state: State, local: bool) -> Router {
    let routes = Router::new()
        .route("/healthz", get(healthy))
        .route("/metrics", get(show_metrics))
        .route("/api/v1/openapi.json", get(openapi))
        .route("/api/v1/games", get(games::games))
        .route("/api/v1/games/{game}", get(games::game))
        .route("/api/v1/games/{game}/position", get(games::position))
        .route("/api/v1/games/{game}/line", get(games::line))
        .route("/api/v1/games/{game}/positions", post(games::positions))
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
        .fallback(page::show);
    let routes = if local { routes.layer(from_fn(host::check)) } else { routes };
    routes
        .layer(from_fn_with_state(state.clone(), rate::limit))
        .layer(from_fn_with_state(state.clone(), metrics::count))
        .layer(map_response(guard))
        .with_state(state)
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

/// `GET /healthz`
async fn healthy(Extract(library): Extract<Arc<Library>>) -> Json<Value> {
    Json(json!({ "status": "ok", "games": library.entries().len() }))
}

/// `GET /metrics`
async fn show_metrics(Extract(state): Extract<State>) -> Result<Response, Reply> {
    state.metrics.jobs.set(state.jobs.open() as i64);
    state.metrics.in_flight.set(state.flight.used() as i64);
    state.metrics.show()
}

/// `GET /api/v1/openapi.json`
async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], include_str!("../openapi.json")).into_response()
}

async fn wrong_method(method: Method, uri: Uri) -> Reply {
    let expected = if uri.path().ends_with("/positions") { "POST" } else { "GET" };
    Reply::method(format!("{method} is not answered here: expected {expected}"))
}
