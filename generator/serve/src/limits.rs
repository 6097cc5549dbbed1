//! How much a client may ask for, and how long it may take.

use std::time::Duration;

/// The limits of the server; the help of `morpion serve` states them.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections open at a time. One more closes the one that has been silent longest, of those whose request is not
    /// being worked on.
    pub connections: usize,
    /// How long a client may take to send the head of a request, or a body.
    pub request_time: Duration,
    /// How long a connection may be silent in both directions.
    pub idle_time: Duration,
    /// The longest body, in bytes.
    pub body: usize,
    /// Positions in one batch.
    pub batch: usize,
    /// The longest answer to a longer request, in bytes.
    pub answer: usize,
    /// Bytes of bodies and of answers to longer requests, over all connections. Every other answer is short.
    pub in_flight: usize,
    /// Longer requests (batches, lines, moves of opponents, puzzles, own games, heaps, cram) worked on at a time, the waiting
    /// ones included.
    pub heavy: usize,
    /// How long one of them may take, waiting included.
    pub work_time: Duration,
    /// Requests a second of one address, with bursts of as many; 0: without limit.
    pub rate: u32,
}

/// The longest head of a request (request line and header fields), in bytes.
pub const HEAD: usize = 16 * 1024;

/// The most header fields of a request.
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
