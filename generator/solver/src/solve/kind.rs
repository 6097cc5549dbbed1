//! The interface between the driver and the solution of layers with one kind of entries.

use crate::error::SolveError;
use crate::solve::census::Counted;
use crate::solve::checkpoint::{Checkpoint, Done};
use crate::solve::sink::Pieces;
use morpion_lookup::Counts;

/// Storage and solution of layers with one kind of entries.
pub(crate) trait Kind {
    /// Returns the progress from which all members resume: the least progress of all members.
    fn agree(&mut self, own: Done) -> Result<Done, SolveError>;

    /// Restores the rows of a layer that was solved before.
    fn restore(
        &mut self,
        counts: Counts,
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<(), SolveError>;

    /// Solves a layer from the layer after it, whose rows it replaces. The first layer to be solved
    /// is the last one of the game. If it is a movement layer in progress, it is solved from `distance` on.
    fn solve(
        &mut self,
        counts: Counts,
        distance: Option<u16>,
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<(), SolveError>;

    /// Visits and counts the rows of the layer that was restored or solved last.
    fn pieces(&self, counts: Counts, visit: &mut Pieces) -> Result<Counted, SolveError>;
}
