//! The exchange: who does the work on which block, and how results reach their rows.
//!
//! In this crate a [`Team`] is the threads of one process; the cluster crate has a team of workers of several processes. Every team
//! does the same work and makes the same tables.

use crate::error::SolveError;
use crate::solve::exchange::batch::{Batch, Outbox};
use crate::solve::exchange::inbox::Inbox;
use rayon::prelude::*;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Work on a block that sends to others.
pub type Work<'w> = dyn Fn(usize, &mut Outbox) -> Result<(), SolveError> + Sync + 'w;

/// Delivers a batch at once. Returns whether it did; else the batch has to wait.
pub type Deliver<'d> = dyn Fn(&Batch) -> io::Result<bool> + Sync + 'd;

/// Delivers nothing at once: all batches wait.
///
/// # Errors
/// Never.
pub fn wait(_: &Batch) -> io::Result<bool> {
    Ok(false)
}

/// A member of a team that divides the blocks of a layer among its members; the threads of one process count as one. All
/// members go through the same calls in the same order.
pub trait Team {
    /// Returns whether a block is this member's.
    fn owns(&self, block: usize) -> bool;

    /// Does the work of all own blocks and waits until all members have; then everything that was sent to own blocks is
    /// in the inbox, but for what `deliver` has delivered before. The layer that sends has `blocks` blocks, the one that
    /// receives `strips` strips.
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

    /// Does work on all own blocks that sends nothing.
    ///
    /// # Errors
    /// If the work fails.
    fn each(
        &mut self,
        blocks: usize,
        work: &(dyn Fn(usize) -> Result<(), SolveError> + Sync),
    ) -> Result<(), SolveError>;

    /// Collects the numbers of all members.
    ///
    /// # Errors
    /// If another member is lost.
    fn gather(&mut self, numbers: [u64; 2]) -> Result<Vec<[u64; 2]>, SolveError>;
}

/// Some threads of this process, which own all blocks.
pub struct Threads {
    /// Their number.
    pub threads: usize,
    /// Bytes of batches that wait in memory.
    pub limit: usize,
    /// Folder of the file for the other batches; `None` keeps all in memory.
    pub folder: Option<PathBuf>,
}

impl Threads {
    /// All threads of this pool, for rows in memory.
    pub fn in_memory() -> Threads {
        Threads { threads: rayon::current_num_threads(), limit: usize::MAX, folder: None }
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
        let inbox = Inbox::new(strips, self.limit, self.folder.clone());
        let put = |batch: &mut Batch| match deliver(batch)? {
            true => Ok(()),
            false => Ok(inbox.put(batch)?),
        };
        let next = AtomicUsize::new(0);
        (0..self.threads).into_par_iter().with_max_len(1).try_for_each(|_| {
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
        })?;
        Ok(inbox)
    }

    fn each(
        &mut self,
        blocks: usize,
        work: &(dyn Fn(usize) -> Result<(), SolveError> + Sync),
    ) -> Result<(), SolveError> {
        self.exchange(blocks, 0, &|block, _| work(block), &wait).map(drop)
    }

    fn gather(&mut self, numbers: [u64; 2]) -> Result<Vec<[u64; 2]>, SolveError> {
        Ok(vec![numbers])
    }
}
