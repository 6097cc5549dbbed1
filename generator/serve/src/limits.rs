//! Limits on what a client may ask for, and on the time it may take.

use std::time::Duration;

/// Limits of the server; the help of `morpion serve` states them.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections open at a time. Further ones wait in the queue of the system.
    pub connections: usize,
    /// Time in which a client has to send the head of a request, or a body. A connection without a request is closed after it.
    pub request_time: Duration,
    /// Time in which a client has to accept some bytes of its answer.
    pub idle_time: Duration,
    /// Longest body, in bytes.
    pub body: usize,
    /// Positions in one batch.
    pub batch: usize,
    /// Longest answer to a longer request, in bytes.
    pub answer: usize,
    /// Bytes of answers to longer requests that wait to be sent, over all connections. Every other answer is short.
    pub in_flight: usize,
    /// Longer requests at a time, including those whose body is being read: requests whose handlers take a `Job`.
    pub heavy: usize,
    /// Time that a longer request may take after its body is read.
    pub work_time: Duration,
    /// Requests a second of one client, with bursts of as many; 0 sets no limit.
    pub rate: u32,
}

/// Longest head of a request (request line and header fields), in bytes.
pub const HEAD: usize = 16 * 1024;

/// Most header fields of a request.
pub const HEADER_FIELDS: usize = 64;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 1024,
            request_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(30),
            body: 1 << 20,
            batch: 1000,
            // A whole batch of positions on 36 cells, each with up to 163 moves of some 130 bytes.
            answer: 24 << 20,
            in_flight: 64 << 20,
            heavy: 64,
            work_time: Duration::from_secs(5),
            rate: 0,
        }
    }
}
