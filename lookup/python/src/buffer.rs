//! Arrays of numbers as `memoryview` objects, which numpy uses without a copy by the buffer protocol.

use morpion_lookup::{ErrorKind, Position, Score, Value};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyByteArray, PyDict, PyMemoryView};

/// Names of the errors that a position of a batch may have, by number.
pub(crate) fn error_kinds(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    use ErrorKind::{BothLines, Counts, Damaged, MoverLine, OffTheBoard, Overlap};
    let kinds = [OffTheBoard, Overlap, Counts, MoverLine, BothLines, Damaged];
    kinds.map(|kind| (kind as u8, kind.name())).into_py_dict(py)
}

/// An array of items in this `format`, a code of `memoryview`.
pub(crate) fn array<'py>(
    py: Python<'py>,
    bytes: &[u8],
    format: &str,
) -> PyResult<Bound<'py, PyAny>> {
    PyMemoryView::from(PyByteArray::new(py, bytes).as_any())?.call_method1("cast", (format,))
}

/// An array of rows of `columns` bytes.
pub(crate) fn rows<'py>(
    py: Python<'py>,
    bytes: &[u8],
    format: &str,
    columns: usize,
) -> PyResult<Bound<'py, PyAny>> {
    // A `memoryview` of two dimensions cannot be empty, so an empty array has one dimension.
    let flat = array(py, bytes, if bytes.is_empty() { format } else { "B" })?;
    if bytes.is_empty() {
        return Ok(flat);
    }
    flat.call_method1("cast", (format, (bytes.len() / columns, columns)))
}

/// Arrays of the words of the movers and of the waiters.
pub(crate) fn pair<'py>(
    py: Python<'py>,
    positions: &[Position],
) -> PyResult<[Bound<'py, PyAny>; 2]> {
    let bytes = |at: &Position| (at.mover.to_ne_bytes(), at.waiter.to_ne_bytes());
    let (movers, waiters): (Vec<_>, Vec<_>) = positions.iter().map(bytes).unzip();
    Ok([array(py, movers.as_flattened(), "Q")?, array(py, waiters.as_flattened(), "Q")?])
}

/// Returns 1 for a win, 0 for a draw, -1 for a loss. The variants of `Value` are Win, Draw, Loss, an order fixed by the file format.
pub(crate) fn number(value: Value) -> i8 {
    1 - value as i8
}

/// Columns of scores: values, distances, and kinds of draw, in the codes of `Scores`.
#[derive(Default)]
pub(crate) struct Columns {
    value: Vec<u8>,
    plies: Vec<u8>,
    draw: Vec<u8>,
}

impl Columns {
    pub(crate) fn push(&mut self, score: Option<Score>) {
        // The cast is exact: no encoding has a distance above 32,766.
        let plies = score.and_then(Score::plies).map_or(-1, |plies| plies as i16);
        self.value.push(score.map_or(0, |score| number(score.value())) as u8);
        self.plies.extend(plies.to_ne_bytes());
        self.draw.push(score.and_then(Score::draw).map_or(0, |kind| 1 + kind as u8));
    }

    pub(crate) fn into_arrays(self, py: Python<'_>) -> PyResult<[Bound<'_, PyAny>; 3]> {
        Ok([
            array(py, &self.value, "b")?,
            array(py, &self.plies, "h")?,
            array(py, &self.draw, "b")?,
        ])
    }
}

/// The positions with these words of the movers and of the waiters, 8 bytes each in the byte order of this machine.
pub(crate) fn positions(movers: &[u8], waiters: &[u8]) -> Vec<Position> {
    let words = movers.as_chunks().0.iter().zip(waiters.as_chunks().0);
    let position = |(&mover, &waiter)| Position {
        mover: u64::from_ne_bytes(mover),
        waiter: u64::from_ne_bytes(waiter),
    };
    words.map(position).collect()
}
