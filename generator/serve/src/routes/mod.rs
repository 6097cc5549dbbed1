//! The paths of the interface.
//!
//! In: what all requests share. Out: a router from a request to its answer, and the description of all its routes.

mod cram;
mod games;
mod heaps;
mod opponent;
mod own;
mod page;
mod puzzles;
mod state;
mod uwapi;

pub(crate) use state::State;

use crate::flight::Flight;
use crate::host;
use crate::interface;
use crate::job::Jobs;
use crate::json::Json;
use crate::library::Library;
use crate::metrics::{self, Metrics};
use crate::protocol::Protocol;
use crate::rate;
use crate::reasons::RateLimited;
use crate::refusal::Refusal;
use crate::sharing;
use axum::Router;
use axum::extract::State as Extract;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method, Uri};
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::{Arc, LazyLock};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// All paths with what answers on each. Whatever is added here is in the description of the interface.
fn described() -> OpenApiRouter<State> {
    OpenApiRouter::with_openapi(interface::empty())
        .routes(routes!(healthy))
        .routes(routes!(show_metrics))
        .routes(routes!(openapi))
        .routes(routes!(games::games))
        .routes(routes!(games::game))
        .routes(routes!(games::position))
        .routes(routes!(games::line))
        .routes(routes!(games::rules))
        .routes(routes!(games::positions))
        .routes(routes!(opponent::show))
        .routes(routes!(heaps::games))
        .routes(routes!(heaps::game))
        .routes(routes!(heaps::position))
        .routes(routes!(heaps::line))
        .routes(routes!(heaps::positions))
        .routes(routes!(cram::boards))
        .routes(routes!(cram::board))
        .routes(routes!(cram::position))
        .routes(routes!(cram::line))
        .routes(routes!(cram::positions))
        .routes(routes!(opponent::players))
        .routes(routes!(puzzles::show))
        .routes(routes!(own::outline))
        .routes(routes!(own::solve))
}

/// The server without its connections: from a request to an answer. Where it is `local`, requests have to name this machine.
pub(crate) fn router(state: State, local: bool, protocol: Protocol) -> Router {
    let routes = match protocol {
        Protocol::Explorer => Router::from(described()).fallback(page::show),
        Protocol::Uwapi => uwapi::router().fallback(uwapi::nothing),
    };
    let routes = routes.method_not_allowed_fallback(wrong_method);
    let routes = if local { routes.layer(from_fn(host::check)) } else { routes };
    routes
        .layer(from_fn_with_state(state.clone(), rate::limit))
        .layer(from_fn_with_state(protocol, sharing::share))
        .layer(from_fn_with_state(state.clone(), metrics::count))
        .layer(map_response(add_security_headers))
        .with_state(state)
}

/// Adds the headers that let browsers load nothing from elsewhere, and show the page in no frame of another.
async fn add_security_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                  manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// Sent by a server that answers.
#[derive(Serialize, ToSchema)]
struct Health {
    /// How many games there are.
    games: usize,
    status: Status,
}

/// How the server is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
}

/// Whether the server answers.
#[utoipa::path(
    get, path = "/healthz", operation_id = "health",
    responses((status = 200, description = "It does.", body = Health), RateLimited),
)]
async fn healthy(Extract(library): Extract<Arc<Library>>) -> Json<Health> {
    Json(Health { games: library.games(), status: Status::Ok })
}

/// Requests, latency, errors and connections, as OpenMetrics text.
#[utoipa::path(
    get, path = "/metrics", operation_id = "metrics",
    responses(
        (status = 200, description = "The counters.", body = String, content_type = "application/openmetrics-text"),
        RateLimited,
    ),
)]
async fn show_metrics(
    Extract(metrics): Extract<Arc<Metrics>>,
    Extract(jobs): Extract<Jobs>,
    Extract(flight): Extract<Arc<Flight>>,
) -> Result<Response, Refusal> {
    metrics.jobs.set(jobs.open() as i64);
    metrics.in_flight.set(flight.used() as i64);
    let text = metrics.text().map_err(|error| Refusal::fault(error.to_string()))?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(CONTENT_TYPE, kind)], text).into_response())
}

/// This description.
#[utoipa::path(
    get, path = "/api/v1/openapi.json", operation_id = "openapi",
    responses((status = 200, description = "An OpenAPI document.", body = Object), RateLimited),
)]
async fn openapi() -> Result<Response, Refusal> {
    static DOCUMENT: LazyLock<serde_json::Result<Vec<u8>>> =
        LazyLock::new(|| interface::to_json(described().get_openapi()));
    let document = DOCUMENT.as_ref().map_err(|error| Refusal::fault(error.to_string()))?;
    Ok(([(CONTENT_TYPE, "application/json")], document.as_slice()).into_response())
}

async fn wrong_method(method: Method, uri: Uri) -> Refusal {
    let expected = sharing::method_of(uri.path());
    Refusal::method(format!("{method} is not answered here: expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn objects<'v>(value: &'v Value, visit: &mut impl FnMut(&'v Value)) {
        visit(value);
        match value {
            Value::Array(items) => items.iter().for_each(|item| objects(item, visit)),
            Value::Object(fields) => fields.values().for_each(|item| objects(item, visit)),
            _ => {}
        }
    }

    #[test]
    fn the_description_is_closed_and_names_nothing_that_is_missing() {
        let json = interface::to_json(described().get_openapi()).unwrap();
        let document: Value = serde_json::from_slice(&json).unwrap();
        objects(&document, &mut |value| {
            if let Some(path) = value["$ref"].as_str() {
                let found = document.pointer(path.trim_start_matches('#'));
                assert!(found.is_some_and(Value::is_object), "{path}");
            }
            if value["properties"].is_object() && value["type"] == "object" {
                assert_eq!(value["additionalProperties"], false, "{value}");
            }
            assert!(value["allOf"].is_null(), "{value}");
        });
    }

    #[test]
    fn what_may_be_null_is_required_and_what_may_be_missing_is_not() {
        let json = interface::to_json(described().get_openapi()).unwrap();
        let document: Value = serde_json::from_slice(&json).unwrap();
        let description = &document["components"]["schemas"]["Description"];
        let required = description["required"].as_array().unwrap();
        for field in ["game", "start", "pieces", "links", "moves", "opening", "census"] {
            assert!(required.iter().any(|name| name == field), "{field}");
        }
        let answer = &document["components"]["schemas"]["Answer"];
        let required = answer["required"].as_array().unwrap();
        for (field, is_required) in [("plies", true), ("draw", false), ("over", false)] {
            assert_eq!(required.iter().any(|name| name == field), is_required, "{field}");
        }
    }
}
