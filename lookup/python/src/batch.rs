//! Many positions at once, as arrays: two buffers of masks in, three arrays out.
//!
//! The masks are the movers' and the waiters' cells, bit c for cell c; the arrays are values, distances and kinds of draw, which
//! numpy and everything else that knows the buffer protocol takes without a copy. No object is made for a position.

use crate::errors::{MorpionError, in_batch, named, of_probe};
use crate::source::{OpenTable, ask_detached};
use morpion_lookup::raw::Position;
use morpion_lookup::{DrawKind, ProbeError, Score, Value};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};

/// Positions in one batch, above which no more are read.
pub(crate) const BATCH: usize = 10_000_000;

pub(crate) fn too_many(py: Python<'_>) -> PyErr {
    let text = format!("found more than {BATCH} positions, expected at most {BATCH}");
    named::<MorpionError>(py, "size", text)
}

/// Scores of many positions, as three arrays of one length; numpy.asarray(scores.value) copies nothing.
///
/// >>> scores = morpion.Table.builtin("classic").probe_many(array.array("Q", [0, 0b11]), array.array("Q", [0, 0b11000]))
/// >>> scores.value.tolist(), scores.plies.tolist(), scores.draw.tolist()
/// ([0, 1], [-1, 1], [1, 0])
#[pyclass(frozen, module = "morpion")]
pub(crate) struct Scores {
    /// 1 for a win, 0 for a draw, -1 for a loss of the side to move; 8-bit integers.
    #[pyo3(get)]
    value: Py<PyAny>,
    /// Half-moves to the end, -1 for a draw and from a table without distances; 16-bit integers.
    #[pyo3(get)]
    plies: Py<PyAny>,
    /// 1 for a draw that ends, 2 for one by cycle, 0 where the value is no draw; 8-bit integers.
    #[pyo3(get)]
    draw: Py<PyAny>,
    length: usize,
}

#[pymethods]
impl Scores {
    #[new]
    fn new(value: &[u8], plies: &[u8], draw: &[u8], py: Python<'_>) -> PyResult<Scores> {
        let length = value.len();
        if plies.len() != 2 * length || draw.len() != length {
            let found = (value.len(), plies.len(), draw.len());
            let text = format!("found {found:?} bytes, expected as many values, plies and draws");
            return Err(named::<MorpionError>(py, "size", text));
        }
        let (value, draw) = (array(py, value, "b")?, array(py, draw, "b")?);
        Ok(Scores { value, plies: array(py, plies, "h")?, draw, length })
    }

    fn __getnewargs__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Py<PyAny>, Py<PyAny>)> {
        let bytes = |array: &Py<PyAny>| array.call_method0(py, "tobytes");
        Ok((bytes(&self.value)?, bytes(&self.plies)?, bytes(&self.draw)?))
    }

    fn __len__(&self) -> usize {
        self.length
    }

    fn __repr__(&self) -> String {
        format!("Scores({} positions)", self.length)
    }
}

/// A value in an array: 1, 0 or -1.
pub(crate) fn value_code(value: Value) -> i8 {
    match value {
        Value::Win => 1,
        Value::Draw => 0,
        Value::Loss => -1,
    }
}

/// A distance in an array, in half-moves; -1 where there is none.
pub(crate) fn plies_code(score: Score) -> i16 {
    // No encoding holds a distance above 32,766.
    score.plies().map_or(-1, |plies| plies as i16)
}

/// Scores as they are found.
struct Columns {
    value: Vec<i8>,
    plies: Vec<i16>,
    draw: Vec<i8>,
}

impl Columns {
    fn push(&mut self, score: Score) {
        self.value.push(value_code(score.value()));
        self.plies.push(plies_code(score));
        self.draw.push(match score.draw() {
            Some(DrawKind::End) => 1,
            Some(DrawKind::Cycle) => 2,
            None => 0,
        });
    }

    fn into_scores(self, py: Python<'_>) -> PyResult<Scores> {
        let length = self.value.len();
        let plies: Vec<u8> = self.plies.iter().flat_map(|plies| plies.to_ne_bytes()).collect();
        let bytes = |codes: Vec<i8>| codes.into_iter().map(|code| code as u8).collect::<Vec<u8>>();
        Ok(Scores {
            value: array(py, &bytes(self.value), "b")?,
            plies: array(py, &plies, "h")?,
            draw: array(py, &bytes(self.draw), "b")?,
            length,
        })
    }
}

