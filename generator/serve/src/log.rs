//! The access log: one line for each request, on standard output.
//!
//! A thread of its own writes the lines, so that a reader that stops reading delays no answer.

use axum::http::{Method, StatusCode, Uri};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::json;
use std::fs::File;
use std::io::{self, Write};
use std::net::IpAddr;
#[cfg(unix)]
use std::os::fd::AsFd;
#[cfg(windows)]
use std::os::windows::io::AsHandle;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Maximum number of bytes in lines that wait for the reader of the log. Further lines are dropped.
const QUEUE: usize = 4 << 20;

/// Time at shutdown in which the reader may take the last lines.
const FLUSH: Duration = Duration::from_secs(1);

/// Format of the access log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Log {
    /// Common log format, then the seconds that the answer took
    Common,
    /// A JSON object per request
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

/// A line, and its room in the queue until it is written.
type Line = (String, OwnedSemaphorePermit);

/// The log of a server.
pub(crate) struct AccessLog {
    format: Log,
    lines: UnboundedSender<Line>,
    /// Bytes of lines that may still be added.
    room: Arc<Semaphore>,
    dropped: AtomicU64,
}

impl AccessLog {
    /// Starts the thread that writes the lines.
    pub(crate) fn start(format: Log) -> io::Result<AccessLog> {
        let out = standard_output()?;
        let (lines, waiting) = unbounded_channel();
        thread::Builder::new().name("log".into()).spawn(move || write(out, waiting))?;
        let room = Arc::new(Semaphore::new(QUEUE));
        Ok(AccessLog { format, lines, room, dropped: AtomicU64::new(0) })
    }

    /// Adds a line, or drops it if the reader is too slow.
    pub(crate) fn add(&self, entry: &Entry) {
        let line = self.format.line(entry);
        let room = self.room.clone().try_acquire_many_owned(line.len() as u32);
        if room.is_ok_and(|room| self.lines.send((line, room)).is_ok()) {
            return;
        }
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of lines that were dropped.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Waits until all lines are written, but at most for [`FLUSH`].
    pub(crate) async fn flush(&self) {
        let _ = timeout(FLUSH, self.room.acquire_many(QUEUE as u32)).await;
    }
}

/// Returns standard output without its lock. The lock would be held while a write waits, and then the program could not end.
fn standard_output() -> io::Result<File> {
    #[cfg(unix)]
    let out = io::stdout().as_fd().try_clone_to_owned()?;
    #[cfg(windows)]
    let out = io::stdout().as_handle().try_clone_to_owned()?;
    Ok(out.into())
}

/// Writes lines as they come. Serving continues if nobody can read them.
fn write(mut out: File, mut lines: UnboundedReceiver<Line>) {
    while let Some((line, room)) = lines.blocking_recv() {
        let _ = out.write_all(line.as_bytes());
        drop(room);
    }
}

impl Log {
    /// Returns the line of a request.
    fn line(self, entry: &Entry) -> String {
        let Entry { time, client, method, target, status, bytes, duration } = entry;
        let (status, seconds) = (status.as_u16(), duration.as_secs_f64());
        let target = target.to_string();
        match self {
            Log::Json => {
                let time = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
                let entry = json!({
                    "time": time.as_secs_f64(), "client": client, "method": method.as_str(),
                    "target": utf8_percent_encode(&target, ESCAPED).to_string(), "status": status,
                    "bytes": bytes, "seconds": seconds,
                });
                format!("{entry}\n")
            }
            Log::Common => {
                // The date has the form `Mon, 23 Nov 2026 10:15:02 GMT`, in which every part has a fixed length.
                let date = httpdate::fmt_http_date(*time);
                let (day, month, year, clock) =
                    (&date[5..7], &date[8..11], &date[12..16], &date[17..25]);
                let bytes = bytes.map_or("-".to_owned(), |bytes| bytes.to_string());
                let target = utf8_percent_encode(&target, ESCAPED_IN_COMMON);
                format!(
                    "{client} - - [{day}/{month}/{year}:{clock} +0000] \"{method} {target} HTTP/1.1\" {status} {bytes} {seconds:.6}\n"
                )
            }
        }
    }
}
