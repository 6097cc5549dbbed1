//! The driver: solves all layers of a game from the last to the first. It is the same for all encodings and all storage
//! of rows.
//!
//! It passes every solved layer to a [`Keeper`]. An interrupted solution resumes from the keeper's progress.

use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::census::Counted;
use crate::solve::distances::{self, Distances};
use crate::solve::exchange::Team;
use crate::solve::rows::Storage;
use crate::solve::values::{self, Values};
use morpion_lookup::Counts;
use morpion_lookup::raw::Encoding;
use morpion_machine::progress::Progress;
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

/// Storage and solution of layers with one kind of entries.
pub(crate) trait Kind {
    /// Returns the progress from which all members resume: the least progress of all members.
    fn agree(&mut self, own: Done) -> Result<Done, SolveError>;

    /// Restores the rows of a layer that was solved before.
    fn restore(&mut self, counts: Counts, keeper: &mut dyn Keeper) -> Result<(), SolveError>;

    /// Solves a layer from the layer after it, whose rows it replaces. The first layer to be solved
    /// is the last one of the game. If it is a movement layer in progress, it is solved from `distance` on.
    fn solve(
        &mut self,
        counts: Counts,
        distance: Option<u16>,
        keeper: &mut dyn Keeper,
    ) -> Result<(), SolveError>;

    /// Visits and counts the rows of the layer that was restored or solved last.
    fn pieces(&self, counts: Counts, visit: &mut Pieces) -> Result<Counted, SolveError>;
}

/// Solves the remaining layers and passes them to `keeper`. A game with entries of two bits is solved in memory by the
/// threads of this pool. Any other game is solved by `team`, with its rows in `storage`.
///
/// # Errors
/// If a distance does not fit the entries, the observer requests a stop, another member of the team is lost, or files
/// cannot be read or written.
pub fn solve(
    sets: &FoldedSets,
    encoding: Encoding,
    storage: &Storage,
    team: &mut dyn Team,
    keeper: &mut dyn Keeper,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    match encoding {
        Encoding::Plies8 => {
            let mut kind = Distances::<u8>::new(sets, storage, team, progress);
            layers(&mut kind, sets, keeper, progress)
        }
        Encoding::Plies16 => {
            let mut kind = Distances::<u16>::new(sets, storage, team, progress);
            layers(&mut kind, sets, keeper, progress)
        }
        Encoding::Wdl => layers(&mut Values::new(sets, progress), sets, keeper, progress),
    }
}

fn layers(
    kind: &mut dyn Kind,
    sets: &FoldedSets,
    keeper: &mut dyn Keeper,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let from = kind.agree(keeper.done())?;
    let done = from.layers as usize;
    let counts: Vec<Counts> = sets.game().layers().into_iter().rev().collect();
    let entries = |&counts: &Counts| Shape::of(sets, counts).entries() as u64;
    progress.whole(counts.iter().skip(done).map(entries).sum());
    if 0 < done && done < counts.len() {
        kind.restore(counts[done - 1], keeper)?;
    }
    for (solved, counts) in (1..).zip(counts).skip(done) {
        progress.layer(counts, entries(&counts));
        kind.solve(counts, from.distance, keeper)?;
        keeper.layer(solved, &|visit: &mut Pieces| kind.pieces(counts, visit))?;
    }
    Ok(())
}

/// Bytes of memory for solving, in addition to the folded sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    /// Memory that all threads share, without rows.
    pub shared: u64,
    /// Memory of each thread.
    pub own: u64,
    /// The rows of a layer and of the next layer, with their pending entries and remembered planes.
    pub rows: u64,
}

impl Needs {
    /// The memory of each layer of a table.
    pub fn of_layers(layout: &Layout) -> impl Iterator<Item = Needs> {
        layout.game().layers().into_iter().map(|counts| {
            let shape = Shape::planned(layout, counts);
            match layout.header().encoding {
                Encoding::Plies8 => distances::memory::<u8>(layout, &shape),
                Encoding::Plies16 => distances::memory::<u16>(layout, &shape),
                Encoding::Wdl => values::memory(layout, &shape),
            }
        })
    }

    /// The memory of a whole build with its rows in files. Returns `None` for entries of two bits, whose rows are never
    /// in files, because they are small.
    pub fn in_files(layout: &Layout) -> Option<Needs> {
        if layout.header().encoding == Encoding::Wdl {
            return None;
        }
        let most = |of: fn(Needs) -> u64| Needs::of_layers(layout).map(of).max().unwrap_or(0);
        let (shared, own) = (most(|needs| needs.shared), most(|needs| needs.own));
        Some(Needs { shared: Needs::base(layout) + shared, own, rows: 0 })
    }

    /// Memory that no layer needs: of the program itself, its threads, the tables of ranks, and the folded sets.
    pub fn base(layout: &Layout) -> u64 {
        (24 << 20) + FoldedSets::memory(layout)
    }
}

/// Returns true if no layer follows: the board is full, or all pieces are placed.
pub(crate) fn is_last(layout: &Layout, shape: &Shape) -> bool {
    let Counts { mover, waiter } = shape.counts;
    shape.child_columns == 0
        || layout.game().rules().pieces.is_some_and(|each| mover == each && waiter == each)
}
