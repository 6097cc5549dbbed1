//! Counters and durations of requests, as OpenMetrics text for `/metrics`.

use axum::extract::{MatchedPath, Request, State as Extract};
use axum::middleware::Next;
use axum::response::Response;
use prometheus_client::encoding::{EncodeLabelSet, text::encode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// Labels of a request. The path is counted by its template, since clients can send arbitrarily many paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

/// The counters.
pub struct Metrics {
    registry: Registry,
    requests: Family<Labels, Counter>,
    errors: Counter,
    latency: Family<Route, Histogram, fn() -> Histogram>,
    /// Number of open connections.
    pub connections: Gauge,
    /// Number of open longer requests.
    pub jobs: Gauge,
    /// Bytes of answers that wait to be sent.
    pub in_flight: Gauge,
}

/// Upper bounds of the latency's buckets, in seconds.
const BUCKETS: [f64; 12] =
    [50e-6, 100e-6, 200e-6, 500e-6, 1e-3, 2e-3, 5e-3, 10e-3, 50e-3, 0.1, 1.0, 10.0];

impl Default for Metrics {
    /// Creates counters at zero.
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("morpion");
        let histogram: fn() -> Histogram = || Histogram::new(BUCKETS);
        let metrics = Metrics {
            requests: Family::default(),
            errors: Counter::default(),
            latency: Family::new_with_constructor(histogram),
            connections: Gauge::default(),
            jobs: Gauge::default(),
            in_flight: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register("requests", "Requests answered", metrics.requests.clone());
        registry.register(
            "errors",
            "Requests answered with a status of 400 or above",
            metrics.errors.clone(),
        );
        registry.register_with_unit(
            "latency",
            "Time from the head of a request to its answer",
            Unit::Seconds,
            metrics.latency.clone(),
        );
        registry.register("connections", "Connections open", metrics.connections.clone());
        registry.register("jobs", "Longer requests that are open", metrics.jobs.clone());
        registry.register_with_unit(
            "in_flight",
            "Longer answers that wait to be sent",
            Unit::Bytes,
            metrics.in_flight.clone(),
        );
        Metrics { registry, ..metrics }
    }
}

impl Metrics {
    /// All counters as text.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// Counts a request and the time it took.
pub(crate) async fn count(
    Extract(metrics): Extract<Arc<Metrics>>,
    request: Request,
    next: Next,
) -> Response {
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or_else(|| "other".to_owned(), |path| path.as_str().to_owned());
    let began = Instant::now();
    let response = next.run(request).await;
    let seconds = began.elapsed().as_secs_f64();
    let status = response.status().as_u16();
    if status >= 400 {
        metrics.errors.inc();
    }
    metrics.latency.get_or_create(&Route { route: route.clone() }).observe(seconds);
    metrics.requests.get_or_create(&Labels { route, status }).inc();
    response
}
