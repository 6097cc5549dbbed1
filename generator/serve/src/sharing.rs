//! What pages of other sites may read (CORS).
//!
//! In: a request to the interface. Out: its answer, marked so that browsers hand it to any page; where a browser asks first
//! what may be asked (`OPTIONS`), that. Tables are public, and nothing here knows who asks.

use crate::protocol::Protocol;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Rules are posted here and solved, which other sites should not have done at the cost of this server:
/// browsers ask first whether they may post JSON, and are not told so here.
const RULES: &str = "/api/v1/rules";

/// Whether a path is shared: of the explorer what is read, not the page, nor what watches the server.
fn is_shared(protocol: Protocol, path: &str) -> bool {
    protocol == Protocol::Uwapi || path.starts_with("/api/") && !path.starts_with(RULES)
}

/// The method of a path besides `HEAD` and `OPTIONS`: batches and rules are posted, all else is got.
pub(crate) fn method_of(path: &str) -> Method {
    let is_batch = path.starts_with("/api/v1/") && path.ends_with("/positions");
    let is_posted = is_batch || path.starts_with(RULES);
    if is_posted { Method::POST } else { Method::GET }
}

/// Answers `OPTIONS`, and marks the answers of the interface.
pub(crate) async fn share(
    State(protocol): State<Protocol>,
    request: Request,
    next: Next,
) -> Response {
    if !is_shared(protocol, request.uri().path()) {
        return next.run(request).await;
    }
    let mut response = match *request.method() {
        Method::OPTIONS => options(request.uri().path()),
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after"));
    response
}

fn options(path: &str) -> Response {
    let methods = match method_of(path) {
        Method::POST => "POST, OPTIONS",
        _ => "GET, HEAD, OPTIONS",
    };
    let headers = [
        (ALLOW, methods),
        (ACCESS_CONTROL_ALLOW_METHODS, methods),
        (ACCESS_CONTROL_ALLOW_HEADERS, "content-type"),
        (ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
