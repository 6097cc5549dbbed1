//! Values as JSON.
//!
//! Writes values as JSON text, in memory or as a response. All use one kind of writer, so that the serialisation of
//! each type is compiled once.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::io::Write;

/// Writes a value.
///
/// # Errors
/// If `out` fails, or if JSON cannot represent the value.
pub(crate) fn write(value: &impl Serialize, out: &mut dyn Write) -> serde_json::Result<()> {
    serde_json::to_writer(out, value)
}

/// The text of a value.
///
/// # Errors
/// If JSON cannot represent the value.
pub(crate) fn to_vec(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(128);
    write(value, &mut text)?;
    Ok(text)
}

/// A response with a value as JSON.
pub(crate) struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match to_vec(&self.0) {
            Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
            Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
        }
    }
}
