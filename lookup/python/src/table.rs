//! The class `Table`: opens a table, answers questions, and closes it.

use crate::answers;
use crate::batch::probe_masks;
use crate::cells::read_position;
use crate::errors::{PositionError, TableFault, named, of_probe, of_table};
use crate::listed::probe_listed;
use crate::position::Position;
use crate::rules::Game;
use crate::source::{
    CACHE, Given, OpenTable, ask, ask_detached, builtin, builtin_names, from_bytes, open,
};
use morpion_lookup::raw;
use morpion_lookup::{Score, Side};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use std::sync::{Arc, Mutex, PoisonError};

/// An open table of perfect play, from Table.builtin(name), Table.open(source) or Table.from_bytes(data).
///
/// A position is text ("X../.O./..X o"), a Position, or cells: rows or one list, 0 empty, 1 for X, 2 for O. `side`, "x" or "o", is the
/// side to move if neither the position nor its number of pieces determines it.
///
/// Any number of threads may use a table. A pickled table contains the argument with which it was opened, a path or bytes. Raises
/// PositionError for a value that is not a position, and TableError for a damaged or closed table. Exceptions of a file object are
/// raised unchanged.
///
/// >>> with morpion.Table.builtin("swap") as table:
/// ...     table.best("XX./OO./XO. x")
/// ['a3-c1']
#[pyclass(frozen, module = "morpion")]
pub(crate) struct Table {
    /// `None` when the table is closed. Locked only to take or copy the value, never while waiting for the interpreter's lock.
    table: Mutex<Option<Arc<OpenTable>>>,
    game: Py<Game>,
    given: Given,
}

impl Table {
    pub(crate) fn new(py: Python<'_>, (table, given): (OpenTable, Given)) -> PyResult<Table> {
        let game = Py::new(py, Game::of(&table))?;
        Ok(Table { table: Mutex::new(Some(Arc::new(table))), game, given })
    }

    pub(crate) fn rules(&self) -> &Py<Game> {
        &self.game
    }

    fn held(&self) -> Option<Arc<OpenTable>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<Arc<OpenTable>> {
        self.held().ok_or_else(|| named::<TableFault>(py, "closed", "the table is closed"))
    }

    /// The open table, and the given position with its side to move.
    pub(crate) fn read(
        &self,
        given: &Bound<'_, PyAny>,
        side: Option<&str>,
    ) -> PyResult<(Arc<OpenTable>, raw::Position, Side)> {
        let table = self.get(given.py())?;
        let (position, side) = read_position(self.game.get(), given, side)?;
        Ok((table, position, side))
    }

