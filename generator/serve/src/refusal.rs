//! Errors as responses: a status and `{"error": "…"}`.

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Display;

/// Media type of JSON.
pub(crate) const JSON: &str = "application/json";

/// The body of an error response.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Error {
    /// The problem, then the remedy.
    error: String,
    /// The invalid text, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
}

/// An error response.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: u16,
    body: Error,
}

impl Refusal {
    /// Creates an error response with this HTTP status.
    pub(crate) fn new(status: u16, message: impl ToString) -> Refusal {
        Refusal { status, body: Error { error: message.to_string(), input: None } }
    }

    /// Returns an error with this status if `found` is greater than `most`.
    pub(crate) fn beyond<N: PartialOrd + Display>(
        status: u16,
        [found, most]: [N; 2],
        what: &str,
    ) -> Result<(), Refusal> {
        match found <= most {
            true => Ok(()),
            false => Err(Refusal::new(status, format!("{found} {what}, expected at most {most}"))),
        }
    }

    /// 400 if the text of a position is `malformed`, 404 if no position has this text; both with the text.
    pub(crate) fn position(message: impl ToString, malformed: bool, text: &str) -> Refusal {
        let mut refusal = Refusal::new(if malformed { 400 } else { 404 }, message);
        refusal.body.input = Some(text.into());
        refusal
    }

    /// Returns true for a 5xx error.
    pub(crate) fn is_fault(&self) -> bool {
        self.status >= 500
    }

    /// The message.
    pub(crate) fn message(self) -> String {
        self.body.error
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
        let body = serde_json::to_vec(&self.body).unwrap_or_default();
        let mut response = (status, [(CONTENT_TYPE, JSON)], body).into_response();
        let header = match self.status {
            429 | 503 => Some((RETRY_AFTER, "1")),
            _ => None,
        };
        response
            .headers_mut()
            .extend(header.map(|(name, value)| (name, HeaderValue::from_static(value))));
        response
    }
}
