//! The paths of the interface, and the layers that every request passes.

mod data;
mod games;
mod impartial;
mod own;
mod page;
mod play;
mod status;

use crate::client::Network;
use crate::config::Config;
use crate::host;
use crate::interface::body::IsRead;
use crate::interface::handler::{long, post, short};
use crate::interface::routes::Routes;
use crate::log::Entry;
use crate::refusal::Refusal;
use crate::served::Served;
use crate::state::{Shared, State};
use axum::Router;
use axum::body::HttpBody;
use axum::extract::{MatchedPath, OriginalUri, Request, State as Extract};
use axum::http::header::{
    CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::io;
use std::sync::Arc;
use std::time::{Instant, SystemTime};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};

/// All paths with their handlers.
fn routes() -> Routes {
    // Other sites must not use this server to solve rules. Browsers ask for permission before they post JSON across
    // sites, and do not get it.
    let private = Routes::default()
        .route(
            "/healthz",
            ["health", "Reports that the server is alive."],
            &[],
            short(status::healthy),
        )
        .route(
            "/metrics",
            ["metrics", "Counters of requests and connections."],
            &[],
            short(status::metrics),
        )
        .route("/api/v1/rules", ["rules", "Describes a rule file."], &[422], post(own::outline))
        .route(
            "/api/v1/rules/moves",
            ["moves", "The moves of a position of a game without a table."],
            &[422],
            post(own::moves),
        )
        .route("/api/v1/rules/table", ["solve", "Solves a small game."], &[422], post(own::solve))
        .route(
            "/api/v1/rules/judge",
            ["judgeRules", "Facts by which to judge a small game."],
            &[422],
            post(own::judge),
        );
    let shared = private
        .shared()
        .route(
            "/api/v1/openapi.json",
            ["openapi", "This description."],
            &[],
            short(status::description),
        )
        .route("/api/v1/players", ["players", "The weakest first."], &[], short(play::players))
        .route(
            "/api/v1/puzzles",
            ["puzzles", "The games that have puzzles, with their grades."],
            &[500],
            long(play::puzzles),
        )
        .route(
            "/api/v1/puzzles/{number}",
            ["puzzle", "One puzzle."],
            &[404, 500],
            long(play::puzzle),
        );
    impartial::add(games::add(shared))
}

/// Makes the service for all requests, before connections are handled. Longer requests have so many threads.
///
/// # Errors
/// If the log cannot be written.
pub(crate) fn service(
    served: Served,
    config: Config,
    threads: usize,
) -> io::Result<(Router, State)> {
    let mut routes = routes();
    let document = routes.document(&config.base).to_string().into();
    let state = State::new(Shared::new(config, document, threads)?, served);
    let config = &state.shared.config;
    let router = routes.router.route("/data/{*path}", get(data::show)).fallback(page::show);
    // Tables are not compressed again for each visitor.
    let compressed = DefaultPredicate::new().and(NotForContentType::const_new(data::TABLE));
    let layered = |router: Router<State>| {
        let layers = (
            SetRequestIdLayer::x_request_id(MakeRequestUuid),
            PropagateRequestIdLayer::x_request_id(),
            from_fn_with_state(state.shared.clone(), pass),
            CompressionLayer::new().compress_when(compressed.clone()),
        );
        router.layer(layers).with_state(state.clone())
    };
    let router = layered(router);
    let router = match config.base.trim_end_matches('/') {
        "" => router,
        base => {
            let outside = layered(Router::new().fallback(page::nothing));
            Router::new().nest_service(base, router).fallback_service(outside)
        }
    };
    Ok((router, state))
}

/// The policy of a lesson, which contains its style and its script, and is kept away from everything else by the sandbox.
const LESSON: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; sandbox allow-scripts allow-modals",
);

/// Headers of all answers, besides the policy.
const SECURITY: [(HeaderName, &str); 2] =
    [(X_CONTENT_TYPE_OPTIONS, "nosniff"), (REFERRER_POLICY, "no-referrer")];

/// Admits, answers, counts and logs a request.
async fn pass(Extract(shared): Extract<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    let (began, time, client) =
        (Instant::now(), SystemTime::now(), shared.clients.client(&request));
    let (method, target) = (request.method().clone(), request.uri().clone());
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("other", |path| path.as_str()).to_owned();
    let network = Network::of(client);
    request.extensions_mut().insert(network);
    let is_read = IsRead::default();
    if request.body().is_end_stream() {
        is_read.set();
    }
    request.extensions_mut().insert(is_read.clone());
    // A proxy that keeps a path private would let its double slash pass.
    let path = request.extensions().get::<OriginalUri>().map_or(target.path(), |uri| uri.path());
    let is_plain = || match path.contains("//") {
        true => Err(Refusal::new(404, "nothing at a path with two slashes in a row")),
        false => Ok(()),
    };
    let admitted =
        shared.clients.admit(network).and_then(|()| host::check(&shared.config, &request));
    let admitted = admitted.and_then(|()| is_plain());
    let mut response = match admitted {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    if !is_read.get() {
        // The connection is closed instead of reading the rest of the body.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let (status, bytes) = (response.status(), response.body().size_hint().exact());
    let duration = began.elapsed();
    shared.metrics.count(&route, status, duration);
    if let Some(log) = &shared.log {
        log.add(&Entry { time, client, method, target, status, bytes, duration });
    }
    let is_page = |kind: &HeaderValue| kind.as_bytes().starts_with(b"text/html");
    let is_lesson =
        route.ends_with("/lesson") && response.headers().get(CONTENT_TYPE).is_some_and(is_page);
    let policy = if is_lesson { LESSON } else { shared.policy.clone() };
    ([(CONTENT_SECURITY_POLICY, policy)], SECURITY, response).into_response()
}