    fn score(&self, position: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<Score> {
        let py = position.py();
        let (table, found, _) = self.read(position, side)?;
        ask(py, &table, |table| table.probe(found))?.map_err(|error| of_probe(py, error))
    }
}

/// Defines a method that answers like another one, or with `default` about something that is not a position of the game.
macro_rules! with_default {
    ($($(#[$doc:meta])* $name:ident = $method:ident;)*) => {
        #[pymethods]
        impl Table {$(
            $(#[$doc])*
            #[pyo3(signature = (position, side = None, default = None))]
            fn $name<'py>(
                &self,
                position: &Bound<'py, PyAny>,
                side: Option<&str>,
                default: Option<Bound<'py, PyAny>>,
            ) -> PyResult<Option<Bound<'py, PyAny>>> {
                let py = position.py();
                match self.$method(position, side).and_then(|answer| answer.into_bound_py_any(py)) {
                    Err(error) if error.is_instance_of::<PositionError>(py) => Ok(default),
                    answer => answer.map(Some),
                }
            }
        )*}
    };
}

with_default! {
    /// The score of a position, or `default` if it is not a position of the game, for which probe(…) raises PositionError.
    ///
    /// >>> morpion.Table.builtin("classic").get_probe("XXX/OOO/... x") is None
    /// True
    get_probe = probe;
    /// The value of a position, or `default` if it is not a position of the game.
    ///
    /// >>> morpion.Table.builtin("classic").get_value("XXX/OOO/... x", default="unknown")
    /// 'unknown'
    get_value = value;
    /// The distance of a position, or `default` if it is not a position of the game.
    ///
    /// >>> morpion.Table.builtin("classic").get_plies("XXX/OOO/... x", default=-1)
    /// -1
    get_plies = plies;
    /// Every perfect move, or `default` if it is not a position of the game.
    ///
    /// >>> morpion.Table.builtin("classic").get_best("XXX/OOO/... x", default=[])
    /// []
    get_best = best;
}

#[pymethods]
impl Table {
    /// Opens a table, plain or packed: a path (str or os.PathLike), bytes or another buffer, or a file object with seek and read.
    ///
    /// A file of at most 64 MiB is read into memory. With `mmap` a file is mapped, and nobody may change it while the table is open.
    /// Answers read only the parts of a file object that they need, so fsspec.open(url).open() answers over HTTP by range requests.
    /// Do not use a file object until the table is closed, which does not close the file object. For a path of type bytes, pass
    /// os.fsdecode(path).
    ///
    /// A packed table of at most 64 MiB from a path is unpacked when it is opened, and `cache` has no effect. Of any other packed
    /// table, answers unpack the frames that they read, and those used last are kept, up to `cache` bytes.
    ///
    /// Raises OSError if a file cannot be read, and TableError if it is not a table.
    ///
    /// >>> data = io.BytesIO(pathlib.Path(tables, "swap.morpion.zst").read_bytes())
    /// >>> morpion.Table.open(data).name
    /// 'swap'
    #[staticmethod]
    #[pyo3(name = "open", signature = (source, *, mmap = false, cache = CACHE), text_signature = "(source, *, mmap=False, cache=67108864)")]
    fn py_open(source: &Bound<'_, PyAny>, mmap: bool, cache: usize) -> PyResult<Table> {
        Table::new(source.py(), open(source, mmap, cache)?)
    }

    /// Opens the plain or packed table in `data`, bytes or another buffer. Copies `data`, except for bytes. Of a packed table, answers
    /// unpack the frames that they read, and those used last are kept, up to `cache` bytes.
    ///
    /// >>> morpion.Table.from_bytes(pathlib.Path(tables, "swap.morpion").read_bytes()).name
    /// 'swap'
    #[staticmethod]
    #[pyo3(name = "from_bytes", signature = (data, *, cache = CACHE), text_signature = "(data, *, cache=67108864)")]
    fn py_from_bytes(data: &Bound<'_, PyAny>, cache: usize) -> PyResult<Table> {
        Table::new(data.py(), from_bytes(data, cache, "bytes or another buffer")?)
    }

    /// Opens a table inside this module, one of builtin_names().
    ///
    /// >>> morpion.Table.builtin("classic").start
    /// Position('.../.../... x')
    #[staticmethod]
    #[pyo3(name = "builtin")]
    fn py_builtin(py: Python<'_>, name: &str) -> PyResult<Table> {
        let table = builtin(py, name, CACHE)?.ok_or_else(|| {
            let known = builtin_names().join(", ");
            let text = format!("no built-in table {name:?}: use one of {known}");
            named::<TableFault>(py, "name", text)
        })?;
        Table::new(py, table)
    }

    /// Releases the bytes of the table. Every later question raises TableError of the kind "closed". A file object with which the
    /// table was opened stays open. Closing twice does nothing.
    ///
    /// >>> table = morpion.Table.builtin("classic")
    /// >>> table.close()
    /// >>> table.closed
    /// True
    fn close(&self) {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Dropped after unlocking, because the destructor of a file object may take any lock.
        drop(table);
    }

    /// True if the table is closed.
    ///
    /// >>> morpion.Table.builtin("swap").closed
    /// False
    #[getter]
    fn closed(&self) -> bool {
        self.held().is_none()
    }

    fn __enter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        slf.get().get(slf.py())?;
        Ok(slf)
    }

    fn __exit__(
        &self,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) {
        self.close();
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        self.get(py)?;
        let class = py.get_type::<Table>();
        // These functions take keywords.
        let again = |name: &str, keywords: Bound<'py, PyDict>| {
            let function = (class.getattr(name)?,);
            py.import("functools")?.getattr("partial")?.call(function, Some(&keywords))
        };
        match &self.given {
            Given::Name(name) => Ok((class.getattr("builtin")?, (name.into_bound_py_any(py)?,))),
            Given::Path { path, mmap, cache } => {
                let keywords = [("cache", cache.into_bound_py_any(py)?)].into_py_dict(py)?;
                keywords.set_item("mmap", mmap)?;
                Ok((again("open", keywords)?, (path.as_os_str().into_bound_py_any(py)?,)))
            }
            Given::Object { object, cache } => Ok((
                again("open", [("cache", cache)].into_py_dict(py)?)?,
                (object.bind(py).clone(),),
            )),
        }
    }

