//! The driver: solves all layers of a game from the last to the first. It is the same for all encodings and all storage
//! of rows.
//!
//! It writes every solved layer to the sink of a [`Keeper`]. An interrupted solution resumes from its checkpoint.

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::exchange::Team;
use crate::solve::keeper::Keeper;
use crate::solve::rows::Storage;
use crate::solve::{distances, pushes, values};
use morpion_lookup::raw::Encoding;
use morpion_machine::progress::Progress;

/// Solves the remaining layers and writes them to `keeper`. The threads of this pool solve games that push, and games with entries of two
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
    let has_pushes = pushes::are_moves(sets.game());
    match encoding {
        Encoding::Plies8 if has_pushes => pushes::solve::<u8>(sets, keeper, progress),
        Encoding::Plies16 if has_pushes => pushes::solve::<u16>(sets, keeper, progress),
        Encoding::Plies8 => distances::solve::<u8>(sets, storage, team, keeper, progress),
        Encoding::Plies16 => distances::solve::<u16>(sets, storage, team, keeper, progress),
        Encoding::Wdl | Encoding::WdlCycle => values::solve(sets, keeper, progress),
    }
}
