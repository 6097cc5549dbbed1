//! Solves games in memory, with wider entries if distances need them.

use crate::error::SolveError;
use crate::layout::lay_out;
use crate::sets::FoldedSets;
use crate::sink::TableSink;
use crate::solve::exchange::Threads;
use crate::solve::solve as solve_layers;
use crate::solve::store::Storage;
use morpion_core::{Encoding, Game, Header};
use morpion_machine::progress::Progress;
use morpion_machine::threads;

/// Calls `build` with this layout. If it returns `None`, because a distance does not fit, calls it with the layout of wider entries. If an
/// `interrupted` build already used wider entries, first calls `build` with their layout and with true, to resume that build or to return
/// `None`.
///
/// # Errors
/// If `build` fails; [`SolveError::TooDeep`] if entries cannot be wider.
pub fn widened<T, E: From<SolveError>>(
    layout: &Header,
    interrupted: Option<&Header>,
    mut build: impl FnMut(&Header, bool) -> Result<Option<T>, E>,
) -> Result<T, E> {
    let too_deep = || E::from(SolveError::TooDeep);
    if layout.encoding != Encoding::Plies8 {
        return build(layout, false)?.ok_or_else(too_deep);
    }
    let wide = layout.with_encoding(Encoding::Plies16).map_err(SolveError::from)?;
    if interrupted == Some(&wide)
        && let Some(built) = build(&wide, true)?
    {
        return Ok(built);
    }
    match build(layout, false)? {
        Some(built) => Ok(built),
        None => build(&wide, false)?.ok_or_else(too_deep),
    }
}

/// Solves `game` in memory and returns its table with distances. Entries have two bytes if distances need them, otherwise one byte.
///
/// # Errors
/// If the game is too large, or the observer requests a stop.
pub fn solve(game: &Game, progress: &dyn Progress) -> Result<Vec<u8>, SolveError> {
    solve_widened(&lay_out(game, Some(Encoding::Plies8), progress)?, progress)
}

/// Solves the table of `layout` in memory and returns its bytes. If a distance does not fit, entries get two bytes.
///
/// # Errors
/// If entries cannot be wider, or the observer requests a stop.
pub fn solve_widened(layout: &Header, progress: &dyn Progress) -> Result<Vec<u8>, SolveError> {
    widened(layout, None, |layout, _| match solve_layout(layout, progress) {
        Err(SolveError::TooDeep) => Ok(None),
        solved => solved.map(Some),
    })
}

/// Solves `game` in memory and returns its table in the given encoding.
///
/// # Errors
/// If a distance does not fit, two bits are requested for a game with movement, the game is too large, or the observer
/// requests a stop.
pub fn solve_as(
    game: &Game,
    encoding: Encoding,
    progress: &dyn Progress,
) -> Result<Vec<u8>, SolveError> {
    solve_layout(&lay_out(game, Some(encoding), progress)?, progress)
}

/// Solves the table of `layout` in memory and returns its bytes.
///
/// # Errors
/// If a distance does not fit the encoding, or the observer requests a stop.
pub fn solve_layout(layout: &Header, progress: &dyn Progress) -> Result<Vec<u8>, SolveError> {
    let sets = FoldedSets::fold(layout, progress)?;
    let mut sink = TableSink::begin(Vec::new(), layout, &sets)?;
    let (encoding, storage) = (layout.encoding, Storage::default());
    let mut team = Threads::new(threads::count(), &storage);
    solve_layers(&sets, encoding, &storage, &mut team, &mut sink, progress)?;
    sink.finish()
}
