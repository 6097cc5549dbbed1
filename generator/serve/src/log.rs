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

/// A request and its answer.
struct Entry {
    client: String,
    time: SystemTime,
    method: String,
    target: String,
    status: u16,
    bytes: Option<u64>,
    seconds: f64,
}

impl Entry {
    fn line(&self, log: Log) -> String {
        let Entry { client, method, target, status, seconds, .. } = self;
        if log == Log::Json {
            let time = self.time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            return json!({
                "time": time.as_secs_f64(), "client": client, "method": method, "target": target,
                "status": status, "bytes": self.bytes, "seconds": seconds,
            })
            .to_string();
        }
        // The date has the form `Mon, 23 Nov 2026 10:15:02 GMT`, in which every part has a fixed length.
        let date = httpdate::fmt_http_date(self.time);
        let (day, month, year, clock) = (&date[5..7], &date[8..11], &date[12..16], &date[17..25]);
        let bytes = self.bytes.map_or("-".to_owned(), |bytes| bytes.to_string());
        // A quotation mark in the target would end the field.
        let target = target.replace('"', "%22");
        format!(
            "{client} - - [{day}/{month}/{year}:{clock} +0000] \"{method} {target} HTTP/1.1\" {status} {bytes} {seconds:.6}"
        )
    }
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
    let entry = Entry {
        client,
        time,
        method,
        target,
        status: response.status().as_u16(),
        bytes: response.body().size_hint().exact(),
        seconds: began.elapsed().as_secs_f64(),
    };
    // Serving continues if nobody reads the log.
    let _ = writeln!(std::io::stdout().lock(), "{}", entry.line(log));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_line_has_the_fields_of_its_format() {
        let entry = Entry {
            client: "192.0.2.1".into(),
            time: SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_428_902),
            method: "GET".into(),
            target: "/api/v1/games/classic?a=\"b".into(),
            status: 404,
            bytes: Some(17),
            seconds: 0.0015,
        };
        assert_eq!(
            entry.line(Log::Common),
            "192.0.2.1 - - [23/Nov/2026:10:15:02 +0000] \"GET /api/v1/games/classic?a=%22b HTTP/1.1\" 404 17 0.001500"
        );
        let json: serde_json::Value = serde_json::from_str(&entry.line(Log::Json)).unwrap();
        assert_eq!(json["client"], "192.0.2.1");
        assert_eq!(json["time"], 1_795_428_902.0);
        assert_eq!((&json["status"], &json["bytes"]), (&404.into(), &17.into()));
    }
}
