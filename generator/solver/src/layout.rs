//! The layout of a table: the number of rows of every layer, and its offset in the file.
//!
//! [`lay_out`] returns the header of the future table with its game. The header has the group and the rows of every set size that a mover
//! has, but the sets are not folded yet. A build starts with this header, from which its cost is estimated.

use crate::error::SolveError;
use morpion_core::{Encoding, Game, Header, TableError};
use morpion_games::symmetry::burnside::orbits_of_sets;
use morpion_games::symmetry::group::group;
use morpion_machine::progress::Progress;

/// Number of entries above which a game without movement has values alone by default.
const MANY_ENTRIES: u64 = 100_000_000;

/// Searches for the group of `game` and lays out its table. The default encoding is distances of one byte, but values alone for a
/// game without movement and with more than 100 million entries.
///
/// # Errors
/// If the game is too large for the format, values alone are requested for a game with movement, or the observer
/// requests a stop.
pub fn lay_out(
    game: &Game,
    encoding: Option<Encoding>,
    progress: &dyn Progress,
) -> Result<Header, SolveError> {
    // Values alone are impossible if play could repeat instead of winning, or if the game is solved in layer groups, which are solved
    // distance by distance.
    let needs_distances = game.graph().has_cycles() || !game.has_children_in_one_row();
    let first = encoding.unwrap_or(if needs_distances { Encoding::Plies8 } else { Encoding::Wdl });
    if first == Encoding::WdlCycle || first == Encoding::Wdl && needs_distances {
        let fault = "values alone are for games that end by placing: this one is solved with distances (plies)";
        return Err(TableError::header(fault).into());
    }
    let (kind, symmetries) = group(game, progress)?;
    let rows = |size| orbits_of_sets(&symmetries, size);
    let layout = Header::new(game, first, kind, symmetries.clone(), rows)?;
    if encoding.is_none() && first == Encoding::Wdl && layout.entries() <= MANY_ENTRIES {
        return Ok(layout.with_encoding(Encoding::Plies8)?);
    }
    Ok(layout)
}
