//! `/healthz`, `/metrics` and the description of the interface.

use crate::interface::answer::{OpenMetrics, Written};
use crate::log::AccessLog;
use crate::refusal::Refusal;
use crate::served::Served;
use crate::state::Shared;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::Arc;

#[derive(Serialize, JsonSchema)]
pub(super) struct Health {
    /// Number of games.
    games: usize,
    status: Status,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
}

pub(super) fn healthy(served: Arc<Served>) -> Result<Health, Refusal> {
    Ok(Health { games: served.games.len(), status: Status::Ok })
}

pub(super) fn metrics(shared: Arc<Shared>) -> Result<OpenMetrics, Refusal> {
    let dropped = shared.log.as_ref().map_or(0, AccessLog::dropped);
    Ok(OpenMetrics(shared.metrics.text(&shared.shares, dropped)?))
}

/// An OpenAPI document.
#[derive(JsonSchema)]
pub(super) struct OpenApi(#[schemars(with = "Map<String, Value>")] ());

pub(super) fn description(shared: Arc<Shared>) -> Result<Written<OpenApi>, Refusal> {
    Ok(Written::new(shared.document.clone()))
}
