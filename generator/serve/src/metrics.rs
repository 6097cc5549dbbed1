//! Counters and durations of requests, as OpenMetrics text for `/metrics`.

use axum::extract::{MatchedPath, Request, State as Extract};
use axum::middleware::Next;
use axum::response::Response;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::array;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// A label with its value. The path of a request is counted by its template, since clients can send arbitrarily many
/// paths.
type Label = (&'static str, String);

/// The counters.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<[Label; 2], Counter>,
    errors: Counter,
    latency: Family<[Label; 1], Histogram, fn() -> Histogram>,
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
        let (requests, errors) = (Family::default(), Counter::default());
        let latency = Family::new_with_constructor((|| Histogram::new(BUCKETS)) as fn() -> _);
        let [connections, jobs, in_flight] = [(); 3].map(|()| Gauge::default());
        registry.register("requests", "Requests answered", requests.clone());
        let help = "Requests answered with a status of 400 or above";
        registry.register("errors", help, errors.clone());
        let help = "Time from the head of a request to its answer";
        registry.register_with_unit("latency", help, Unit::Seconds, latency.clone());
        registry.register("connections", "Connections open", connections.clone());
        registry.register("jobs", "Longer requests that are open", jobs.clone());
        let help = "Longer answers that wait to be sent";
        registry.register_with_unit("in_flight", help, Unit::Bytes, in_flight.clone());
        Metrics { registry, requests, errors, latency, connections, jobs, in_flight }
    }
}

impl Metrics {
    /// All counters as text.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(crate) fn text(&self) -> Result<String, fmt::Error> {
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
    let route = ("route", route);
    metrics.latency.get_or_create(array::from_ref(&route)).observe(seconds);
    metrics.requests.get_or_create(&[route, ("status", status.to_string())]).inc();
    response
}
