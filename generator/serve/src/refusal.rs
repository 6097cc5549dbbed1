//! Conversion of errors to responses.
//!
//! A [`Refusal`] is made from an error of a table, player or request, or from a message. It is sent as a status and
//! `{"error": "…"}`.

use super::json::Json;
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

impl Refusal {
    fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, body: Error { error: message.into(), input: None } }
    }

    /// 400: the request is invalid.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// 400 with the invalid text.
    pub(crate) fn bad_input(message: impl Into<String>, input: impl Into<String>) -> Refusal {
        let mut refusal = Refusal::bad(message);
        refusal.body.input = Some(input.into());
        refusal
    }

    /// 404 with the unknown text.
    pub(crate) fn missing_input(message: impl Into<String>, input: impl Into<String>) -> Refusal {
        let mut refusal = Refusal::missing(message);
        refusal.body.input = Some(input.into());
        refusal
    }

    /// 404: not found.
    pub(crate) fn missing(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, message)
    }

    /// 405: the method is not allowed.
    pub(crate) fn method(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message)
    }

    /// 408: the body did not arrive in time.
    pub(crate) fn slow(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::REQUEST_TIMEOUT, message)
    }

    /// 413: too large.
    pub(crate) fn large(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    /// 421: the request is for another host.
    pub(crate) fn misdirected(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::MISDIRECTED_REQUEST, message)
    }

    /// 422: the text is valid, but the game that it describes is not.
    pub(crate) fn unprocessable(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// 429: too many requests.
    pub(crate) fn often(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// 500: an internal error, such as a damaged table.
    pub(crate) fn fault(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// 503: the work was not begun or was aborted, and may succeed later.
    pub(crate) fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The status.
    pub(crate) fn status(&self) -> StatusCode {
        self.status
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
