//! Scores of many positions at once, as arrays.
//!
//! `probe_masks` takes two buffers of masks, the words of the movers and of the waiters, with bit c for cell c. It returns arrays of
//! values, distances, kinds of draw and errors, which numpy uses without a copy by the buffer protocol. No object is made for a
//! position.

use crate::errors::{MorpionError, named, of_read};
use crate::source::{OpenTable, ask_detached};
use morpion_lookup::raw::Position;
use morpion_lookup::{DrawKind, ErrorKind, Score, Source, Value};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyByteArray, PyBytes, PyDict, PyMemoryView, PyTuple};

/// Limit of the positions in a batch.
pub(crate) const BATCH: usize = 10_000_000;

/// Names of the errors in `Scores.error`, by number.
pub(crate) fn error_kinds(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let kinds = [
        ErrorKind::OffTheBoard,
        ErrorKind::Overlap,
        ErrorKind::Counts,
        ErrorKind::MoverLine,
        ErrorKind::BothLines,
        ErrorKind::Damaged,
    ];
    kinds.map(|kind| (kind as u8, kind.name())).into_py_dict(py)
}

pub(crate) fn too_many(py: Python<'_>) -> PyErr {
    let text = format!("more than {BATCH} positions: divide the batch");
    named::<MorpionError>(py, "size", text)
}

/// Scores of many positions, as arrays of one length. numpy.asarray(scores.value) copies nothing. Iterating yields each row as a
/// Score, in words: pandas.DataFrame(scores) has the columns "value", "plies" and "draw".
///
/// >>> scores = morpion.Table.builtin("classic").probe_many(array.array("Q", [0, 0b11]), array.array("Q", [0, 0b11000]))
/// >>> scores.value.tolist(), scores.plies.tolist(), scores.draw.tolist()
/// ([0, 1], [-1, 1], [1, 0])
#[pyclass(frozen, module = "morpion")]
pub(crate) struct Scores {
    /// 1 for a win, 0 for a draw, -1 for a loss of the side to move; 8-bit integers.
    #[pyo3(get)]
    value: Py<PyAny>,
    /// Half-moves to the end, -1 for a draw and in a table without distances; 16-bit integers.
    #[pyo3(get)]
    plies: Py<PyAny>,
    /// 1 for a draw that ends, 2 for a draw by cycle, 0 if the value is not a draw; 8-bit integers.
    #[pyo3(get)]
    draw: Py<PyAny>,
    /// 0, or a key of ERROR_KINDS; unsigned 8-bit integers. A row with an error has value 0, plies -1, draw 0.
    #[pyo3(get)]
    error: Py<PyAny>,
    length: usize,
}

#[pymethods]
impl Scores {
    #[new]
    fn new(
        value: &[u8],
        plies: &[u8],
        draw: &[u8],
        error: &[u8],
        py: Python<'_>,
    ) -> PyResult<Scores> {
        let length = value.len();
        if plies.len() != 2 * length || draw.len() != length || error.len() != length {
            let found = (value.len(), plies.len(), draw.len(), error.len());
            let text = format!(
                "{found:?} bytes do not contain the same number of values, plies, draws and errors"
            );
            return Err(named::<MorpionError>(py, "size", text));
        }
        let (value, draw) = (array(py, value, "b")?, array(py, draw, "b")?);
        let (plies, error) = (array(py, plies, "h")?, array(py, error, "B")?);
        Ok(Scores { value, plies, draw, error, length })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let bytes = |array: &Py<PyAny>| array.call_method0(py, "tobytes");
        let fields = [&self.value, &self.plies, &self.draw, &self.error];
        let fields: Vec<Py<PyAny>> = fields.into_iter().map(bytes).collect::<PyResult<_>>()?;
        PyTuple::new(py, fields)
    }

    fn __len__(&self) -> usize {
        self.length
    }

