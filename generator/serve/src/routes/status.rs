//! `/healthz`, `/metrics` and the description of the interface.

use crate::refusal::{JSON, Refusal};
use crate::state::State;
use axum::extract::State as Extract;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::SystemTime;

/// Media type of metrics.
const METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers 200 even if tables are damaged, since the other tables are served.
pub(super) async fn health(Extract(state): Extract<Arc<State>>) -> Response {
    let served = state.served();
    let (kept, left_out) = (&served.library.kept, served.library.left_out());
    let is_whole = kept.is_empty() && left_out.is_empty() && !served.is_stale;
    let health = json!({
        "status": if is_whole { "ok" } else { "degraded" }, "games": served.library.games(),
        "kept": kept, "left_out": left_out, "stale": served.is_stale,
    });
    ([(CONTENT_TYPE, JSON)], health.to_string()).into_response()
}

pub(super) async fn metrics(Extract(state): Extract<Arc<State>>) -> Result<Response, Refusal> {
    let served = state.served();
    let library = &served.library;
    let loaded = served.loaded.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let [kept, left_out] = [library.kept.len(), library.left_out().len()].map(|count| count as u64);
    let is_good = u64::from(!served.is_stale && kept == 0);
    let mut text = String::new();
    for (name, help, value) in [
        ("requests", "Requests answered", state.requests.load(Relaxed)),
        ("connections", "Connections open", state.connections.load(Relaxed) as u64),
        ("computing", "Batches and lines that are computed", state.computing() as u64),
        ("tables_served", "Tables served", library.games() as u64),
        ("tables_kept", "Tables served although newer ones are damaged", kept),
        ("tables_left_out", "Tables not served because they are damaged", left_out),
        ("last_load_successful", "1 if the tables could be loaded at the last attempt", is_good),
        ("loaded_timestamp_seconds", "Time at which the tables were loaded", loaded.as_secs()),
    ] {
        let (kind, total) = if name == "requests" { ("counter", "_total") } else { ("gauge", "") };
        writeln!(text, "# HELP morpion_{name} {help}.\n# TYPE morpion_{name} {kind}")?;
        if name.ends_with("_seconds") {
            writeln!(text, "# UNIT morpion_{name} seconds")?;
        }
        writeln!(text, "morpion_{name}{total} {value}")?;
    }
    text += "# EOF\n";
    Ok(([(CONTENT_TYPE, METRICS)], text).into_response())
}

pub(super) async fn description(Extract(state): Extract<Arc<State>>) -> Response {
    ([(CONTENT_TYPE, JSON)], state.document.clone()).into_response()
}
