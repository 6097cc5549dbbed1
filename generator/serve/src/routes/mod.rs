//! The paths of the interface, and the layers that every request passes.

mod games;
mod impartial;
mod own;
mod page;
mod play;
mod uwapi;

use crate::api::Routes;
use crate::client::{Clients, Network};
use crate::handler::{Written, long, post, short};
use crate::library::{Library, ServedGame};
use crate::log::{AccessLog, Entry};
use crate::metrics::{Metrics, OpenMetrics};
use crate::refusal::Refusal;
use crate::share::Shares;
use crate::{Config, host};
use axum::Router;
use axum::body::{Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State as Extract};
use axum::http::HeaderName;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use morpion_grundy::GrundyTable;
use morpion_impartial_routes::Games;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};
use tokio::sync::Mutex;
use tower_http::compression::CompressionLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};

/// State that all requests share.
pub(crate) type State = Arc<Shared>;

/// Tables, counters and limits.
pub(crate) struct Shared {
    pub games: Box<[Arc<ServedGame>]>,
    impartial: Games,
    /// The description of the interface.
    document: Bytes,
    pub metrics: Metrics,
    pub config: Config,
    pub shares: Shares,
    /// Set when longer requests have to give up.
    pub stopping: AtomicBool,
    clients: Clients,
    pub log: Option<AccessLog>,
    /// Held while a game is solved: one at a time, since each uses all cores.
    solving: Mutex<()>,
}

/// All paths with their handlers.
fn routes() -> Routes {
    // Other sites must not use this server to solve rules. Browsers ask for permission before they post JSON across
    // sites, and do not get it.
    let private = Routes::default()
        .route("/healthz", ["health", "Reports that the server is alive."], &[], short(healthy))
        .route(
            "/metrics",
            ["metrics", "Counters of requests and connections."],
            &[],
            short(show_metrics),
        )
        .route("/api/v1/rules", ["rules", "Describes a rule file."], &[422], post(own::outline))
        .route("/api/v1/rules/table", ["solve", "Solves a small game."], &[422], post(own::solve));
    let shared = private
        .shared()
        .route("/api/v1/openapi.json", ["openapi", "This description."], &[], short(describe))
        .route("/api/v1/players", ["players", "The weakest first."], &[], short(play::players))
        .route(
            "/api/v1/puzzles/{number}",
            ["puzzle", "One puzzle."],
            &[404, 500],
            long(play::puzzle),
        );
    impartial::add(games::add(shared))
}

/// Makes the service for all requests, before connections are handled. Longer requests have so many threads.
pub(crate) fn service(
    library: &Library,
    grundy: Vec<GrundyTable>,
    config: Config,
    threads: usize,
) -> io::Result<(Router, State)> {
    let mut routes = routes();
    let limits = &config.limits;
    let state = Arc::new(Shared {
        games: library.games.clone(),
        impartial: Games::new(grundy),
        document: routes.document(&config.base).to_string().into(),
        metrics: Metrics::default(),
        shares: Shares::new(limits, threads),
        stopping: AtomicBool::new(false),
        clients: Clients::new(limits.rate, config.trust_proxy),
        log: config.log.map(AccessLog::start).transpose()?,
        config,
        solving: Mutex::default(),
    });
    let router = match state.config.uwapi {
        true => uwapi::router().fallback(page::nothing),
        false => routes.router.fallback(page::show),
    };
    let layered = |router: Router<State>| {
        let layers = (
            SetRequestIdLayer::x_request_id(MakeRequestUuid),
            PropagateRequestIdLayer::x_request_id(),
            from_fn_with_state(state.clone(), pass),
            CompressionLayer::new(),
        );
        router.layer(layers).with_state(state.clone())
    };
    let router = layered(router);
    let router = match state.config.base.trim_end_matches('/') {
        "" => router,
        base => {
            let outside = layered(Router::new().fallback(page::nothing));
            Router::new().nest_service(base, router).fallback_service(outside)
        }
    };
    Ok((router, state))
}

/// Headers that forbid browsers to load anything from other sites, or to show the page inside another page.
const SECURITY: [(HeaderName, &str); 3] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
];

/// Admits, answers, counts and logs a request.
async fn pass(Extract(state): Extract<State>, mut request: Request, next: Next) -> Response {
    let (began, time, client) = (Instant::now(), SystemTime::now(), state.clients.client(&request));
    let (method, target) = (request.method().clone(), request.uri().clone());
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("other", |path| path.as_str()).to_owned();
    let network = Network::of(client);
    request.extensions_mut().insert(network);
    let admitted = state.clients.admit(network).and_then(|()| host::check(&state.config, &request));
    let response = match admitted {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let (status, bytes) = (response.status(), response.body().size_hint().exact());
    let duration = began.elapsed();
    state.metrics.count(&route, status, duration);
    if let Some(log) = &state.log {
        log.add(&Entry { time, client, method, target, status, bytes, duration });
    }
    (SECURITY, response).into_response()
}

#[derive(Serialize, JsonSchema)]
struct Health {
    /// Number of games.
    games: usize,
    status: Status,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
}

fn healthy(state: State) -> Result<Health, Refusal> {
    Ok(Health { games: state.games.len(), status: Status::Ok })
}

fn show_metrics(state: State) -> Result<OpenMetrics, Refusal> {
    let dropped = state.log.as_ref().map_or(0, AccessLog::dropped);
    state.metrics.text(&state.shares, dropped)
}

/// An OpenAPI document.
#[derive(JsonSchema)]
struct OpenApi(#[schemars(with = "Map<String, Value>")] ());

fn describe(state: State) -> Result<Written<OpenApi>, Refusal> {
    Ok(Written::new(state.document.clone()))
}
