//! Limits on the size and duration of requests.

use std::time::Duration;

/// Limits of the server, which the help of `morpion serve` describes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum number of open connections. Further ones wait in the system's queue.
    pub connections: usize,
    /// Maximum time for sending the head of a request, or its body. A connection without a request is closed after this
    /// time.
    pub request_time: Duration,
    /// Maximum time until a client accepts more bytes of its answer.
    pub idle_time: Duration,
    /// Maximum size of a body, in bytes.
    pub body: usize,
    /// Maximum number of positions in one batch.
    pub batch: usize,
    /// Maximum size of the answer to a longer request, in bytes.
    pub answer: usize,
    /// Maximum number of bytes that wait to be sent as answers to longer requests, over all connections. One client may
    /// have half of them. All other answers are short.
    pub in_flight: usize,
    /// Maximum number of longer requests, whose handlers take a `Job`. Bodies that are being received take at most the
    /// memory of so many of them.
    pub heavy: usize,
    /// Maximum number of longer requests of one client.
    pub heavy_per_client: usize,
    /// Maximum time of a longer request after its body is read.
    pub work_time: Duration,
    /// Requests a second of one client, with bursts of the same size; 0 sets no limit.
    pub rate: u32,
}

/// Maximum size of the head of a request (request line and header fields), in bytes.
pub const HEAD: usize = 16 * 1024;

/// Maximum number of header fields of a request.
pub const HEADER_FIELDS: usize = 64;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 1024,
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
            rate: 0,
        }
    }
}
