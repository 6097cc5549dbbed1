//! Shares of the server: what longer requests occupy, and how much of it one client may have.
//!
//! A request occupies room for its body while it is received, then a slot, a thread while it is worked on, and room for its
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

/// All that longer requests occupy: of the whole server, of one client, or of all clients in a wider network.
struct Share {
    slots: Resource,
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
    /// Divides the server by these limits. A client gets at most half of the threads. Wider networks get two and three quarters of
    /// everything, so that nobody who has many networks takes all of it.
    pub(crate) fn new(limits: &Limits, threads: usize) -> Shares {
        let all = Share {
            slots: Resource::new(limits.heavy),
            threads: Resource::new(threads),
            bodies: Resource::new(limits.heavy.saturating_mul(limits.body)),
            answers: Resource::new(limits.in_flight),
        };
        Shares { all: Arc::new(all), clients: Mutex::default(), limits: limits.clone(), threads }
    }

    /// Returns what a client occupies.
    pub(crate) fn client(&self, client: Network) -> Client {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let Limits { heavy, heavy_per_client, .. } = self.limits;
        let wider = client.wider().zip([2, 3]);
        let wider = wider.map(|(network, quarters)| {
            (network, heavy_per_client.max(heavy / 4 * quarters), quarters)
        });
        let networks = [(client, heavy_per_client, 2)].into_iter().chain(wider);
        let own = networks.map(|(network, slots, quarters)| {
            clients.get(&network).and_then(Weak::upgrade).unwrap_or_else(|| {
                clients.retain(|_, share| share.strong_count() > 0);
                let own = Arc::new(self.part(slots, quarters));
                clients.insert(network, Arc::downgrade(&own));
                own
            })
        });
        Client { all: self.all.clone(), own: own.collect() }
    }

    /// A share with so many slots, and quarters of all threads and answers.
    fn part(&self, slots: usize, quarters: usize) -> Share {
        let Limits { body, in_flight, answer, .. } = self.limits;
        Share {
            slots: Resource::new(slots),
            threads: Resource::new((self.threads * quarters / 4).max(1)),
            bodies: Resource::new(slots.saturating_mul(body)),
            answers: Resource::new(answer.max(in_flight / 4 * quarters)),
        }
    }

    /// Number of open longer requests whose body is received, bytes in bodies, and bytes in answers that wait to be sent.
    pub(crate) fn occupied(&self) -> [usize; 3] {
        let Share { slots, bodies, answers, .. } = &*self.all;
        [slots, bodies, answers].map(Resource::occupied)
    }
}

/// A client with longer requests.
#[derive(Clone)]
pub(crate) struct Client {
    all: Arc<Share>,
    /// The client's own share, and those of the wider networks that contain it.
    own: Vec<Arc<Share>>,
}

/// A part of a resource, until it is dropped.
pub(crate) struct Taken {
    permits: Vec<OwnedSemaphorePermit>,
    /// Other requests of the client find its shares as long as one part of them is taken.
    _own: Vec<Arc<Share>>,
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
        let part = |share: &Arc<Share>| {
            let (resource, is_own) = (resource(share), !Arc::ptr_eq(share, &self.all));
            resource.take(amount).ok_or(Full { size: resource.size, is_own })
        };
        let permits = self.own.iter().chain([&self.all]).map(part).collect::<Result<_, _>>()?;
        Ok(Taken { permits, _own: self.own.clone() })
    }

    /// Takes a slot, or returns 429 if none is free.
    pub(crate) fn slot(&self) -> Result<Taken, Refusal> {
        self.take(|share| &share.slots, 1).map_err(|Full { size, is_own }| {
            let whose = if is_own { " of one client or network" } else { "" };
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
        let mut permits = Vec::new();
        for share in self.own.iter().chain([&self.all]) {
            let permit = share.threads.free.clone().acquire_owned().await;
            permits.push(permit.expect("the semaphore is never closed"));
        }
        Taken { permits, _own: self.own.clone() }
    }
}
