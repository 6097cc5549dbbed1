//! The paths of the interface, and the layers that every request passes.

mod games;
mod page;
mod status;

use crate::refusal::Refusal;
use crate::state::State;
use crate::{data, host};
use axum::Router;
use axum::body::HttpBody;
use axum::extract::{Request, State as Extract};
use axum::http::header::{
    CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::cors::{Any, CorsLayer};

/// Makes the service for all requests, before connections are handled.
pub(crate) fn service(state: &Arc<State>) -> Router {
    // Other sites can read these answers. This is safe, since tables are public and answers do not depend on the client.
    let sharing = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::OPTIONS])
        .allow_headers([CONTENT_TYPE])
        .max_age(Duration::from_secs(86_400));
    let shared = Router::new()
        .route("/api/v1/openapi.json", get(status::description))
        .route("/api/v1/games", get(games::list))
        .route("/api/v1/games/{game}", get(games::describe))
        .route("/api/v1/games/{game}/position", get(games::position))
        .route("/api/v1/games/{game}/line", get(games::line))
        .route("/api/v1/games/{game}/positions", post(games::positions))
        .method_not_allowed_fallback(wrong_method)
        .layer(sharing);
    let router = shared
        .route("/healthz", get(status::health))
        .route("/metrics", get(status::metrics))
        .route("/data/{*path}", get(data::show))
        .fallback(page::show)
        .method_not_allowed_fallback(wrong_method);
    let router = match state.config.base.trim_end_matches('/') {
        "" => router,
        base => {
            let below = router.with_state(state.clone());
            Router::new().nest_service(base, below).fallback(page::nothing)
        }
    };
    // Tables are not compressed again for each visitor.
    let compressed = DefaultPredicate::new().and(NotForContentType::const_new(data::TABLE));
    let layers = (
        from_fn_with_state(state.clone(), pass),
        CompressionLayer::new().compress_when(compressed),
    );
    router.layer(layers).with_state(state.clone())
}

/// Answers 405 to a method that the path does not have.
async fn wrong_method(method: Method) -> Refusal {
    Refusal::new(405, format!("{method} is not allowed here: use a method of the header `allow`"))
}

/// Headers of all answers, besides the policy.
const SECURITY: [(HeaderName, &str); 2] =
    [(X_CONTENT_TYPE_OPTIONS, "nosniff"), (REFERRER_POLICY, "no-referrer")];

/// Admits, counts and answers a request.
async fn pass(Extract(state): Extract<Arc<State>>, request: Request, next: Next) -> Response {
    state.requests.fetch_add(1, Ordering::Relaxed);
    let has_body = !request.body().is_end_stream();
    // Two slashes are refused, since such a path could evade a proxy that keeps the path private.
    let admitted = match request.uri().path().contains("//") {
        true => Err(Refusal::new(404, "nothing at a path with two slashes in a row")),
        false => host::check(&state.config, &request),
    };
    let mut response = match admitted {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    if has_body && !response.status().is_success() {
        // The body may be refused unread. Closing the connection avoids reading its rest.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    ([(CONTENT_SECURITY_POLICY, state.policy.clone())], SECURITY, response).into_response()
}
