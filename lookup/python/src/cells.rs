//! Reads positions from Python objects: text, or cells in lists, tuples and arrays.
//!
//! Any object is read as a position of a game, or raises an exception. Endless iterators are refused.

use crate::errors::{PositionError, named, of_text};
use crate::position::Position;
use crate::rules::Game;
use morpion_lookup as lookup;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Limit of the depth of nested lists; rows of cells have 2.
const DEEPEST: usize = 8;

/// Limit of the cells, rows and characters that are read as a position; a board has at most 36 cells.
const MOST: usize = 1024;

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
    let position = game.rules.parse_position(&text).map_err(|error| of_text(py, &error))?;
    Ok((position.raw, position.side))
}

/// The text of a position: a string unchanged, or the cells of lists, tuples and arrays of 0, 1 and 2.
fn board_text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    rows_text(given, 1, &mut 0)
}

/// The text of a list of cells or rows at a depth of nested lists. `read` counts cells and rows.
fn rows_text(given: &Bound<'_, PyAny>, depth: usize, read: &mut usize) -> PyResult<String> {
    if depth > DEEPEST {
        return Err(PyTypeError::new_err(format!(
            "lists nested more than {DEEPEST} deep are not a position: use text or lists of 0, 1 and 2"
        )));
    }
    let mut text = String::new();
    for item in given.try_iter().map_err(|_| no_position(given))? {
        let item = item?;
        // Otherwise an endless iterator, or many empty lists, would be read forever.
        if *read == MOST || text.len() > MOST {
            let found = format!("more than {MOST} cells, which no board has");
            return Err(named::<PositionError>(given.py(), "size", found));
        }
        *read += 1;
        if let Ok(cell) = item.cast::<PyString>() {
            text.push_str(&cell.to_cow()?);
        } else if let Ok(cell) = item.extract::<i64>() {
            // An invalid cell becomes `?`, which the parser reports.
            match u32::try_from(cell).ok().and_then(|cell| char::from_digit(cell, 10)) {
                Some(digit) => text.push(digit),
                None => text.push('?'),
            }
        } else {
            if !text.is_empty() {
                text.push('/');
            }
            text.push_str(&rows_text(&item, depth + 1, read)?);
        }
    }
    Ok(text)
}

fn no_position(given: &Bound<'_, PyAny>) -> PyErr {
    let name = given.get_type().name().map_or("something".into(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} is not a position: use text or lists of 0, 1 and 2"))
}
