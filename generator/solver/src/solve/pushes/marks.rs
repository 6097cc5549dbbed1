//! Marks of positions: a bit for each position, in rows of the waiter.

use morpion_machine::memory::{filled, prefetch};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The bits of a layer. Each row begins with a word of its own.
#[derive(Default)]
pub struct Marks {
    /// Number of words of a row.
    words: usize,
    bits: Vec<AtomicU64>,
}

impl Marks {
    /// Room for the marks of a layer, without a marked position.
    pub fn new(rows: usize, columns: usize) -> Marks {
        let words = columns.div_ceil(64);
        Marks { words, bits: filled(rows * words, 0u64).into_iter().map(Into::into).collect() }
    }

    /// Marks the positions that are marked in `others`.
    pub fn add(&self, others: &Marks) {
        for (word, other) in self.bits.iter().zip(&others.bits) {
            word.store(word.load(Relaxed) | other.load(Relaxed), Relaxed);
        }
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
