//! Limits on the size and duration of requests.

use std::time::Duration;

/// Limits of the server, besides the number of connections. A proxy has to limit how often a visitor may ask.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time in which a client must send the head of its next request, or a body.
    pub request_time: Duration,
    /// Time in which a client must accept some bytes of its answer.
    pub idle_time: Duration,
    /// Longest body of a request, in bytes. Every connection may send a body of this length at the same time.
    pub body: usize,
    /// Number of positions in one batch.
    pub batch: usize,
    /// Number of pieces of batches, and of lines, that are computed at once; further pieces and lines wait.
    pub computed: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            request_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(30),
            // Enough for a whole batch of positions on 36 cells, with their ages.
            body: 256 << 10,
            batch: 1000,
            computed: std::thread::available_parallelism().map_or(2, usize::from),
        }
    }
}

/// Maximum size of the head of a request (request line and header fields), in bytes.
pub const HEAD: usize = 16 * 1024;

/// Maximum number of header fields of a request.
pub const HEADER_FIELDS: usize = 64;
