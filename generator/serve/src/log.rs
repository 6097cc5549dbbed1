//! The access log: one line for each request, on standard output.

use axum::http::{Method, StatusCode, Uri};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::json;
use std::io::Write;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

/// Format of the access log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Log {
    /// Common log format, followed by the response time in seconds.
    Common,
    /// A JSON object for each request.
    Json,
}

/// Characters of a target that are escaped, and with them all outside ASCII: a terminal could take them for commands, and
/// other programs for the end of a line.
const ESCAPED: &AsciiSet = CONTROLS;

/// A quotation mark would end the field of the common format.
const ESCAPED_IN_COMMON: &AsciiSet = &ESCAPED.add(b'"');

/// An answered request.
pub(crate) struct Entry {
    /// Time of the request.
    pub time: SystemTime,
    pub client: IpAddr,
    pub method: Method,
    pub target: Uri,
    pub status: StatusCode,
    /// Length of the answer's body, if it is known.
    pub bytes: Option<u64>,
    /// Time until the answer.
    pub duration: Duration,
}

impl Log {
    /// Writes a line. Serving continues if nobody reads the log.
    pub(crate) fn write(self, entry: &Entry) {
        let Entry { time, client, method, target, status, bytes, duration } = entry;
        let (status, seconds) = (status.as_u16(), duration.as_secs_f64());
        let target = target.to_string();
        let line = match self {
            Log::Json => {
                let time = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
                json!({
                    "time": time.as_secs_f64(), "client": client, "method": method.as_str(),
                    "target": utf8_percent_encode(&target, ESCAPED).to_string(), "status": status, "bytes": bytes, "seconds": seconds,
                })
                .to_string()
            }
            Log::Common => {
                // The date has the form `Mon, 23 Nov 2026 10:15:02 GMT`, in which every part has a fixed length.
                let date = httpdate::fmt_http_date(*time);
                let (day, month, year, clock) =
                    (&date[5..7], &date[8..11], &date[12..16], &date[17..25]);
                let bytes = bytes.map_or("-".to_owned(), |bytes| bytes.to_string());
                let target = utf8_percent_encode(&target, ESCAPED_IN_COMMON);
                format!(
                    "{client} - - [{day}/{month}/{year}:{clock} +0000] \"{method} {target} HTTP/1.1\" {status} {bytes} {seconds:.6}"
                )
            }
        };
        let _ = writeln!(std::io::stdout().lock(), "{line}");
    }
}
