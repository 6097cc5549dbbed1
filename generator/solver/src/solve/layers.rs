//! The driver: solves all layers of a game from the last to the first. It is the same for all encodings and all storage
//! of rows.
//!
//! It writes every solved layer to the sink of a [`Keeper`]. An interrupted solution resumes from its checkpoint.

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::distances::Distances;
use crate::solve::exchange::Team;
use crate::solve::groups;
use crate::solve::keeper::Keeper;
use crate::solve::kind::Kind;
use crate::solve::rows::Storage;
use crate::solve::shape::Shape;
use crate::solve::sink::Pieces;
use crate::solve::values::Values;
use morpion_lookup::Counts;
use morpion_lookup::raw::Encoding;
use morpion_machine::progress::Progress;

/// Solves the remaining layers and writes them to `keeper`. The threads of this pool solve games with entries of two
/// bits, in memory. Any other game is solved by `team`. Rows are in `storage`.
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
        Encoding::Plies8 if !sets.game().is_plain() => {
            groups::solve::<u8>(sets, storage.files(), team, keeper, progress)
        }
        Encoding::Plies16 if !sets.game().is_plain() => {
            groups::solve::<u16>(sets, storage.files(), team, keeper, progress)
        }
        Encoding::Plies8 => {
            let mut kind = Distances::<u8>::new(sets, storage, team, progress);
            layers(&mut kind, sets, keeper, progress)
        }
        Encoding::Plies16 => {
            let mut kind = Distances::<u16>::new(sets, storage, team, progress);
            layers(&mut kind, sets, keeper, progress)
        }
        Encoding::Wdl | Encoding::WdlCycle => {
            layers(&mut Values::new(sets, progress), sets, keeper, progress)
        }
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
        keeper.write(&|visit: &mut Pieces| kind.pieces(counts, visit))?;
        keeper.layer(solved)?;
    }
    Ok(())
}
