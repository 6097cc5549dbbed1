//! Python module `morpion`. What it offers stands in `morpion.pyi`.

use morpion_lookup::{
    Bytes, FileError, Position, RankedMove, Score as TableScore, Side, Table as LookupTable,
    TableError, TextError, builtin, builtin_names,
};
use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::path::PathBuf;

/// The exceptions, under the names that they are imported by: a worker process finds them by these.
mod exceptions {
    use super::{PyValueError, create_exception};
    create_exception!(
        morpion,
        MorpionError,
        PyValueError,
        "What is wrong; `kind` is its short name."
    );
    create_exception!(morpion, PositionError, MorpionError, "No position of the game, or no move.");
    create_exception!(morpion, TableError, MorpionError, "No table, or a damaged one.");
}
use exceptions::{MorpionError, PositionError, TableError as TableFileError};

/// An exception with its short name as the attribute `kind`.
fn named<E: pyo3::type_object::PyTypeInfo>(py: Python<'_>, kind: &str, text: String) -> PyErr {
    let error = PyErr::from_type(py.get_type::<E>(), text);
    match error.value(py).setattr("kind", kind) {
        Ok(()) => error,
        Err(other) => other,
    }
}

fn of_text(py: Python<'_>, error: &TextError) -> PyErr {
    named::<PositionError>(py, error.kind(), error.to_string())
}

fn of_probe(py: Python<'_>, error: morpion_lookup::ProbeError) -> PyErr {
    match error {
        morpion_lookup::ProbeError::Damaged(_) => {
            named::<TableFileError>(py, error.kind(), error.to_string())
        }
        _ => named::<PositionError>(py, error.kind(), error.to_string()),
    }
}

fn of_table(py: Python<'_>, error: TableError) -> PyErr {
    named::<TableFileError>(py, error.kind(), error.to_string())
}

fn of_file(py: Python<'_>, error: FileError) -> PyErr {
    let (kind, text) = (error.error.kind(), error.to_string());
    match error.error {
        // The fitting subclass of `OSError`.
        TableError::Read(error) => match error.into_inner().downcast::<std::io::Error>() {
            Ok(error) => (*error).into(),
            Err(other) => named::<TableFileError>(py, kind, other.to_string()),
        },
        _ => named::<TableFileError>(py, kind, text),
    }
}

#[pyclass(frozen, eq, hash, module = "morpion")]
#[derive(PartialEq, Eq, Hash, Clone)]
struct Score {
    #[pyo3(get)]
    value: &'static str,
    #[pyo3(get)]
    plies: Option<u16>,
    #[pyo3(get)]
    draw: Option<&'static str>,
}

impl From<TableScore> for Score {
    fn from(score: TableScore) -> Score {
        Score {
            value: score.value().name(),
            plies: score.plies(),
            draw: score.draw().map(|kind| kind.name()),
        }
    }
}

#[pymethods]
impl Score {
    fn __repr__(&self) -> String {
        let plies = self.plies.map_or("None".into(), |plies| plies.to_string());
        let draw = self.draw.map_or("None".into(), |draw| format!("'{draw}'"));
        format!("Score(value='{}', plies={plies}, draw={draw})", self.value)
    }
}

#[pyclass(frozen, eq, hash, module = "morpion")]
#[derive(PartialEq, Eq, Hash, Clone)]
struct Move {
    #[pyo3(get)]
    r#move: String,
    #[pyo3(get)]
    value: &'static str,
    #[pyo3(get)]
    plies: Option<u16>,
    #[pyo3(get)]
    draw: Option<&'static str>,
}