    /// Yields each row as a Score.
    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let score = py.import("morpion")?.getattr("Score")?;
        let arrays = (&self.value, &self.plies, &self.draw, &self.error);
        Ok(score.call_method1("_of_arrays", arrays)?.unbind())
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

/// A distance in an array, in half-moves; -1 for none.
pub(crate) fn plies_code(score: Score) -> i16 {
    // No encoding has a distance above 32,766.
    score.plies().map_or(-1, |plies| plies as i16)
}

/// The columns of scores while they are filled.
struct Columns {
    value: Vec<i8>,
    plies: Vec<i16>,
    draw: Vec<i8>,
    error: Vec<u8>,
}

impl Columns {
    fn push(&mut self, answer: Result<Score, ErrorKind>) {
        let score = answer.ok();
        self.error.push(answer.err().map_or(0, |kind| kind as u8));
        self.value.push(score.map_or(0, |score| value_code(score.value())));
        self.plies.push(score.map_or(-1, plies_code));
        self.draw.push(match score.and_then(Score::draw) {
            Some(DrawKind::End) => 1,
            Some(DrawKind::Cycle) => 2,
            None => 0,
        });
    }

    fn into_scores(self, py: Python<'_>) -> PyResult<Scores> {
        let plies: Vec<u8> = self.plies.iter().flat_map(|plies| plies.to_ne_bytes()).collect();
        let bytes = |codes: Vec<i8>| codes.into_iter().map(|code| code as u8).collect::<Vec<u8>>();
        Scores::new(&bytes(self.value), &plies, &bytes(self.draw), &self.error, py)
    }
}

/// An array of items of this format.
pub(crate) fn array(py: Python<'_>, bytes: &[u8], format: &str) -> PyResult<Py<PyAny>> {
    let view = PyMemoryView::from(PyByteArray::new(py, bytes).as_any())?;
    Ok(view.call_method1("cast", (format,))?.unbind())
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
            "{} movers and {} waiters: pass arrays of the same length",
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
            error: Vec::with_capacity(length),
        };
        let masks = movers.into_iter().zip(waiters);
        let positions = masks.map(|(mover, waiter)| Position { mover, waiter });
        probe_each(table, positions, |answer| columns.push(answer)).map(|()| columns)
    })?;
    columns?.into_scores(py)
}

/// Calls `push` with the score of each position or the kind of its error. Call it without the interpreter's lock.
///
/// # Errors
/// If the source cannot be read, and `KeyboardInterrupt` if Ctrl-C was pressed.
pub(crate) fn probe_each(
    table: &OpenTable,
    positions: impl Iterator<Item = Position>,
    mut push: impl FnMut(Result<Score, ErrorKind>),
) -> PyResult<()> {
    /// Positions that are looked up at once, if the table is in memory or not, and positions between two checks for Ctrl-C.
    const UNITS: [usize; 2] = [256, 1 << 16];
    const CHECK: usize = 1 << 20;
    let length = UNITS[usize::from(table.source().in_memory().is_none())];
    let mut positions = positions.fuse();
    let mut unit = Vec::new();
    let mut answers = Vec::new();
    for number in 1.. {
        unit.clear();
        unit.extend(positions.by_ref().take(length));
        if unit.is_empty() {
            break;
        }
        if (number * length).is_multiple_of(CHECK) {
            Python::attach(|py| py.check_signals())?;
        }
        let read = table.probe_many(&unit, &mut answers);
        read.map_err(|error| Python::attach(|py| of_read(py, error, None)))?;
        answers.iter().for_each(|&answer| push(answer));
    }
    Ok(())
}

/// Copies the masks from a buffer of 64-bit integers, signed or not, because another thread may write to it.
fn masks(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<u64>> {
    let expected = "use a one-dimensional buffer of 64-bit integers";
    let buffer = PyUntypedBuffer::get(given).map_err(|_| {
        let found = given.get_type().name().map_or("something else".into(), |n| n.to_string());
        PyTypeError::new_err(format!("{name} is {found}: {expected}"))
    })?;
    if buffer.dimensions() != 1 {
        let found = buffer.dimensions();
        return Err(PyTypeError::new_err(format!("{name} has {found} dimensions: {expected}")));
    }
    let format = buffer.format();
    // PyO3's own check takes the other byte order for the order of this machine.
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
            "{name} has items of format '{found}': {expected}"
        )));
    }
    // Bytes, because the items may be separated or not aligned.
    let bytes = PyMemoryView::from(given)?.call_method0("tobytes")?;
    let (masks, _) = bytes.cast::<PyBytes>()?.as_bytes().as_chunks();
    Ok(masks.iter().map(|&mask| u64::from_ne_bytes(mask)).collect())
}
