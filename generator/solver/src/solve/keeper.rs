//! The keeper of a solution: it receives the solved layers, and stores the progress from which an interrupted solution resumes.

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::census::Counted;
use crate::solve::shape::Shape;
use morpion_core::fields;
use morpion_games::reach::groups::groups;
use morpion_machine::progress::Progress;
use std::io::{self, Read};
use std::ops::Range;

/// Progress of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Done {
    /// Number of complete layers, the last layer of the game first.
    pub layers: u64,
    /// The distance up to which the next layer group is solved, if it is in progress.
    pub distance: Option<u16>,
}

fields!(Done { layers, distance });

/// Visits the bytes of some rows, as they are in the table.
pub type VisitBytes<'v> = dyn FnMut(&[u8]) -> Result<(), SolveError> + 'v;

/// Visits all rows of a solved layer in order, and counts them.
pub type VisitLayer<'l> = dyn Fn(&mut VisitBytes) -> Result<Counted, SolveError> + 'l;

/// Receives the layers of a table, the last layer of the game first. The default methods store no progress, so that every solution
/// starts at the beginning.
pub trait Keeper {
    /// Writes a layer that was just solved.
    ///
    /// # Errors
    /// If the layer cannot be written.
    fn write(&mut self, layer: &VisitLayer) -> Result<(), SolveError>;

    /// Progress of the interrupted solution.
    fn done(&self) -> Done {
        Done::default()
    }

    /// Reads back the bytes of a layer that is written. Not called if rows are saved.
    ///
    /// # Errors
    /// If the bytes cannot be read.
    fn solved_layer(&mut self, layer: usize) -> io::Result<Box<dyn Read + '_>> {
        Err(io::Error::other(format!("layer {layer} cannot be read back")))
    }

    /// Returns true if the rows of every layer have to be saved, because the layers are not read back from a table.
    fn saves_rows(&self) -> bool {
        false
    }

    /// Returns true if it is time to save the rows of a layer group.
    fn is_due(&self) -> bool {
        false
    }

    /// Records progress. All layers of `done` are written. If `done` has a distance, the rows of the next layer group are saved, and solved
    /// at least up to that distance. The members of a cluster resume together, so this member may have got farther before the interruption.
    ///
    /// # Errors
    /// If the progress cannot be stored.
    fn record(&mut self, _done: Done) -> Result<(), SolveError> {
        Ok(())
    }
}

/// Solves a layer group, and writes its layers.
type SolveGroup<'s> = dyn FnMut(Range<usize>, &mut dyn Keeper) -> Result<(), SolveError> + 's;

/// Calls `solve` for each layer group that remains after `done` layers, the last one first, and records the progress.
pub(crate) fn each_group(
    sets: &FoldedSets,
    done: u64,
    keeper: &mut dyn Keeper,
    progress: &dyn Progress,
    solve: &mut SolveGroup,
) -> Result<(), SolveError> {
    let layers = &sets.layout.game.graph().layers;
    let end = layers.len() - done as usize;
    let entries = |layers: Range<usize>| -> u64 {
        layers.map(|layer| Shape::of(&sets.layout, layer).entries() as u64).sum()
    };
    progress.whole(entries(0..end));
    for group in groups(&sets.layout.game).into_iter().rev().filter(|group| group.end <= end) {
        progress.layer(layers[group.start].counts, entries(group.clone()));
        solve(group.clone(), keeper)?;
        let layers = (layers.len() - group.start) as u64;
        keeper.record(Done { layers, distance: None })?;
    }
    Ok(())
}
