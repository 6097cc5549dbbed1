//! Progress of a long computation: an observer receives numbers and may request a stop.

use morpion_core::Counts;
use thiserror::Error;

/// Receives the progress of a computation, and may request a stop. Entries are entries of a table, or other units of
/// work.
pub trait Progress: Sync {
    /// Receives the number of entries to compute, over all layers if there are layers.
    fn whole(&self, _entries: u64) {}

    /// Now `bytes` bytes are compared with their checksums.
    fn checking(&self, _bytes: u64) {}

    /// A layer with `entries` entries begins.
    fn layer(&self, _counts: Counts, _entries: u64) {}

    /// `entries` more entries, or bytes, are done.
    fn advance(&self, _entries: u64) {}

    /// The movement layer is decided up to this distance.
    fn distance(&self, _distance: u16) {}

    /// All layers are solved. Now `entries` entries are written as one table.
    fn writing(&self, _entries: u64) {}

    /// Returns `true` if the computation has to stop at its next safe point.
    fn stop(&self) -> bool {
        false
    }

    /// Reports [`Progress::stop`] as an error.
    ///
    /// # Errors
    /// If the computation has to stop.
    fn check(&self) -> Result<(), Stopped> {
        if self.stop() { Err(Stopped) } else { Ok(()) }
    }
}

/// The computation stopped as requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped")]
pub struct Stopped;

/// An observer that ignores all reports and never requests a stop.
pub struct Unobserved;

impl Progress for Unobserved {}
