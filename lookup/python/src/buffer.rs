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

/// An array for Python.
pub(crate) struct Array {
    bytes: Vec<u8>,
    /// Type of the items, a code of `memoryview`.
    format: &'static str,
    /// Items in each row, if the array has rows.
    columns: Option<usize>,
}

impl Array {
    /// An array of items in this `format`, whose bytes are in the order of this machine.
    pub(crate) fn new(bytes: impl Into<Vec<u8>>, format: &'static str) -> Array {
        Array { bytes: bytes.into(), format, columns: None }
    }

    /// An array of rows of `columns` bytes.
    pub(crate) fn rows(bytes: Vec<u8>, format: &'static str, columns: usize) -> Array {
        // A `memoryview` of two dimensions cannot be empty, so an empty array has one dimension.
        let columns = (!bytes.is_empty()).then_some(columns);
        Array { bytes, format, columns }
    }

    /// Arrays of the words of the movers and of the waiters.
    pub(crate) fn pair(positions: &[Position]) -> [Array; 2] {
        let bytes = |at: &Position| (at.mover.to_ne_bytes(), at.waiter.to_ne_bytes());
        let (movers, waiters): (Vec<_>, Vec<_>) = positions.iter().map(bytes).unzip();
        [movers, waiters].map(|words| Array::new(words.into_flattened(), "Q"))
    }
}

impl<'py> IntoPyObject<'py> for Array {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Array { bytes, format, columns } = self;
        let view = PyMemoryView::from(PyByteArray::new(py, &bytes).as_any())?;
        match columns {
            Some(columns) => view.call_method1("cast", (format, (bytes.len() / columns, columns))),
            None => view.call_method1("cast", (format,)),
        }
    }
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

    pub(crate) fn into_arrays(self) -> [Array; 3] {
        let Columns { value, plies, draw } = self;
        [(value, "b"), (plies, "h"), (draw, "b")].map(|(bytes, format)| Array::new(bytes, format))
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
