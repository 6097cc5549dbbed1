//! Shares rows or other units of work among threads.

use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Approximate number of entries that a thread checks before it takes the next rows and reports its progress.
pub(crate) const STRETCH: u64 = 1 << 14;

/// Calls `work` on all threads with `step` numbers of `all` at a time, until no number is left or the observer requests a stop. Each thread
/// has one result, made by `new` and changed by `work`. Returns these results.
///
/// # Errors
/// An error of `new` or `work`. After an error, the remaining numbers are not taken.
pub(crate) fn share<T: Send, E: Send>(
    all: Range<u64>,
    step: u64,
    progress: &dyn Progress,
    new: impl Fn() -> Result<T, E> + Sync,
    work: impl Fn(&mut T, Range<u64>) -> Result<(), E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicU64::new(all.start);
    let shares = threads::map(threads::count(), &|_| {
        let mut result = new()?;
        loop {
            let first = next.fetch_add(step, Ordering::Relaxed);
            if first >= all.end || progress.stop() {
                return Ok(result);
            }
            work(&mut result, first..all.end.min(first + step)).inspect_err(|_| {
                next.fetch_max(all.end, Ordering::Relaxed);
            })?;
        }
    });
    shares.into_iter().collect()
}
