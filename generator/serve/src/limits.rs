//! Limits on the size and duration of requests.

use std::time::Duration;

/// Limits of the server, besides the number of connections and the rate of requests. One client may have half of the bytes in
/// flight. Bodies that are being received take at most the memory of as many bodies as there are longer requests, whose handlers
/// take a `Job`.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time in which a client must send the head of its next request, or a body.
    pub request_time: Duration,
    /// Time in which a client must accept some bytes of its answer.
    pub idle_time: Duration,
    /// Longest body of a request, in bytes.
    pub body: usize,
    /// Number of positions in one batch.
    pub batch: usize,
    /// Longest answer to a longer request, in bytes, at most `in_flight`; beyond it, the answer is 413.
    pub answer: usize,
    /// Bytes of answers to longer requests that wait to be sent; beyond them, further requests get 429.
    pub in_flight: usize,
    /// Number of longer requests at once; further ones get 429.
    pub heavy: usize,
    /// Number of longer requests of one client at once; further ones get 429.
    pub heavy_per_client: usize,
    /// Time that a longer request may take; beyond it, the answer is 503.
    pub work_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            request_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(30),
            body: 1 << 20,
            batch: 1000,
            // Enough for a whole batch of positions on 36 cells, each with up to 163 moves of some 130 bytes.
            answer: 24 << 20,
            in_flight: 64 << 20,
            heavy: 64,
            heavy_per_client: 16,
            work_time: Duration::from_secs(5),
        }
    }
}

/// Maximum size of the head of a request (request line and header fields), in bytes.
pub const HEAD: usize = 16 * 1024;

/// Maximum number of header fields of a request.
pub const HEADER_FIELDS: usize = 64;
