//! Carries results from the waiter's rows to the rows of the table. An outbox collects batches, a team exchanges them, and an inbox stores
//! them until they are written.
//!
//! The [`Team`] of this crate is the threads of one process. The team of a cluster, in `morpion-builder`, is the workers of several
//! processes. Every team produces the same tables.

mod batch;
mod inbox;
mod places;

pub use batch::{Batch, FULL, Outbox, Send};
pub(crate) use batch::{beyond, each_entry};
pub use inbox::{Arrived, Inbox};
pub(crate) use places::Places;

use crate::error::SolveError;
use crate::solve::store::{Storage, Store};
use morpion_machine::threads;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Work on one block, which sends results to the outbox.
pub type Work<'w> = dyn Fn(usize, &mut Outbox) -> Result<(), SolveError> + Sync + 'w;

/// Delivers a batch at once. Returns false if the batch has to wait.
pub type Deliver<'d> = dyn Fn(&Batch) -> io::Result<bool> + Sync + 'd;

/// Delivers nothing at once, so that all batches wait.
///
/// # Errors
/// Never.
pub fn wait(_: &Batch) -> io::Result<bool> {
    Ok(false)
}

/// A member of a team that divides the blocks of a layer. The threads of one process are one member. All members make
/// the same calls in the same order.
pub trait Team {
    /// Returns true if this member owns a block. In a team of *n* members, the first *n* blocks belong to different members.
    fn owns(&self, block: usize) -> bool;

    /// Works on all own blocks and waits until all members have done so. Afterwards the inbox contains everything that
    /// was sent to own blocks, except batches that `deliver` delivered. The sending layer has `blocks` blocks, and the
    /// receiving layer has `strips` strips.
    ///
    /// # Errors
    /// If the work fails, or another member is lost.
    fn exchange(
        &mut self,
        blocks: usize,
        strips: usize,
        work: &Work,
        deliver: &Deliver,
    ) -> Result<Inbox, SolveError>;

    /// Limits the memory for pending entries of each exchange from now on, if this member has a store for entries beyond the limit.
    fn limit(&mut self, _bytes: usize) {}

    /// Collects a number from every member, in any order.
    ///
    /// # Errors
    /// If another member is lost.
    fn gather(&mut self, number: u64) -> Result<Vec<u64>, SolveError>;
}

/// Threads of this process, which own all blocks.
pub struct Threads {
    /// Number of threads.
    threads: usize,
    /// Maximum size in bytes of pending batches in memory.
    limit: usize,
    /// Store for batches beyond the limit; `None` keeps all batches in memory.
    store: Option<Arc<dyn Store>>,
}

impl Threads {
    /// Uses this number of threads. Pending entries beyond the limit go to the store, if there is a store.
    pub fn new(threads: usize, storage: &Storage) -> Threads {
        Threads { threads, limit: usize::MAX, store: storage.store.clone() }
    }
}

impl Team for Threads {
    fn owns(&self, _: usize) -> bool {
        true
    }

    fn exchange(
        &mut self,
        blocks: usize,
        strips: usize,
        work: &Work,
        deliver: &Deliver,
    ) -> Result<Inbox, SolveError> {
        let inbox = Inbox::new(strips, self.limit, self.store.clone());
        let put = |batch: &mut Batch| match deliver(batch)? {
            true => Ok(()),
            false => Ok(inbox.put(batch)?),
        };
        let next = AtomicUsize::new(0);
        let done = threads::map(self.threads, &|_| {
            let mut put = put;
            let mut outbox = Outbox::new(strips, &mut put);
            loop {
                let block = next.fetch_add(1, Ordering::Relaxed);
                if block >= blocks {
                    return outbox.finish();
                }
                work(block, &mut outbox)?;
                outbox.check()?;
            }
        });
        done.into_iter().collect::<Result<(), SolveError>>()?;
        Ok(inbox)
    }

    fn limit(&mut self, bytes: usize) {
        self.limit = bytes;
    }

    fn gather(&mut self, number: u64) -> Result<Vec<u64>, SolveError> {
        Ok(vec![number])
    }
}
