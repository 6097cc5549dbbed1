//! Values as JSON.
//!
//! In: a value. Out: its text, in memory or as a response. All of it is written through one kind of writer, so that how a
//! type is written is compiled once, not for each place it is written to.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::io::Write;

/// Writes a value.
///
/// # Errors
/// Those of `out`, and of a value that JSON cannot hold.
pub(crate) fn write(value: &impl Serialize, out: &mut dyn Write) -> serde_json::Result<()> {
    serde_json::to_writer(out, value)
}

/// The text of a value.
///
/// # Errors
/// Where JSON cannot hold it.
pub(crate) fn to_vec(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(128);
    write(value, &mut text)?;
    Ok(text)
}

/// A value as it is sent.
pub(crate) struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match to_vec(&self.0) {
            Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
            Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
        }
    }
}
