//! The bytes in flight: bodies of requests and answers, bounded over all connections.
//!
//! In: bytes, as they are received or written. Out: the same bytes, counted until nobody refers to them any more. Where there
//! is no room, a client that has been slow for a while to send its body or to take its answer loses its connection to those
//! that come after it; where nobody is slow, the one that asks for room is refused.

use super::json;
use super::metrics::Metrics;
use super::stream::{Activity, Client};
use axum::body::Bytes;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long a client may take for a body or an answer before it makes room for others.
const SLOW_AFTER: Duration = Duration::from_secs(2);

/// How long a closed connection may take to give back its bytes.
const RELEASE: Duration = Duration::from_secs(1);

/// Bytes that a buffer grows by, at least.
const STEP: usize = 1 << 16;

/// How many bytes may be in flight, and which of them wait for their client.
pub struct Flight {
    limit: usize,
    free: Arc<Semaphore>,
    waiting: Mutex<Waiting>,
    metrics: Arc<Metrics>,
}

/// Connections with bytes that wait for their client, in order of arrival, as numbers only grow.
#[derive(Default)]
struct Waiting {
    next: u64,
    clients: BTreeMap<u64, (Instant, Arc<Activity>)>,
}

/// What a buffer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// What a client sends.
    Body,
    /// What it is sent.
    Answer,
}

/// Why a buffer does not grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// It would be longer than it may be.
    Long {
        /// What it holds.
        content: Content,
        /// The most bytes it may have.
        most: usize,
    },
    /// All bytes there may be are in flight.
    Crowded {
        /// The most bytes in flight.
        limit: usize,
    },
}

/// Why a value is not written.
#[derive(Debug)]
pub enum WriteError {
    /// It does not fit.
    Full(Full),
    /// It has no JSON form.
    Json(serde_json::Error),
}

impl Flight {
    /// Room for `limit` bytes.
    pub fn new(limit: usize, metrics: Arc<Metrics>) -> Arc<Flight> {
        let limit = limit.min(Semaphore::MAX_PERMITS);
        let free = Arc::new(Semaphore::new(limit));
        Arc::new(Flight { limit, free, waiting: Mutex::default(), metrics })
    }

    /// Bytes in flight now.
    pub fn used(&self) -> usize {
        self.limit - self.free.available_permits()
    }

    /// An empty buffer for a body or an answer of this client, of at most `most` bytes.
    pub fn buffer(self: &Arc<Self>, client: &Client, content: Content, most: usize) -> Buffer {
        let (flight, client) = (self.clone(), client.clone());
        Buffer { bytes: Vec::new(), content, most, room: None, flight, client }
    }

    /// Notes that bytes wait for this client, until the result is dropped.
    pub fn wait_for(self: &Arc<Self>, client: &Client) -> Wait {
        let mut waiting = self.waiting();
        let number = waiting.next;
        waiting.next += 1;
        waiting.clients.insert(number, (Instant::now(), client.activity.clone()));
        Wait { number, flight: self.clone() }
    }

    /// The map is sound after a panic elsewhere: every change to it is one call.
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes room for `bytes` more bytes, for this client; where there is none, slow clients lose their connections.
    async fn room(&self, bytes: usize, client: &Client) -> Result<OwnedSemaphorePermit, Full> {
        let crowded = Full::Crowded { limit: self.limit };
        let bytes = u32::try_from(bytes).map_err(|_| crowded)?;
        loop {
            if let Ok(room) = self.free.clone().try_acquire_many_owned(bytes) {
                return Ok(room);
            }
            if !self.close_slowest(&client.activity) {
                return Err(crowded);
            }
            let room = timeout(RELEASE, self.free.clone().acquire_many_owned(bytes));
            if let Ok(Ok(room)) = room.await {
                return Ok(room);
            }
        }
    }

    /// Closes the connection that bytes have waited for longest, if that is longer than [`SLOW_AFTER`]; whether there was one.
    fn close_slowest(&self, but: &Arc<Activity>) -> bool {
        let mut waiting = self.waiting();
        let slow = |(_, (since, activity)): &(&u64, &(Instant, Arc<Activity>))| {
            since.elapsed() >= SLOW_AFTER && !Arc::ptr_eq(activity, but)
        };
        let Some(number) = waiting.clients.iter().find(slow).map(|(number, _)| *number) else {
            return false;
        };
        if let Some((_, activity)) = waiting.clients.remove(&number) {
            activity.close();
            self.metrics.closed.inc();
        }
        true
    }
}

/// A body that is being received, or an answer that is being sent.
pub struct Wait {
    number: u64,
    flight: Arc<Flight>,
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.flight.waiting().clients.remove(&self.number);
    }
}

/// Bytes in flight, to which more are added.
pub struct Buffer {
    bytes: Vec<u8>,
    content: Content,
    most: usize,
    room: Option<OwnedSemaphorePermit>,
    flight: Arc<Flight>,
    client: Client,
}

impl Buffer {
    /// The bytes so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// Where they do not fit.
    pub async fn push(&mut self, bytes: &[u8]) -> Result<(), Full> {
        let length = self.bytes.len() + bytes.len();
        if length > self.most {
            return Err(Full::Long { content: self.content, most: self.most });
        }
        let capacity = self.bytes.capacity();
        if length > capacity {
            let wanted = length.max(capacity + (capacity / 2).max(STEP)).min(self.most);
            let room = self.flight.room(wanted - capacity, &self.client).await?;
            match &mut self.room {
                Some(held) => held.merge(room),
                None => self.room = Some(room),
            }
            self.bytes.reserve_exact(wanted - self.bytes.len());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Appends a value as JSON, on a thread that may wait.
    ///
    /// # Errors
    /// Where it does not fit.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), WriteError> {
        let mut out = Out { buffer: self, full: None };
        json::write(value, &mut out).map_err(|error| match out.full {
            Some(full) => WriteError::Full(full),
            None => WriteError::Json(error),
        })
    }

    /// An answer as it is sent: its bytes are in flight until they are dropped, and from now on wait for the client.
    pub fn into_bytes(mut self) -> Bytes {
        self.bytes.shrink_to_fit();
        if let Some(room) = &mut self.room {
            drop(room.split(room.num_permits().saturating_sub(self.bytes.capacity())));
        }
        let wait = self.flight.wait_for(&self.client);
        Bytes::from_owner(Sent { bytes: self.bytes, _room: self.room, _wait: wait })
    }
}

/// Writes into a buffer, and keeps the reason why there was no room.
struct Out<'b> {
    buffer: &'b mut Buffer,
    full: Option<Full>,
}

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let room = self.buffer.bytes.capacity() - self.buffer.bytes.len();
        if bytes.len() <= room {
            self.buffer.bytes.extend_from_slice(bytes);
            return Ok(());
        }
        Handle::current().block_on(self.buffer.push(bytes)).map_err(|full| {
            self.full = Some(full);
            io::Error::from(io::ErrorKind::StorageFull)
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Sent {
    bytes: Vec<u8>,
    _room: Option<OwnedSemaphorePermit>,
    _wait: Wait,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
