//! The access log: one line for each request, on standard output.

use crate::client::Client;
use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::json;
use std::io::Write;
use std::time::{Instant, SystemTime};

/// Format of the access log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Log {
    /// No access log.
    #[default]
    None,
    /// Common log format, followed by the response time in seconds.
    Common,
    /// A JSON object for each request.
    Json,
}

/// Logs a request once it is answered.
pub(crate) async fn log(State(log): State<Log>, request: Request, next: Next) -> Response {
    if log == Log::None {
        return next.run(request).await;
    }
    let (began, time) = (Instant::now(), SystemTime::now());
    let client = request.extensions().get::<Client>();
    let client = client.map_or("-".to_owned(), |client| client.0.to_string());
    let (method, target) = (request.method().to_string(), request.uri().to_string());
    let response = next.run(request).await;
    let (status, bytes) = (response.status().as_u16(), response.body().size_hint().exact());
    let seconds = began.elapsed().as_secs_f64();
    let line = if log == Log::Json {
        let time = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        json!({
            "time": time.as_secs_f64(), "client": client, "method": method, "target": target,
            "status": status, "bytes": bytes, "seconds": seconds,
        })
        .to_string()
    } else {
        // The date has the form `Mon, 23 Nov 2026 10:15:02 GMT`, in which every part has a fixed length.
        let date = httpdate::fmt_http_date(time);
        let (day, month, year, clock) = (&date[5..7], &date[8..11], &date[12..16], &date[17..25]);
        let bytes = bytes.map_or("-".to_owned(), |bytes| bytes.to_string());
        // A quotation mark in the target would end the field.
        let target = target.replace('"', "%22");
        format!(
            "{client} - - [{day}/{month}/{year}:{clock} +0000] \"{method} {target} HTTP/1.1\" {status} {bytes} {seconds:.6}"
        )
    };
    // Serving continues if nobody reads the log.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
    response
}
