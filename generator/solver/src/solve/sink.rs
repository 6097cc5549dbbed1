//! The sink of a solution, which receives the solved layers.

use crate::error::SolveError;
use crate::solve::census::Counted;

/// Visits the bytes of some rows, as they are in the table.
pub type Pieces<'v> = dyn FnMut(&[u8]) -> Result<(), SolveError> + 'v;

/// Visits all rows of a solved layer in order, and counts them.
pub type VisitLayer<'l> = dyn Fn(&mut Pieces) -> Result<Counted, SolveError> + 'l;

/// Receives the layers of a table, the last layer of the game first.
pub trait Sink {
    /// Writes a layer that was just solved.
    ///
    /// # Errors
    /// If the layer cannot be written.
    fn write(&mut self, layer: &VisitLayer) -> Result<(), SolveError>;
}
