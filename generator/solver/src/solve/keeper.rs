//! The keeper of a solution: receives the solved layers, and stores the progress.

use crate::error::SolveError;
use crate::solve::census::Counted;
use serde::{Deserialize, Serialize};
use std::io;

/// Progress of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Done {
    /// Number of complete layers, the last layer of the game first.
    pub layers: u64,
    /// The distance up to which the movement layer is solved, if it is in progress.
    pub distance: Option<u16>,
}

/// Visits the bytes of some rows, as they are in the table.
pub type Pieces<'v> = dyn FnMut(&[u8]) -> Result<(), SolveError> + 'v;

/// Visits all rows of a solved layer in order, and counts them.
pub type Layer<'l> = dyn Fn(&mut Pieces) -> Result<Counted, SolveError> + 'l;

/// Fills a buffer with the next bytes of a layer.
pub type ReadOn<'r> = dyn FnMut(&mut [u8]) -> io::Result<()> + 'r;

/// Receives the layers of a table, and stores the progress from which an interrupted solution resumes.
pub trait Keeper {
    /// Progress of the interrupted solution.
    fn done(&self) -> Done {
        Done::default()
    }

    /// Reads back the bytes of the most recently solved layer; `None` if its rows were saved.
    ///
    /// # Errors
    /// If the bytes cannot be read.
    fn last_layer(&mut self) -> io::Result<Option<Box<ReadOn<'_>>>> {
        Ok(None)
    }

    /// Returns true if the rows of every layer have to be saved, because the keeper does not store them otherwise.
    fn saves_rows(&self) -> bool {
        false
    }

    /// Keeps a layer that was just solved, the `solved`th of the game. The members of a cluster resume together, so this may be a
    /// layer that this member had solved before the interruption.
    ///
    /// # Errors
    /// If the layer cannot be kept.
    fn layer(&mut self, solved: u64, layer: &Layer) -> Result<(), SolveError>;

    /// Returns true if it is time to save the rows of a movement layer.
    fn is_due(&self) -> bool {
        false
    }

    /// Records that the rows of the movement layer are saved and are solved at least up to this distance.
    ///
    /// # Errors
    /// If the progress cannot be stored.
    fn distance(&mut self, distance: u16) -> Result<(), SolveError> {
        let _ = distance;
        Ok(())
    }
}
