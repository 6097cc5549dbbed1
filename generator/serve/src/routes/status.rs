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
    let is_good = !served.is_stale && library.kept.is_empty();
    let mut text = String::new();
    for (name, kind, help, value) in [
        ("requests", "counter", "Requests answered", state.requests.load(Relaxed)),
        ("connections", "gauge", "Connections open", state.connections.load(Relaxed) as u64),
        ("computing", "gauge", "Batches and lines that are computed", state.computing() as u64),
        ("tables_served", "gauge", "Tables served", library.games() as u64),
        (
            "tables_kept",
            "gauge",
            "Tables served although newer ones are damaged",
            library.kept.len() as u64,
        ),
        (
            "tables_left_out",
            "gauge",
            "Tables not served because they are damaged",
            library.left_out().len() as u64,
        ),
        (
            "last_load_successful",
            "gauge",
            "1 if the tables could be loaded at the last attempt",
            is_good.into(),
        ),
        (
            "loaded_timestamp_seconds",
            "gauge",
            "Time at which the tables were loaded",
            loaded.as_secs(),
        ),
    ] {
        let total = if kind == "counter" { "_total" } else { "" };
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
