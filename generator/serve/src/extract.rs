//! Parts of a request.

use crate::api::{JSON, Operation};
use crate::handler::{Head, Part};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::routes::State;
use crate::share::{Client, Taken};
use axum::body::HttpBody;
use axum::extract;
use axum::extract::rejection::QueryRejection;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Limits of time and bytes for reading on after a body is refused, so that the client sees the answer before the
/// connection closes.
const LINGER: (Duration, usize) = (Duration::from_secs(2), 4 << 20);

/// The parameters of the query, field by field.
pub(crate) struct Query<T>(pub T);

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Part for Query<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.parameters::<T>("query");
        operation.refuses(&[400]);
    }

    fn read(head: &Head) -> Result<Query<T>, Refusal> {
        let read = extract::Query::try_from_uri(&head.uri);
        let refuse = |rejection: QueryRejection| Refusal::new(400, rejection.body_text());
        read.map(|read| Query(read.0)).map_err(refuse)
    }
}

/// Games or boards that can be found by name.
pub(crate) trait Named: Sized + Send + Sync + 'static {
    /// Name, description and example of the parameter of the path.
    const PARAMETER: [&str; 3];

    /// All games or boards.
    fn served(state: &State) -> &[Arc<Self>];

    /// Finds the item with this name.
    ///
    /// # Errors
    /// 404 with the known names, or with the command that builds the missing table.
    fn find(all: &[Arc<Self>], name: &str) -> Result<Arc<Self>, Refusal>;
}

/// 404 for a name that no game has.
pub(crate) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Refusal {
    let name: String = name.chars().take(64).collect();
    let known = known.collect::<Vec<_>>().join(", ");
    Refusal::new(404, format!("no game {name:?} here: expected one of {known}"))
}

/// The game or board named by the only parameter of the path.
pub(crate) struct Found<T>(pub Arc<T>);

impl<T: Named> Part for Found<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.named(T::PARAMETER);
    }

    fn read(head: &Head) -> Result<Found<T>, Refusal> {
        T::find(T::served(&head.state), &head.name).map(Found)
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

/// The positions of a body, which take no memory.
#[derive(Deserialize)]
struct Size {
    #[serde(default)]
    positions: Vec<IgnoredAny>,
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
    let Size { positions } = serde_json::from_slice(text).map_err(invalid)?;
    Refusal::beyond(413, [positions.len(), limits.batch], "positions")?;
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
