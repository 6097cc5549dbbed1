//! Errors as responses: a status and `{"error": "…"}`.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Media type of JSON.
pub(crate) const JSON: &str = "application/json";

/// An error response: its status, and the fields of its body.
#[derive(Debug, Serialize)]
pub(crate) struct Refusal {
    #[serde(skip)]
    status: u16,
    /// The problem, then the remedy.
    pub error: String,
    /// The invalid text, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
}

impl Refusal {
    /// Creates an error response with this HTTP status.
    pub(crate) fn new(status: u16, message: impl ToString) -> Refusal {
        Refusal { status, error: message.to_string(), input: None }
    }

    /// Creates a 400 if the text of a position is `malformed`, or a 404 if no position has this text. Both contain the text.
    pub(crate) fn position(message: impl ToString, malformed: bool, text: &str) -> Refusal {
        let status = if malformed { 400 } else { 404 };
        Refusal { input: Some(text.into()), ..Refusal::new(status, message) }
    }
}

impl<E: std::error::Error> From<E> for Refusal {
    /// 500: an error that no request should cause, such as a damaged table.
    fn from(error: E) -> Refusal {
        Refusal::new(500, error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or_default();
        let body = serde_json::to_vec(&self).unwrap_or_default();
        (status, [(CONTENT_TYPE, JSON)], body).into_response()
    }
}
