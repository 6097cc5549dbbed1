//! Shares of the server: what longer requests occupy, and how much of it one client may have.
//!
//! A request occupies room for its body while it is received, then a place, a thread while it is worked on, and room for its
//! answer until it is sent. One client never gets everything, so others are still answered.

use crate::client::Network;
use crate::limits::Limits;
use crate::refusal::Refusal;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Something that longer requests occupy.
struct Resource {
    size: usize,
    free: Arc<Semaphore>,
}

impl Resource {
    fn new(size: usize) -> Resource {
        let size = size.min(Semaphore::MAX_PERMITS);
        Resource { size, free: Arc::new(Semaphore::new(size)) }
    }

    fn occupied(&self) -> usize {
        self.size - self.free.available_permits()
    }

    /// Occupies a part, if it is free.
    fn take(&self, amount: usize) -> Option<OwnedSemaphorePermit> {
        self.free.clone().try_acquire_many_owned(amount.try_into().ok()?).ok()
    }
}

/// All that longer requests occupy, of the whole server or of one client.
struct Share {
    places: Resource,
    threads: Resource,
    /// Bytes of bodies.
    bodies: Resource,
    /// Bytes of answers.
    answers: Resource,
}

/// The share of the whole server, and the shares of clients.
pub(crate) struct Shares {
    all: Arc<Share>,
    clients: Mutex<HashMap<Network, Weak<Share>>>,
    limits: Limits,
    threads: usize,
}

impl Shares {
    /// Divides the server by these limits. A client gets at most half of the threads.
    pub(crate) fn new(limits: &Limits, threads: usize) -> Shares {
        let all = Share {
            places: Resource::new(limits.heavy),
            threads: Resource::new(threads),
            bodies: Resource::new(limits.heavy.saturating_mul(limits.body)),
            answers: Resource::new(limits.in_flight),
        };
        let threads = (threads / 2).max(1);
        Shares { all: Arc::new(all), clients: Mutex::default(), limits: limits.clone(), threads }
    }

    /// Returns what a client occupies.
    pub(crate) fn client(&self, client: Network) -> Client {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let known = clients.get(&client).and_then(Weak::upgrade);
        let own = known.unwrap_or_else(|| {
            clients.retain(|_, share| share.strong_count() > 0);
            let Limits { heavy_per_client, body, in_flight, answer, .. } = self.limits;
            let own = Arc::new(Share {
                places: Resource::new(heavy_per_client),
                threads: Resource::new(self.threads),
                bodies: Resource::new(heavy_per_client.saturating_mul(body)),
                answers: Resource::new(answer.max(in_flight / 2)),
            });
            clients.insert(client, Arc::downgrade(&own));
            own
        });
        Client { all: self.all.clone(), own }
    }

    /// Number of open longer requests whose body is received.
    pub(crate) fn places(&self) -> usize {
        self.all.places.occupied()
    }

    /// Number of bytes in bodies.
    pub(crate) fn body_bytes(&self) -> usize {
        self.all.bodies.occupied()
    }

    /// Number of bytes in answers that wait to be sent.
    pub(crate) fn answer_bytes(&self) -> usize {
        self.all.answers.occupied()
    }
}

/// A client with longer requests.
#[derive(Clone)]
pub(crate) struct Client {
    all: Arc<Share>,
    own: Arc<Share>,
}

/// A part of a resource, until it is dropped.
pub(crate) struct Taken {
    permits: [OwnedSemaphorePermit; 2],
    /// Other requests of the client find its share as long as one part of it is taken.
    _own: Arc<Share>,
}

impl Taken {
    /// Adds a part of the same resource, taken by the same client.
    pub(crate) fn extend(&mut self, other: Taken) {
        for (permit, other) in self.permits.iter_mut().zip(other.permits) {
            permit.merge(other);
        }
    }
}

/// The share that has no free part: of the client, or of the server.
struct Full {
    size: usize,
    is_own: bool,
}

impl Client {
    /// Takes a part of a resource from the share of the client and from the share of the server.
    fn take(&self, resource: fn(&Share) -> &Resource, amount: usize) -> Result<Taken, Full> {
        let part = |share, is_own| {
            let resource = resource(share);
            resource.take(amount).ok_or(Full { size: resource.size, is_own })
        };
        let permits = [part(&self.own, true)?, part(&self.all, false)?];
        Ok(Taken { permits, _own: self.own.clone() })
    }

    /// Takes a place, or returns 429 if none is free.
    pub(crate) fn place(&self) -> Result<Taken, Refusal> {
        self.take(|share| &share.places, 1).map_err(|Full { size, is_own }| {
            let whose = if is_own { " of one client" } else { "" };
            Refusal::new(
                429,
                format!("{size} longer requests{whose} are being worked on: try again"),
            )
        })
    }

    /// Takes room for bytes of a body, or returns 429 if there is none.
    pub(crate) fn body(&self, bytes: usize) -> Result<Taken, Refusal> {
        let busy = |_| Refusal::new(429, "too many long bodies are being received: try again");
        self.take(|share| &share.bodies, bytes).map_err(busy)
    }

    /// Takes room for an answer, or returns 429 if there is none.
    pub(crate) fn answer(&self, bytes: usize) -> Result<Taken, Refusal> {
        let busy = |_| Refusal::new(429, "too many answers wait for slow clients: try again");
        self.take(|share| &share.answers, bytes).map_err(busy)
    }

    /// Waits for one of the client's threads.
    pub(crate) async fn thread(&self) -> Taken {
        let [own, all] = [&self.own, &self.all].map(|share| share.threads.free.clone());
        let closed = "the semaphore is never closed";
        let own = own.acquire_owned().await.expect(closed);
        let all = all.acquire_owned().await.expect(closed);
        Taken { permits: [own, all], _own: self.own.clone() }
    }
}
