//! The rows that have entries to send.

use crate::solve::entry::Entry;
use morpion_machine::memory::filled;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The distances in which each row has entries that are not sent yet.
pub struct Fresh {
    /// A bit for every four distances in which children outside have given codes.
    given: Vec<AtomicU64>,
    /// True if entries were decided in the last pass. Apart from the bits, so that all rows fit a cache.
    decided: Vec<AtomicBool>,
}

impl Fresh {
    /// Bytes of memory that a row takes.
    pub const BYTES: u64 = 9;

    /// No row has entries that are not sent.
    pub fn new(rows: usize) -> Fresh {
        Fresh {
            given: filled(rows, 0u64).into_iter().map(Into::into).collect(),
            decided: filled(rows, false).into_iter().map(Into::into).collect(),
        }
    }

    /// Sets the distances that children outside have given to a row.
    #[inline(always)]
    pub fn give<E: Entry>(&self, row: usize, codes: impl Iterator<Item = E>) {
        let bits = codes.fold(0, |bits, code| bits | code.plies().map_or(0, Fresh::bit));
        self.given[row].store(bits, Relaxed);
    }

    /// Notes that entries of a row are decided.
    #[inline(always)]
    pub fn decide(&self, row: usize) {
        self.decided[row].store(true, Relaxed);
    }

    /// Returns true if a row may have entries in this distance or the next one, and forgets those that were decided.
    #[inline(always)]
    pub fn take(&self, row: usize, plies: u16) -> bool {
        let near = Fresh::bit(plies) | Fresh::bit(plies.saturating_add(1));
        self.decided[row].swap(false, Relaxed) | (self.given[row].load(Relaxed) & near != 0)
    }

    fn bit(plies: u16) -> u64 {
        1 << (plies / 4 % 64)
    }
}
