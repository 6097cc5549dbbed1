//! Reads positions from Python objects: text, or cells in lists, tuples and arrays.
//!
//! Any object is read as a position of a game, or raises an exception.

use crate::errors::of_check;
use crate::position::Position;
use crate::rules::Game;
use morpion_lookup as lookup;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A position of `game` and its side to move, from a `Position`, text or cells. Without `side`, the text or the number of pieces
/// determines the side to move.
pub(crate) fn read_position(
    game: &Game,
    given: &Bound<'_, PyAny>,
    side: Option<&str>,
) -> PyResult<(lookup::raw::Position, lookup::Side)> {
    let py = given.py();
    if let Ok(position) = given.cast::<Position>() {
        return position.get().of_game(py, game, side);
    }
    let text = board_text(given)?;
    let text = side.map_or(text.clone(), |side| format!("{text} {side}"));
    let position = game.rules.parse_position(&text).map_err(|error| of_check(py, error))?;
    Ok((position.raw, position.side))
}

/// The text of a position: a string unchanged, or the cells of lists, tuples and arrays, which Python reads.
fn board_text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    match given.cast::<PyString>() {
        Ok(text) => Ok(text.to_cow()?.into_owned()),
        Err(_) => given.py().import("morpion.cells")?.call_method1("text", (given,))?.extract(),
    }
}