/// An array of items of this format.
pub(crate) fn array(py: Python<'_>, bytes: &[u8], format: &str) -> PyResult<Py<PyAny>> {
    let view = PyMemoryView::from(PyByteArray::new(py, bytes).as_any())?;
    Ok(view.call_method1("cast", (format,))?.unbind())
}

/// Reason why a batch has no scores.
pub(crate) enum Fault {
    /// The position with this index has none.
    Probe(usize, ProbeError),
    /// Ctrl-C.
    Stopped(PyErr),
}

impl Fault {
    pub(crate) fn raised(self, py: Python<'_>) -> PyErr {
        match self {
            Fault::Probe(index, error) => in_batch(py, of_probe(py, error), index),
            Fault::Stopped(error) => error,
        }
    }
}

/// Scores of the positions with these masks.
pub(crate) fn probe_masks(
    table: &OpenTable,
    movers: &Bound<'_, PyAny>,
    waiters: &Bound<'_, PyAny>,
) -> PyResult<Scores> {
    let py = movers.py();
    let (movers, waiters) = (masks(movers, "movers")?, masks(waiters, "waiters")?);
    if movers.len() != waiters.len() {
        let text = format!(
            "found {} movers and {} waiters, expected as many of each",
            movers.len(),
            waiters.len()
        );
        return Err(named::<MorpionError>(py, "size", text));
    }
    let columns = ask_detached(py, table, |table| {
        let length = movers.len();
        let mut columns = Columns {
            value: Vec::with_capacity(length),
            plies: Vec::with_capacity(length),
            draw: Vec::with_capacity(length),
        };
        let masks = movers.into_iter().zip(waiters);
        let positions = masks.map(|(mover, waiter)| Position { mover, waiter });
        probe_each(table, positions, |score| columns.push(score)).map(|()| columns)
    })?;
    columns.map_err(|fault| fault.raised(py))?.into_scores(py)
}

/// Scores of all positions, up to the first that has none. To be called without the interpreter's lock.
pub(crate) fn probe_each(
    table: &OpenTable,
    positions: impl Iterator<Item = Position>,
    mut push: impl FnMut(Score),
) -> Result<(), Fault> {
    /// Positions in one question, and questions between two checks for Ctrl-C.
    const UNIT: usize = 256;
    const UNITS: usize = 4096;
    let mut positions = positions.fuse();
    let mut unit = Vec::with_capacity(UNIT);
    for number in 0.. {
        unit.clear();
        unit.extend(positions.by_ref().take(UNIT));
        if unit.is_empty() {
            break;
        }
        if number % UNITS == UNITS - 1 {
            Python::attach(|py| py.check_signals()).map_err(Fault::Stopped)?;
        }
        let mut failed = None;
        table.probe_many(&unit, |index, answer| match answer {
            Ok(score) => push(score),
            Err(error) => {
                failed.get_or_insert((number * UNIT + index, error));
            }
        });
        if let Some((index, error)) = failed {
            return Err(Fault::Probe(index, error));
        }
    }
    Ok(())
}

/// The masks in a buffer of 64-bit integers, with or without sign, copied: another thread may write to it.
fn masks(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<u64>> {
    let expected = "expected a one-dimensional buffer of 64-bit integers";
    let buffer = PyUntypedBuffer::get(given).map_err(|_| {
        let found = given.get_type().name().map_or("something else".into(), |n| n.to_string());
        PyTypeError::new_err(format!("{name}: found {found}, {expected}"))
    })?;
    if buffer.dimensions() != 1 {
        let found = buffer.dimensions();
        return Err(PyTypeError::new_err(format!("{name}: found {found} dimensions, {expected}")));
    }
    let format = buffer.format();
    // Not PyO3's own check, which mistakes the other byte order for that of this machine.
    let kind = match format.to_bytes() {
        [b'@' | b'=', kind] => *kind,
        [b'<', kind] if cfg!(target_endian = "little") => *kind,
        [b'>', kind] if cfg!(target_endian = "big") => *kind,
        [kind] => *kind,
        _ => 0,
    };
    if !b"qQlLnN".contains(&kind) || buffer.item_size() != 8 {
        let found = format.to_string_lossy();
        return Err(PyTypeError::new_err(format!(
            "{name}: found items of format '{found}', {expected}"
        )));
    }
    // Bytes, because the items may lie apart, or where no 64-bit integer is read at once.
    let bytes = PyMemoryView::from(given)?.call_method0("tobytes")?;
    let (masks, _) = bytes.cast::<PyBytes>()?.as_bytes().as_chunks();
    Ok(masks.iter().map(|&mask| u64::from_ne_bytes(mask)).collect())
}
