//! Limits on the size and duration of requests, as options of `morpion serve`.

use clap::builder::RangedU64ValueParser;
use std::time::Duration;

/// Limits of the server. One client may have half of the bytes in flight. Bodies that are being received take at most the
/// memory of as many bodies as there are longer requests, whose handlers take a `Job`.
#[derive(Clone, Debug, clap::Args)]
pub struct Limits {
    /// Number of connections; further ones wait
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = positive())]
    pub connections: usize,
    /// Seconds in which a client must send the head of its next request, or a body
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub request_time: Duration,
    /// Seconds in which a client must accept some bytes of its answer
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub idle_time: Duration,
    /// Longest body of a request, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20, value_parser = positive())]
    pub body: usize,
    /// Number of positions in one batch
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = positive())]
    pub batch: usize,
    /// Longest answer to a longer request, in bytes; beyond it, the answer is 413
    // Enough for a whole batch of positions on 36 cells, each with up to 163 moves of some 130 bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 24 << 20, value_parser = positive())]
    pub answer: usize,
    /// Bytes of answers to longer requests that wait to be sent, half of them for one client; beyond them, further requests get 429
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20, value_parser = positive())]
    pub in_flight: usize,
    /// Number of longer requests at once (batches, puzzles and the like); further ones get 429
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = positive())]
    pub heavy: usize,
    /// Number of longer requests of one client at once; further ones get 429
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = positive())]
    pub heavy_per_client: usize,
    /// Seconds that a longer request may take; beyond them, the answer is 503
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub work_time: Duration,
    /// Requests per second of one client; further ones get 429 [0: no limit]
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub rate: u32,
}

/// Maximum size of the head of a request (request line and header fields), in bytes.
pub const HEAD: usize = 16 * 1024;

/// Maximum number of header fields of a request.
pub const HEADER_FIELDS: usize = 64;

fn positive() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=1 << 30)
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=86_400.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("give seconds, 0.01 to 86400".into()),
    }
}
