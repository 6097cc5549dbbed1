//! Marks of positions, one bit each in rows of the waiter, and of rows that have entries to send.

use crate::solve::entry::Entry;
use morpion_machine::memory::{filled, prefetch};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The bits of a layer. Each row begins with a word of its own.
#[derive(Default)]
pub struct Marks {
    /// Words of a row.
    words: usize,
    bits: Vec<AtomicU64>,
}

impl Marks {
    /// No position is marked.
    pub fn new(rows: usize, columns: usize) -> Marks {
        let words = columns.div_ceil(64);
        Marks { words, bits: filled(rows * words, 0u64).into_iter().map(Into::into).collect() }
    }

    /// The words of a row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &[AtomicU64] {
        &self.bits[row * self.words..][..self.words]
    }
}

/// Prefetches a row.
#[inline(always)]
pub fn prefetch_row(row: &[AtomicU64]) {
    (0..row.len()).step_by(8).for_each(|word| prefetch(row, word));
}

/// Returns true if a bit of a row is set.
#[inline(always)]
pub fn is_set(row: &[AtomicU64], column: usize) -> bool {
    row[column / 64].load(Relaxed) >> (column % 64) & 1 == 1
}

/// Sets a bit of a row, which other threads may change too.
#[inline(always)]
pub fn set(row: &[AtomicU64], column: usize) {
    if !is_set(row, column) {
        row[column / 64].fetch_or(1 << (column % 64), Relaxed);
    }
}

/// Clears a bit of a row that no other thread changes.
#[inline(always)]
pub fn clear(row: &[AtomicU64], column: usize) {
    let word = &row[column / 64];
    word.store(word.load(Relaxed) & !(1 << (column % 64)), Relaxed);
}

/// The distances in which each row has entries that are not sent yet.
pub struct Fresh {
    /// A bit for every four distances in which children outside have given codes.
    given: Vec<AtomicU64>,
    /// True if entries were decided in the last pass. Apart from the bits, so that all rows fit a cache.
    decided: Vec<AtomicBool>,
}

impl Fresh {
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
