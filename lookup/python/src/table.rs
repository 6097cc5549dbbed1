//! The class `Table` of the core: opens a table, answers questions, and closes it. Python's own class derives from it.

use crate::cells::read_position;
use crate::errors::{in_table, of_check, of_probe, of_table};
use crate::rules::Game;
use crate::source::{OpenTable, ask, ask_detached, open};
use morpion_lookup::raw;
use morpion_lookup::{DrawKind, Move, RankedMove, RankedMoves, Score, Side};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::sync::{Arc, Mutex, PoisonError};

/// An open table.
#[pyclass(frozen, subclass, module = "morpion._core")]
pub(crate) struct Table {
    /// `None` when the table is closed. Locked only to take or copy the value, never while waiting for the interpreter's lock.
    table: Mutex<Option<Arc<OpenTable>>>,
    game: Py<Game>,
}

/// Value, half-moves to the end and kind of draw, the fields of `Score`.
pub(crate) type Fields = (&'static str, Option<u16>, Option<&'static str>);

pub(crate) fn fields(score: Score) -> Fields {
    (score.value().name(), score.plies(), score.draw().map(DrawKind::name))
}

impl Table {
    pub(crate) fn rules(&self) -> &Game {
        self.game.get()
    }

    fn held(&self) -> Option<Arc<OpenTable>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<Arc<OpenTable>> {
        self.held().ok_or_else(|| in_table(py, "closed", "the table is closed"))
    }

    /// The open table, and the given position with its side to move.
    fn read(
        &self,
        given: &Bound<'_, PyAny>,
        side: Option<&str>,
    ) -> PyResult<(Arc<OpenTable>, raw::Position, Side)> {
        let table = self.get(given.py())?;
        let (position, side) = read_position(self.rules(), given, side)?;
        Ok((table, position, side))
    }

    fn ranked(
        &self,
        position: &Bound<'_, PyAny>,
        side: Option<&str>,
    ) -> PyResult<(Arc<OpenTable>, RankedMoves)> {
        let py = position.py();
        let (table, found, _) = self.read(position, side)?;
        let ranked = ask(py, &table, |table| table.ranked_moves(found))?;
        Ok((table, ranked.map_err(|error| of_probe(py, error))?))
    }
}

#[pymethods]
impl Table {
    /// Opens a path, bytes, or a file object with `seek` and `read`.
    #[new]
    fn py_new(
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        mmap: bool,
        cache: usize,
    ) -> PyResult<Table> {
        let table = open(source, mmap, cache)?;
        let game = Py::new(py, Game::of(&table))?;
        Ok(Table { table: Mutex::new(Some(Arc::new(table))), game })
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

    /// The game by its rules: its start and positions as objects, without their values.
    ///
    /// >>> morpion.Table.builtin("tapatan").game.start.after("b2").legal_moves[:3]
    /// ['a1', 'b1', 'c1']
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<Game>> {
        self.get(py)?;
        Ok(self.game.clone_ref(py))
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
    /// 'ab3871abc36a008e'
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

    /// Reads the whole table and checks its checksums. Raises TableError if one is wrong.
    ///
    /// >>> morpion.Table.builtin("classic").check_sums()
    fn check_sums(&self, py: Python<'_>) -> PyResult<()> {
        let table = self.get(py)?;
        ask_detached(py, &table, OpenTable::check_sums)?.map_err(|error| of_table(py, error))
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
        static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = position.py();
        let (table, found, _) = self.read(position, side)?;
        let score = ask(py, &table, |table| table.probe(found))?;
        let score = score.map_err(|error| of_probe(py, error))?;
        CLASS.import(py, "morpion.answers", "Score")?.call1(fields(score))
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
        static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let class = CLASS.import(position.py(), "morpion.answers", "Move")?;
        let (table, ranked) = self.ranked(position, side)?;
        let game = table.game();
        let object = |RankedMove { mv, score, .. }: &RankedMove| {
            let (value, plies, draw) = fields(*score);
            let (take, also) = match *mv {
                Move::Take { take, also, .. } => (Some(take), also),
                _ => (None, None),
            };
            let [take, also] = [take, also].map(|cell| cell.map(|cell| game.format_cell(cell)));
            let is_push = matches!(mv, Move::Push { .. });
            class.call1((game.format_move(*mv), value, plies, draw, take, is_push, also))
        };
        ranked.iter().map(object).collect()
    }

    /// A move of a fallible player, by a number from 0 to below 1; None if the game is over.
    fn _choice(
        &self,
        position: &Bound<'_, PyAny>,
        side: Option<&str>,
        errors: f64,
        number: f64,
    ) -> PyResult<Option<String>> {
        let (table, ranked) = self.ranked(position, side)?;
        let chosen = ranked.choose(errors, number);
        Ok(chosen.map(|chosen| table.game().format_move(chosen.mv)))
    }

    /// Every perfect move, in the order of cells; none if the game is over.
    ///
    /// >>> morpion.Table.builtin("classic").best("X../.../... o")
    /// ['b2']
    #[pyo3(signature = (position, side = None))]
    fn best(&self, position: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<Vec<String>> {
        let (table, ranked) = self.ranked(position, side)?;
        Ok(ranked.best().iter().map(|best| table.game().format_move(best.mv)).collect())
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
        let over = game.over(found).map_err(|error| of_check(position.py(), error))?;
        Ok(over.map(|over| over.name()))
    }

    fn __repr__(&self) -> String {
        self.held().map_or("Table(closed)".into(), |table| {
            let entries = table.raw().header().entries();
            format!("Table({:?}, {entries} entries)", table.game().name())
        })
    }
}