    /// The game by its rules: its start and positions as objects, without their values.
    ///
    /// >>> morpion.Table.builtin("tapatan").game.start.after("b2").legal_moves[:3]
    /// ['a1', 'b1', 'c1']
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<Game>> {
        self.get(py)?;
        Ok(self.game.clone_ref(py))
    }

    /// The short name of the game.
    ///
    /// >>> morpion.Table.builtin("swap").name
    /// 'swap'
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.get(py)?.game().rules().name.clone())
    }

    /// One line about the game.
    ///
    /// >>> morpion.Table.builtin("swap").title
    /// 'Morpion with three pieces each, moved to any empty cell'
    #[getter]
    fn title(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.get(py)?.game().rules().title.clone())
    }

    /// Number of cells of the board.
    ///
    /// >>> morpion.Table.builtin("swap").cells
    /// 9
    #[getter]
    fn cells(&self, py: Python<'_>) -> PyResult<u8> {
        Ok(self.get(py)?.game().cells())
    }

    /// Encoding of entries: "plies" or "plies16" (value and distance), or "wdl" (the value alone: in a game with movement,
    /// perfect moves keep a win, but may go round in circles).
    ///
    /// >>> morpion.Table.builtin("swap").encoding
    /// 'plies'
    #[getter]
    fn encoding(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.get(py)?.raw().header().encoding.name())
    }

    /// The fingerprint of the rules, 16 hexadecimal digits. It does not depend on names.
    ///
    /// >>> morpion.Table.builtin("swap").fingerprint
    /// '5340ecfc77d08c98'
    #[getter]
    fn fingerprint(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("{:016x}", self.get(py)?.raw().header().fingerprint))
    }

    /// Number of symmetries of the rules.
    ///
    /// >>> morpion.Table.builtin("swap").symmetries
    /// 8
    #[getter]
    fn symmetries(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.get(py)?.raw().header().symmetries.len())
    }

    /// Number of entries of the table.
    ///
    /// >>> morpion.Table.builtin("swap").entries
    /// 886
    #[getter]
    fn entries(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.get(py)?.raw().header().entries())
    }

    /// The position at the start of the game.
    ///
    /// >>> morpion.Table.builtin("swap").start
    /// Position('.../.../... x')
    #[getter]
    pub(crate) fn start(&self, py: Python<'_>) -> PyResult<Position> {
        self.get(py)?;
        Ok(Game::start(self.game.bind(py)))
    }

    /// Reads the whole table and checks its checksums. Raises TableError if one is wrong.
    ///
    /// >>> morpion.Table.builtin("classic").check_sums()
    fn check_sums(&self, py: Python<'_>) -> PyResult<()> {
        let table = self.get(py)?;
        ask_detached(py, &table, OpenTable::check_sums)?.map_err(|error| of_table(py, error, None))
    }

    /// Value, distance and kind of draw of a position.
    ///
    /// >>> morpion.Table.builtin("swap").probe([[1, 0, 0], [0, 2, 0], [0, 0, 0]])
    /// Score(value='draw', plies=None, draw='cycle')
    #[pyo3(signature = (position, side = None))]
    fn probe<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        side: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        answers::score(position.py(), self.score(position, side)?)
    }

    /// The value of a position: "win", "draw" or "loss".
    ///
    /// >>> morpion.Table.builtin("classic").value("XX./OO./... x")
    /// 'win'
    #[pyo3(signature = (position, side = None))]
    fn value(&self, position: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<&'static str> {
        Ok(self.score(position, side)?.value().name())
    }

    /// The distance of a position: half-moves to the end, or None.
    ///
    /// >>> morpion.Table.builtin("classic").plies("XX./OO./... x")
    /// 1
    #[pyo3(signature = (position, side = None))]
    fn plies(&self, position: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<Option<u16>> {
        Ok(self.score(position, side)?.plies())
    }

    /// Scores of many positions, faster than single questions and without the interpreter's lock. Invalid positions do not stop
    /// the batch: each row has a score or an error.
    ///
    /// probe_many(positions) takes any iterable and returns a list with a Score for each position, or a MorpionError whose `index` is
    /// the index of the position. The iterable is read to its end first. More than 10,000,000 positions raise MorpionError of the
    /// kind "size".
    ///
    /// probe_many(movers, waiters) takes two buffers of 64-bit words, numpy arrays or array.array("Q"): the words of the side to
    /// move and of the side waiting, as in Position.mover. Without mills and ageing pieces, a word has bit c for cell c and nothing
    /// else. It returns Scores, which are arrays, and makes no object for a position.
    ///
    /// >>> [score.value for score in morpion.Table.builtin("classic").probe_many([".../.../...", "XX./OO./..."])]
    /// ['draw', 'win']
    /// >>> morpion.Table.builtin("classic").probe_many(array.array("Q", [0, 3]), array.array("Q", [0, 24])).value.tolist()
    /// [0, 1]
    /// >>> morpion.Table.builtin("classic").probe_many([".../.../...", "XXXX"])
    /// [Score(value='draw', plies=None, draw='end'), PositionError('position 1: 4 cells, expected 9')]
    #[pyo3(signature = (positions, waiters = None, /))]
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        waiters: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = self.get(py)?;
        match waiters {
            Some(waiters) => {
                Bound::new(py, probe_masks(&table, positions, waiters)?)?.into_bound_py_any(py)
            }
            None => probe_listed(&table, self.game.get(), positions)?.into_bound_py_any(py),
        }
    }

    /// All moves with their values, the best first; none if the game is over.
    ///
    /// >>> [str(move.move) for move in morpion.Table.builtin("classic").moves("XX./OO./... x")]
    /// ['c1', 'c2', 'a3', 'b3', 'c3']
    #[pyo3(signature = (position, side = None))]
    fn moves<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        side: Option<&str>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let py = position.py();
        let (table, found, _) = self.read(position, side)?;
        let moves = ask(py, &table, |table| table.ranked_moves(found))?;
        let moves = moves.map_err(|error| of_probe(py, error))?;
        moves.iter().map(|ranked| answers::ranked(py, table.game(), ranked)).collect()
    }

    /// Every perfect move, in the order of cells; none if the game is over.
    ///
    /// >>> morpion.Table.builtin("classic").best("X../.../... o")
    /// ['b2']
    #[pyo3(signature = (position, side = None))]
    fn best(&self, position: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<Vec<String>> {
        let py = position.py();
        let (table, found, _) = self.read(position, side)?;
        let moves = ask(py, &table, |table| table.ranked_moves(found))?;
        let moves = moves.map_err(|error| of_probe(py, error))?;
        Ok(moves.best().iter().map(|best| table.game().format_move(best.mv)).collect())
    }

    /// Reason why the game is over in a position: "line", "full", "stuck", "own-line" or "few"; None if it is not over.
    ///
    /// >>> morpion.Table.builtin("classic").over("XXX/OO./... o")
    /// 'line'
    #[pyo3(signature = (position, side = None))]
    fn over(
        &self,
        position: &Bound<'_, PyAny>,
        side: Option<&str>,
    ) -> PyResult<Option<&'static str>> {
        let (table, found, _) = self.read(position, side)?;
        let game = table.game();
        game.check(found).map_err(|error| of_probe(position.py(), error.into()))?;
        Ok(game.over(found).map(|over| over.name()))
    }

    /// The position after a legal move. Raises PositionError of the kind "move" for any other.
    ///
    /// >>> morpion.Table.builtin("classic").after(".../.../...", "b2")
    /// Position('.../.X./... o')
    #[pyo3(signature = (position, r#move, side = None))]
    fn after(
        &self,
        position: &Bound<'_, PyAny>,
        r#move: &Bound<'_, PyAny>,
        side: Option<&str>,
    ) -> PyResult<Position> {
        let (_, found, side) = self.read(position, side)?;
        Position::new(&self.game, position.py(), found, side).after(r#move)
    }

    fn __repr__(&self) -> String {
        self.held().map_or("Table(closed)".into(), |table| {
            let entries = table.raw().header().entries();
            format!("Table({:?}, {entries} entries)", table.game().rules().name)
        })
    }
}
