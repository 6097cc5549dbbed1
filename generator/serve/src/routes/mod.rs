//! The paths of the interface, and the layers that every request passes.

mod games;
mod impartial;
mod opponent;
mod own;
mod page;
mod puzzles;
mod state;
mod uwapi;

pub(crate) use state::State;

use crate::client::{self, Clients};
use crate::extract::All;
use crate::host::{self, Hosts};
use crate::interface::{self, Interface};
use crate::job::Jobs;
use crate::library::ServedGame;
use crate::log;
use crate::metrics::{self, Metrics};
use crate::reasons::RateLimited;
use crate::refusal::Refusal;
use crate::{Config, Protocol};
use axum::body::Bytes;
use axum::extract::State as Extract;
use axum::http::Method;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use impartial::{CramBoard, HeapGame};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any, CorsLayer};
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use utoipa::openapi::OpenApi as Description;
use utoipa::{OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Paths with their handlers, grouped by the access that other sites have. Every handler that is added here becomes
/// part of the interface's description.
fn groups() -> [(OpenApiRouter<State>, Option<CorsLayer>); 4] {
    let [heaps, heap_batches] = impartial::routes::<HeapGame>();
    let [cram, cram_batches] = impartial::routes::<CramBoard>();
    let watching = OpenApiRouter::new().routes(routes!(healthy)).routes(routes!(show_metrics));
    let read = OpenApiRouter::new()
        .routes(routes!(openapi))
        .routes(routes!(games::games))
        .routes(routes!(games::game))
        .routes(routes!(games::position))
        .routes(routes!(games::line))
        .routes(routes!(games::rules))
        .routes(routes!(opponent::show))
        .merge(heaps)
        .merge(cram)
        .routes(routes!(opponent::players))
        .routes(routes!(puzzles::show));
    let batches = OpenApiRouter::new()
        .routes(routes!(games::positions))
        .merge(heap_batches)
        .merge(cram_batches);
    // Other sites must not use this server to solve rules. Browsers ask for permission before they post JSON across
    // sites, and without a CORS layer they do not get it.
    let own = OpenApiRouter::new().routes(routes!(own::outline)).routes(routes!(own::solve));
    [
        (watching, None),
        (read, Some(shared([Method::GET, Method::HEAD, Method::OPTIONS]))),
        (batches, Some(shared([Method::POST, Method::OPTIONS]))),
        (own, None),
    ]
}

/// The description of all paths.
fn described() -> Description {
    let all = OpenApiRouter::with_openapi(Interface::openapi());
    groups().into_iter().fold(all, |all, (group, _)| all.merge(group)).into_openapi()
}

/// Lets other sites read answers (CORS). This is safe, since tables are public and answers do not depend on the client.
fn shared<const COUNT: usize>(methods: [Method; COUNT]) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods(methods)
        .allow_headers([CONTENT_TYPE])
        .expose_headers([RETRY_AFTER])
        .max_age(Duration::from_secs(86_400))
}

/// Makes the service for all requests, before connections and `base` are handled.
pub(crate) fn router(state: State, config: &Config, clients: Clients) -> Router {
    let routes = match config.protocol {
        Protocol::Explorer => groups()
            .into_iter()
            .map(|(group, cors)| {
                let group = Router::from(group).method_not_allowed_fallback(wrong_method);
                if let Some(cors) = cors { group.layer(cors) } else { group }
            })
            .fold(Router::new(), Router::merge)
            .fallback(page::show),
        Protocol::Uwapi => uwapi::router()
            .method_not_allowed_fallback(wrong_method)
            .layer(shared([Method::GET, Method::HEAD, Method::OPTIONS]))
            .fallback(page::nothing),
    };
    let hosts = Hosts::new(config.listen.ip(), config.hosts.clone());
    let routes = routes
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(hosts, host::check))
        .layer(from_fn_with_state(clients.clone(), client::limit))
        .layer(map_response(add_security_headers))
        .layer(from_fn_with_state(state.clone(), metrics::count))
        .layer(from_fn_with_state(config.log, log::log))
        .layer(from_fn_with_state(clients, client::identify))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .with_state(state);
    match config.base.trim_end_matches('/') {
        "" => routes,
        base => Router::new().nest_service(base, routes).fallback(page::nothing),
    }
}

/// Adds headers that forbid browsers to load anything from other sites, or to show the page inside another page.
async fn add_security_headers(response: Response) -> impl IntoResponse {
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                  manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let headers = [
        (CONTENT_SECURITY_POLICY, policy),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ];
    (headers, response)
}

/// The answer of a running server.
#[derive(Serialize, ToSchema)]
struct Health {
    /// Number of games.
    games: usize,
    status: Status,
}

/// State of the server.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
}

/// Reports that the server is alive.
#[utoipa::path(
    get, path = "/healthz", operation_id = "health",
    responses((status = 200, description = "It is.", body = Health), RateLimited),
)]
async fn healthy(Extract(games): Extract<All<ServedGame>>) -> Json<Health> {
    Json(Health { games: games.len(), status: Status::Ok })
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
) -> Result<Response, Refusal> {
    metrics.jobs.set(jobs.open() as i64);
    metrics.in_flight.set(jobs.in_flight() as i64);
    let text = metrics.text().map_err(|error| Refusal::fault(error.to_string()))?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(CONTENT_TYPE, kind)], text).into_response())
}

/// This description.
#[utoipa::path(
    get, path = "/api/v1/openapi.json", operation_id = "openapi",
    responses((status = 200, description = "An OpenAPI document.", body = Object), RateLimited),
)]
async fn openapi(Extract(Document(document)): Extract<Document>) -> Response {
    ([(CONTENT_TYPE, "application/json")], document).into_response()
}

/// The description of the interface as JSON.
#[derive(Clone)]
pub(crate) struct Document(Bytes);

impl Document {
    /// Describes an interface below the path `base`.
    pub(crate) fn new(base: &str) -> Document {
        let json = interface::to_json(&described(), base);
        Document(json.expect("a description has text keys").into())
    }
}

async fn wrong_method(method: Method) -> Refusal {
    Refusal::method(format!("{method} is not allowed here: use a method of the header `allow`"))
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
    fn the_description_is_closed_and_complete() {
        let json = interface::to_json(&described(), "/").unwrap();
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
    fn nullable_properties_are_required_and_optional_ones_are_not() {
        let json = interface::to_json(&described(), "/").unwrap();
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
