//! Rows or other units of work that threads share.

use morpion_machine::progress::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers that the threads take, some at a time.
pub(crate) struct Queue {
    next: AtomicU64,
    end: u64,
    step: u64,
}

impl Queue {
    /// All of these numbers; a thread takes `step` of them.
    pub fn new(all: Range<u64>, step: u64) -> Queue {
        Queue { next: AtomicU64::new(all.start), end: all.end, step }
    }

    /// Leaves the remaining numbers.
    pub fn stop(&self) {
        self.next.fetch_max(self.end, Ordering::Relaxed);
    }

    /// The next numbers; `None` if all are taken or the observer requests a stop.
    pub fn take(&self, progress: &dyn Progress) -> Option<Range<u64>> {
        let first = self.next.fetch_add(self.step, Ordering::Relaxed);
        let is_left = first < self.end && !progress.stop();
        is_left.then(|| first..self.end.min(first + self.step))
    }
}