#[pymethods]
impl Move {
    fn __repr__(&self) -> String {
        let plies = self.plies.map_or("None".into(), |plies| plies.to_string());
        format!("Move(move='{}', value='{}', plies={plies})", self.r#move, self.value)
    }
}

#[pyclass(frozen, module = "morpion")]
struct Table {
    table: LookupTable,
}

impl Table {
    fn read(&self, given: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<(Position, Side)> {
        let text = board_text(given)?;
        let text = side.map_or(text.clone(), |side| format!("{text} {side}"));
        self.table.game().parse_position(&text).map_err(|error| of_text(given.py(), &error))
    }

    fn ranked(&self, ranked: &RankedMove) -> Move {
        let Score { value, plies, draw } = ranked.score.into();
        Move { r#move: self.table.game().format_move(ranked.mv), value, plies, draw }
    }
}

/// Lists within lists up to which a position is looked for: rows of cells are 2.
const DEEPEST: usize = 8;

/// Cells, rows and characters of a position, above which no more are read: a board has at most 36 cells.
const MOST: usize = 1024;

/// Positions in one batch, above which no more are read.
const BATCH: usize = 10_000_000;

/// Text as it is; anything else cell by cell, rows apart: lists, tuples, arrays of 0, 1 and 2.
fn board_text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    rows_text(given, 1, &mut 0)
}

/// The same of what is no text: a list `depth` lists deep. `read` counts cells and rows.
fn rows_text(given: &Bound<'_, PyAny>, depth: usize, read: &mut usize) -> PyResult<String> {
    if depth > DEEPEST {
        return Err(PyTypeError::new_err(format!(
            "lists within lists, more than {DEEPEST} deep, are no position: expected text or lists of 0, 1 and 2"
        )));
    }
    let mut text = String::new();
    for item in given.try_iter().map_err(|_| no_position(given))? {
        let item = item?;
        // Without this an endless iterator, or many empty lists, would be read for ever.
        if *read == MOST || text.len() > MOST {
            let found = format!("found more than {MOST} cells, expected those of a board");
            return Err(named::<PositionError>(given.py(), "size", found));
        }
        *read += 1;
        if let Ok(cell) = item.cast::<PyString>() {
            text.push_str(&cell.to_cow()?);
        } else if let Ok(cell) = item.extract::<i64>() {
            // What is no cell is left to the reader, which names it.
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
    PyTypeError::new_err(format!("{name} is no position: expected text or lists of 0, 1 and 2"))
}

#[pymethods]
impl Table {
    #[new]
    #[pyo3(signature = (source, *, mmap = false))]
    fn new(source: &Bound<'_, PyAny>, mmap: bool) -> PyResult<Table> {
        let py = source.py();
        let table = if let Ok(bytes) = source.cast::<PyBytes>() {
            let bytes = Bytes::from(bytes.as_bytes().to_vec());
            LookupTable::open(bytes).map_err(|error| of_table(py, error))?
        } else {
            let path: PathBuf = source.extract()?;
            let opened = match path.to_str().and_then(builtin) {
                Some(table) => Ok(table),
                // SAFETY: `mmap=True` says that nobody changes the file while the table is open.
                None if mmap => unsafe { LookupTable::map(&path) },
                None => LookupTable::read(&path),
            };
            opened.map_err(|error| of_file(py, error))?
        };
        Ok(Table { table })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.table.game().rules().name
    }

    #[getter]
    fn title(&self) -> &str {
        &self.table.game().rules().title
    }

    #[getter]
    fn cells(&self) -> u8 {
        self.table.game().cells()
    }

    #[getter]
    fn encoding(&self) -> &'static str {
        self.table.raw().header().encoding.name()
    }

    #[getter]
    fn fingerprint(&self) -> String {
        format!("{:016x}", self.table.raw().header().fingerprint)
    }

    #[getter]
    fn symmetries(&self) -> usize {
        self.table.raw().header().symmetries.len()
    }

    #[getter]
    fn entries(&self) -> u64 {
        self.table.raw().layers().iter().map(|layer| layer.entries()).sum()
    }

    #[getter]
    fn start(&self) -> String {
        let (position, side) = self.table.game().start();
        self.table.game().format_position(position, side)
    }

    fn check_sums(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.table.check_sums()).map_err(|error| of_table(py, error))
    }

    #[pyo3(signature = (position, side = None))]
    fn probe(&self, position: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<Score> {
        let (found, _) = self.read(position, side)?;
        let score = self.table.probe(found).map_err(|error| of_probe(position.py(), error))?;
        Ok(score.into())
    }

    #[pyo3(signature = (position, side = None))]
    fn value(&self, position: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<&'static str> {
        Ok(self.probe(position, side)?.value)
    }

    #[pyo3(signature = (position, side = None))]
    fn plies(&self, position: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<Option<u16>> {
        Ok(self.probe(position, side)?.plies)
    }

    /// All are read before the first is answered, and the answers are looked up at once, without the interpreter.
    fn probe_many(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<Vec<Score>> {
        let mut found = Vec::new();
        for position in positions.try_iter()? {
            if found.len() == BATCH {
                let text = format!("found more than {BATCH} positions, expected at most so many");
                return Err(named::<MorpionError>(py, "size", text));
            }
            // An iterator that runs no Python would not hear Ctrl-C.
            if found.len() % 4096 == 0 {
                py.check_signals()?;
            }
            found.push(self.read(&position?, None)?.0);
        }
        let answers = py.detach(|| {
            let mut answers = Vec::with_capacity(found.len());
            self.table.probe_many(&found, |_, answer| answers.push(answer));
            answers
        });
        let score = |answer: Result<TableScore, _>| {
            answer.map(Score::from).map_err(|error| of_probe(py, error))
        };
        answers.into_iter().map(score).collect()
    }

    #[pyo3(signature = (position, side = None))]
    fn moves(&self, position: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<Vec<Move>> {
        let (found, _) = self.read(position, side)?;
        let moves =
            self.table.ranked_moves(found).map_err(|error| of_probe(position.py(), error))?;
        Ok(moves.iter().map(|ranked| self.ranked(ranked)).collect())
    }

    #[pyo3(signature = (position, side = None))]
    fn best(&self, position: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<Vec<String>> {
        let (found, _) = self.read(position, side)?;
        let moves =
            self.table.ranked_moves(found).map_err(|error| of_probe(position.py(), error))?;
        let mut best: Vec<_> = moves.best().iter().map(|ranked| ranked.mv).collect();
        best.sort();
        Ok(best.into_iter().map(|mv| self.table.game().format_move(mv)).collect())
    }

    #[pyo3(signature = (position, side = None))]
    fn over(
        &self,
        position: &Bound<'_, PyAny>,
        side: Option<&str>,
    ) -> PyResult<Option<&'static str>> {
        let (found, _) = self.read(position, side)?;
        let over = self.table.over(found).map_err(|error| of_probe(position.py(), error))?;
        Ok(over.map(|over| over.name()))
    }

    #[pyo3(signature = (position, r#move, side = None))]
    fn after(
        &self,
        position: &Bound<'_, PyAny>,
        r#move: &str,
        side: Option<&str>,
    ) -> PyResult<String> {
        let py = position.py();
        let (found, side) = self.read(position, side)?;
        let game = self.table.game();
        let wanted = game.parse_move(r#move).map_err(|error| of_text(py, &error))?;
        let going_on = game.over(found).is_none();
        if !going_on || !game.legal_moves(found).any(|legal| legal == wanted) {
            return Err(named::<PositionError>(
                py,
                "move",
                format!("{:?} is no legal move here", r#move),
            ));
        }
        Ok(game.format_position(found.after(wanted), side.other()))
    }

    fn __repr__(&self) -> String {
        format!("Table({:?}, {} entries)", self.name(), self.entries())
    }
}

/// The names of the tables inside this module.
#[pyfunction(name = "builtin_names")]
fn names() -> Vec<&'static str> {
    builtin_names().collect()
}

#[pymodule]
fn morpion(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<Table>()?;
    module.add_class::<Score>()?;
    module.add_class::<Move>()?;
    module.add_function(wrap_pyfunction!(names, module)?)?;
    module.add("MorpionError", py.get_type::<MorpionError>())?;
    module.add("PositionError", py.get_type::<PositionError>())?;
    module.add("TableError", py.get_type::<TableFileError>())
}
