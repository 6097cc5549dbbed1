//! Counters and durations of requests, as OpenMetrics text for `/metrics`.

use crate::share::Shares;
use axum::http::StatusCode;
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The counters.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Some thirty routes, in the order of their first requests.
    routes: Mutex<Vec<Route>>,
    /// Number of open connections.
    pub connections: AtomicUsize,
}

/// Requests of one route.
struct Route {
    /// Template of its path.
    path: String,
    /// Number of requests by status, in the order of their first requests.
    statuses: Vec<(u16, u64)>,
    /// Number of requests answered within the bound of each bucket.
    within: [u64; BUCKETS.len()],
    /// Sum of all latencies.
    time: Duration,
}

/// Upper bounds of the latency's buckets, in seconds, as numbers and as text.
const BUCKETS: [(f64, &str); 12] = [
    (50e-6, "0.00005"),
    (100e-6, "0.0001"),
    (200e-6, "0.0002"),
    (500e-6, "0.0005"),
    (1e-3, "0.001"),
    (2e-3, "0.002"),
    (5e-3, "0.005"),
    (10e-3, "0.01"),
    (50e-3, "0.05"),
    (0.1, "0.1"),
    (1.0, "1.0"),
    (10.0, "10.0"),
];

impl Metrics {
    /// Counts a request. `route` is the template of its path, since clients can send arbitrarily many paths.
    pub(crate) fn count(&self, route: &str, status: StatusCode, time: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let at = routes.iter().position(|each| each.path == route).unwrap_or_else(|| {
            let (within, time) = ([0; BUCKETS.len()], Duration::ZERO);
            routes.push(Route { path: route.into(), statuses: Vec::new(), within, time });
            routes.len() - 1
        });
        let route = &mut routes[at];
        let status = status.as_u16();
        match route.statuses.iter_mut().find(|(each, _)| *each == status) {
            Some((_, count)) => *count += 1,
            None => route.statuses.push((status, 1)),
        }
        for ((bound, _), within) in BUCKETS.into_iter().zip(&mut route.within) {
            *within += u64::from(time.as_secs_f64() <= bound);
        }
        route.time += time;
    }

    /// Writes all counters, with the shares of the server that are occupied, and the number of dropped lines of the log.
    pub(crate) fn text(&self, shares: &Shares, dropped: u64) -> Result<String, fmt::Error> {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        describe(&mut text, "requests", "counter", "Requests answered")?;
        for Route { path, statuses, .. } in &*routes {
            for (status, count) in statuses {
                let labels = format!("route=\"{path}\",status=\"{status}\"");
                writeln!(text, "morpion_requests_total{{{labels}}} {count}")?;
            }
        }
        let help = "Lines of the access log that nobody read in time";
        describe(&mut text, "dropped_log_lines", "counter", help)?;
        writeln!(text, "morpion_dropped_log_lines_total {dropped}")?;
        let help = "Time from the head of a request to its answer";
        describe(&mut text, "latency_seconds", "histogram", help)?;
        for Route { path, statuses, within, time } in &*routes {
            let count: u64 = statuses.iter().map(|(_, count)| count).sum();
            let seconds = time.as_secs_f64();
            writeln!(text, "morpion_latency_seconds_sum{{route=\"{path}\"}} {seconds}")?;
            writeln!(text, "morpion_latency_seconds_count{{route=\"{path}\"}} {count}")?;
            let bounds = BUCKETS.map(|(_, bound)| bound).into_iter().chain(["+Inf"]);
            for (bound, within) in bounds.zip(within.iter().chain([&count])) {
                let labels = format!("le=\"{bound}\",route=\"{path}\"");
                writeln!(text, "morpion_latency_seconds_bucket{{{labels}}} {within}")?;
            }
        }
        let connections = self.connections.load(Ordering::Relaxed);
        let [jobs, bodies, answers] = shares.occupied();
        for (name, help, value) in [
            ("connections", "Connections open", connections),
            ("jobs", "Longer requests that are open", jobs),
            ("body_bytes", "Bodies that are received", bodies),
            ("in_flight_bytes", "Longer answers that wait to be sent", answers),
        ] {
            describe(&mut text, name, "gauge", help)?;
            writeln!(text, "morpion_{name} {value}")?;
        }
        text += "# EOF\n";
        Ok(text)
    }
}

/// Writes the description of a metric. Its name ends with its unit, if it has one.
fn describe(text: &mut String, name: &str, kind: &str, help: &str) -> fmt::Result {
    writeln!(text, "# HELP morpion_{name} {help}.\n# TYPE morpion_{name} {kind}")?;
    match name.rsplit_once('_') {
        Some((_, unit)) => writeln!(text, "# UNIT morpion_{name} {unit}"),
        None => Ok(()),
    }
}
