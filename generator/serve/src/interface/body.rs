//! Bodies of requests.

use crate::limits::Limits;
use crate::refusal::{JSON, Refusal};
use crate::share::{Client, Taken};
use axum::body::HttpBody;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::timeout;

/// Limits of time and bytes for reading on after a body is refused, so that the client sees the answer before the
/// connection closes.
const LINGER: (Duration, usize) = (Duration::from_secs(2), 4 << 20);

/// Records that the body of a request was read to its end. Otherwise its connection is closed after the answer.
#[derive(Clone, Default)]
pub(crate) struct IsRead(Arc<AtomicBool>);

impl IsRead {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The type of a body in JSON.
pub(crate) trait Body: DeserializeOwned + JsonSchema + 'static {
    /// An example.
    const EXAMPLE: &str;
    /// Requires the type of JSON. Without asking first, a browser posts plain text for a page of another site, but not
    /// JSON.
    const IS_CHECKED: bool = false;
}

/// Checks that the type of a body is JSON.
pub(crate) fn check_kind(headers: &HeaderMap) -> Result<(), Refusal> {
    let found = headers.get(CONTENT_TYPE).map(|kind| String::from_utf8_lossy(kind.as_bytes()));
    let kind = found.as_deref().and_then(|kind| kind.split(';').next()).unwrap_or_default();
    if kind.trim().eq_ignore_ascii_case(JSON) {
        return Ok(());
    }
    let found = found.map(|kind| format!("{:?}", kind.chars().take(64).collect::<String>()));
    let found = found.as_deref().unwrap_or("none");
    Err(Refusal::new(400, format!("the body is {found}: send content-type: {JSON}")))
}

/// The positions and moves of a body, which take no memory.
#[derive(Deserialize)]
struct Size {
    #[serde(default)]
    positions: Vec<IgnoredAny>,
    #[serde(default)]
    moves: Vec<IgnoredAny>,
}

/// Parses a body.
///
/// # Errors
/// 413 if it has too many positions, 400 if it is invalid.
pub(crate) fn parse<T: Body>(limits: &Limits, text: &[u8]) -> Result<T, Refusal> {
    let invalid = |error| {
        let example = T::EXAMPLE;
        Refusal::new(400, format!("the body: {error}; expected a JSON object like {example}"))
    };
    // Positions are counted first, since short ones take far more memory than the text.
    let Size { positions, moves } = serde_json::from_slice(text).map_err(invalid)?;
    Refusal::beyond(413, [positions.len() + moves.len(), limits.batch], "positions")?;
    serde_json::from_slice(text).map_err(invalid)
}

/// A body that is received, with its room.
pub(crate) struct Received {
    pub text: Vec<u8>,
    _room: Taken,
}

/// Reads a body.
///
/// # Errors
/// 413 if it is too long, 408 if it does not arrive in time, 429 if there is no room for it, 400 if it breaks off.
pub(crate) async fn read(
    limits: &Limits,
    client: &Client,
    mut body: axum::body::Body,
) -> Result<Received, Refusal> {
    let (most, time) = (limits.body, limits.request_time);
    if body.size_hint().lower() > most as u64 {
        return Err(too_large(most));
    }
    match timeout(time, receive(client, &mut body, most)).await {
        Ok(Ok(received)) => Ok(received),
        Ok(Err(refusal)) => {
            let _ = timeout(LINGER.0, Limited::new(body, LINGER.1).collect()).await;
            Err(refusal)
        }
        Err(_) => {
            let seconds = time.as_secs_f64();
            Err(Refusal::new(408, format!("the body took longer than {seconds} s")))
        }
    }
}

fn too_large(most: usize) -> Refusal {
    Refusal::new(413, format!("a body longer than {most} bytes"))
}

/// Receives a body in pieces, and takes room for each.
async fn receive(
    client: &Client,
    body: &mut axum::body::Body,
    most: usize,
) -> Result<Received, Refusal> {
    let (mut text, mut room) = (Vec::new(), client.body(0)?);
    let mut body = Limited::new(body, most);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.is::<LengthLimitError>() {
            true => too_large(most),
            false => Refusal::new(400, format!("the body broke off: {error}")),
        })?;
        if let Ok(piece) = frame.into_data() {
            room.extend(client.body(piece.len())?);
            text.extend_from_slice(&piece);
        }
    }
    Ok(Received { text, _room: room })
}
