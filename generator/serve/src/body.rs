//! Reading the body of a request, within limits.

use super::limits::Limits;
use super::reply::Reply;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use serde::de::DeserializeOwned;

/// Reads a JSON body.
///
/// # Errors
/// 413 where it is too long, 408 where it does not arrive in time, 400 where it is not what was expected.
pub async fn read<T: DeserializeOwned>(
    headers: &HeaderMap,
    request: Request,
    limits: &Limits,
) -> Result<T, Reply> {
    let limit = limits.body;
    let large = || Reply::large(format!("a body longer than {limit} bytes"));
    let announced =
        headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > limit as u64) {
        return Err(large());
    }
    let read = tokio::time::timeout(limits.request_time, to_bytes(request.into_body(), limit));
    let bytes = match read.await {
        Err(_) => {
            let seconds = limits.request_time.as_secs_f64();
            return Err(Reply::slow(format!("the body took longer than {seconds} s")));
        }
        Ok(Err(error)) if is_length(&error) => return Err(large()),
        Ok(Err(error)) => return Err(Reply::bad(format!("the body broke off: {error}"))),
        Ok(Ok(bytes)) => bytes,
    };
    serde_json::from_slice(&bytes).map_err(|error| {
        Reply::bad(format!(
            "the body: {error}; expected a JSON object like {{\"positions\": [\"…\"]}}"
        ))
    })
}

/// Whether a body was refused for its length.
fn is_length(error: &axum::Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        cause = error.source();
    }
    false
}
