//! The one place where an error becomes an answer.
//!
//! A [`Refusal`] is made from errors of tables, players and requests, or from words. It is sent as a status and `{"error": "…"}`.

use super::json::Json;
use axum::http::header::{CONNECTION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use morpion_grundy::GrundyError;
use morpion_impartial::octal::misere::NoRule;
use morpion_lookup::ProbeError;
use morpion_play::players::PlayerError;
use serde::Serialize;
use utoipa::ToSchema;

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Error {
    /// The problem, then the remedy.
    error: String,
    /// The text in question, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    input: Option<String>,
}

/// An error as the client sees it: a status and `{"error": "…"}`.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    body: Error,
}

impl Refusal {
    fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, body: Error { error: message.into(), input: None } }
    }

    /// 400: the request makes no sense.
    pub fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// 400 with the text that made no sense.
    pub fn bad_input(message: impl Into<String>, input: impl Into<String>) -> Refusal {
        let mut refusal = Refusal::bad(message);
        refusal.body.input = Some(input.into());
        refusal
    }

    /// 404 with the text that names nothing there is.
    pub fn missing_input(message: impl Into<String>, input: impl Into<String>) -> Refusal {
        let mut refusal = Refusal::missing(message);
        refusal.body.input = Some(input.into());
        refusal
    }

    /// 404: there is no such thing.
    pub fn missing(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, message)
    }

    /// 405: not with this method.
    pub fn method(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message)
    }

    /// 408: the body did not arrive in time.
    pub fn slow(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::REQUEST_TIMEOUT, message)
    }

    /// 413: too much at once.
    pub fn large(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    /// 421: meant for another host.
    pub fn misdirected(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::MISDIRECTED_REQUEST, message)
    }

    /// 422: rules that make sense as text, but not as a game.
    pub fn unprocessable(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// 429: too often, or too much at the same time.
    pub fn often(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// 500: the server's fault, such as a damaged table.
    pub fn fault(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// 503: given up, or not begun; it may be different in a moment.
    pub fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Checks that the error is the server's fault.
    pub fn is_fault(&self) -> bool {
        self.status.is_server_error()
    }

    /// The message.
    pub fn message(self) -> String {
        self.body.error
    }
}

impl From<ProbeError> for Refusal {
    /// 500: the table's fault, since positions are checked before.
    fn from(error: ProbeError) -> Refusal {
        Refusal::fault(error.to_string())
    }
}

impl From<GrundyError> for Refusal {
    /// 404: a sum that its table does not have.
    fn from(error: GrundyError) -> Refusal {
        Refusal::missing(error.to_string())
    }
}

impl From<NoRule> for Refusal {
    /// 404: a sum whose rule is not known.
    fn from(error: NoRule) -> Refusal {
        Refusal::missing(error.to_string())
    }
}

impl From<PlayerError> for Refusal {
    /// 404: no move, since the game is over or the search would take too long.
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
            // The rest of the body is not worth waiting for.
            StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}
