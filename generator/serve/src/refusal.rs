//! Conversion of errors to responses.
//!
//! A [`Refusal`] is made from an error of a table, player or request, or from a message. It is sent as a status and
//! `{"error": "…"}`.

use axum::Json;
use axum::http::header::{CONNECTION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use morpion_grundy::GrundyError;
use morpion_lookup::ProbeError;
use morpion_play::players::PlayerError;
use serde::Serialize;
use utoipa::ToSchema;

/// The body of an error response.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Error {
    /// The problem, then the remedy.
    error: String,
    /// The invalid text, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    input: Option<String>,
}

/// An error response: a status and `{"error": "…"}`.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    body: Error,
}

macro_rules! refusals {
    ($($name:ident: $status:ident, $reason:literal;)*) => {$(
        #[doc = $reason]
        pub(crate) fn $name(message: impl Into<String>) -> Refusal {
            let body = Error { error: message.into(), input: None };
            Refusal { status: StatusCode::$status, body }
        }
    )*};
}

impl Refusal {
    refusals! {
        bad: BAD_REQUEST, "400: the request is invalid.";
        missing: NOT_FOUND, "404: not found.";
        method: METHOD_NOT_ALLOWED, "405: the method is not allowed.";
        slow: REQUEST_TIMEOUT, "408: the body did not arrive in time.";
        large: PAYLOAD_TOO_LARGE, "413: too large.";
        misdirected: MISDIRECTED_REQUEST, "421: the request is for another host.";
        unprocessable: UNPROCESSABLE_ENTITY, "422: the text is valid, but the game that it describes is not.";
        often: TOO_MANY_REQUESTS, "429: too many requests.";
        fault: INTERNAL_SERVER_ERROR, "500: an internal error, such as a damaged table.";
        busy: SERVICE_UNAVAILABLE, "503: the work was not begun or was aborted, and may succeed later.";
    }

    /// 400 if the text of a position is `malformed`, 404 if no position has this text; both with the text.
    pub(crate) fn position(message: impl ToString, malformed: bool, text: &str) -> Refusal {
        let message = message.to_string();
        let refusal = if malformed { Refusal::bad(message) } else { Refusal::missing(message) };
        Refusal { body: Error { input: Some(text.into()), ..refusal.body }, ..refusal }
    }

    /// Checks that the error is internal.
    pub(crate) fn is_fault(&self) -> bool {
        self.status.is_server_error()
    }

    /// The message.
    pub(crate) fn message(self) -> String {
        self.body.error
    }
}

impl From<ProbeError> for Refusal {
    /// 500: the table is damaged, since positions are checked before.
    fn from(error: ProbeError) -> Refusal {
        Refusal::fault(error.to_string())
    }
}

impl From<GrundyError> for Refusal {
    /// 404: a sum that the table does not answer.
    fn from(error: GrundyError) -> Refusal {
        Refusal::missing(error.to_string())
    }
}

impl From<serde_json::Error> for Refusal {
    /// 500: an answer cannot be written.
    fn from(error: serde_json::Error) -> Refusal {
        Refusal::fault(error.to_string())
    }
}

impl From<PlayerError> for Refusal {
    /// 404 if the player cannot move: the game is over, or the search would take too long.
    fn from(error: PlayerError) -> Refusal {
        match error {
            PlayerError::Probe(error) => error.into(),
            other => Refusal::missing(other.to_string()),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        let headers = response.headers_mut();
        match self.status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            }
            // Close the connection instead of reading the rest of the body.
            StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}
