//! Positions listed by an iterable, and their scores.
//!
//! Reads text, cells and `Position` objects in any mixture. `batch` has the scores of positions in arrays.

use crate::answers;
use crate::batch::{BATCH, probe_each, too_many};
use crate::cells::read_position;
use crate::errors::{MorpionError, in_batch, of_probe};
use crate::rules::Game;
use crate::source::{OpenTable, ask, ask_detached};
use morpion_lookup::{Side, raw};
use pyo3::prelude::*;

/// The positions of an iterable, up to BATCH.
///
/// # Errors
/// The first error.
pub(crate) fn read_positions(
    game: &Game,
    positions: &Bound<'_, PyAny>,
) -> PyResult<Vec<(raw::Position, Side)>> {
    let py = positions.py();
    let read = read_each(game, positions)?.into_iter().enumerate();
    read.map(|(index, read)| read.map_err(|error| in_batch(py, error, index))).collect()
}

/// The positions of an iterable, up to BATCH, or their errors if they are not positions of the game.
///
/// # Errors
/// If the iterable fails, or has an item of another type.
fn read_each(
    game: &Game,
    positions: &Bound<'_, PyAny>,
) -> PyResult<Vec<PyResult<(raw::Position, Side)>>> {
    let py = positions.py();
    let mut found = Vec::new();
    for position in positions.try_iter()? {
        let index = found.len();
        if index == BATCH {
            return Err(too_many(py));
        }
        // Ctrl-C would not interrupt an iterator that runs no Python.
        if index % 4096 == 0 {
            py.check_signals()?;
        }
        match read_position(game, &position?, None) {
            Err(error) if !error.is_instance_of::<MorpionError>(py) => return Err(error),
            read => found.push(read),
        }
    }
    Ok(found)
}

/// The scores of the positions of an iterable, or the exceptions of positions without a score.
pub(crate) fn probe_listed<'py>(
    table: &OpenTable,
    game: &Game,
    positions: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = positions.py();
    let read = read_each(game, positions)?;
    let found: Vec<raw::Position> =
        read.iter().filter_map(|read| Some(read.as_ref().ok()?.0)).collect();
    let scores = ask_detached(py, table, |table| {
        let mut scores = Vec::with_capacity(found.len());
        probe_each(table, found.into_iter(), |answer| scores.push(answer)).map(|()| scores)
    })??;
    let mut scores = scores.into_iter();
    let answer = |(index, read): (usize, PyResult<(raw::Position, Side)>)| {
        let error = match read {
            Err(error) => error,
            Ok((position, _)) => match scores.next().expect("an answer for each position") {
                Ok(score) => return answers::score(py, score),
                // The table is damaged here; alone, the position gets the text of the error.
                Err(_) => match ask(py, table, |table| table.probe(position))? {
                    Ok(score) => return answers::score(py, score),
                    Err(error) => of_probe(py, error),
                },
            },
        };
        Ok(in_batch(py, error, index).into_value(py).into_bound(py).into_any())
    };
    read.into_iter().enumerate().map(answer).collect()
}
