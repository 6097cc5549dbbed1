//! Progress of a long computation: reports numbers and asks whether to stop.

use morpion_lookup::Counts;
use thiserror::Error;

/// Receives the progress of a computation, and may ask for a stop. Entries are entries of a table, or other units of work.
pub trait Progress: Sync {
    /// `entries` entries are ahead, in all layers if there are layers.
    fn whole(&self, entries: u64) {
        let _ = entries;
    }

    /// A layer of `entries` entries begins.
    fn layer(&self, counts: Counts, entries: u64) {
        let _ = (counts, entries);
    }

    /// `entries` more entries are done.
    fn advance(&self, entries: u64) {
        let _ = entries;
    }

    /// The movement layer is decided up to this distance.
    fn distance(&self, distance: u16) {
        let _ = distance;
    }

    /// All layers are solved, and `entries` entries are ahead once more: they are written as one table.
    fn writing(&self, entries: u64) {
        let _ = entries;
    }

    /// Returns `true` if the computation has to stop at its next safe point.
    fn stop(&self) -> bool {
        false
    }

    /// [`Progress::stop`] as an error.
    ///
    /// # Errors
    /// If it has to stop.
    fn check(&self) -> Result<(), Stopped> {
        if self.stop() { Err(Stopped) } else { Ok(()) }
    }
}

/// The computation was asked to stop, and did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped")]
pub struct Stopped;

/// No observer: nothing is reported, and nothing stops.
pub struct Unobserved;

impl Progress for Unobserved {}
