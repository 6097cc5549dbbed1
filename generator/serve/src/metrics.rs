//! Counters and durations of requests, as OpenMetrics text for `/metrics`.

use crate::handler::Answer;
use crate::refusal::Refusal;
use axum::body::Bytes;
use axum::http::StatusCode;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use schemars::{Schema, SchemaGenerator, json_schema};
use std::array;
use std::time::Duration;

/// A label with its value.
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
    /// All counters.
    pub(crate) fn text(&self) -> Result<OpenMetrics, Refusal> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(OpenMetrics(text))
    }

    /// Counts a request. `route` is the template of its path, since clients can send arbitrarily many paths.
    pub(crate) fn count(&self, route: String, status: StatusCode, time: Duration) {
        if status.is_client_error() || status.is_server_error() {
            self.errors.inc();
        }
        let route = ("route", route);
        self.latency.get_or_create(array::from_ref(&route)).observe(time.as_secs_f64());
        self.requests.get_or_create(&[route, ("status", status.as_str().to_owned())]).inc();
    }
}

/// Counters as text.
pub(crate) struct OpenMetrics(String);

impl Answer for OpenMetrics {
    const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }

    fn write(self) -> Result<Bytes, Refusal> {
        Ok(self.0.into())
    }
}
