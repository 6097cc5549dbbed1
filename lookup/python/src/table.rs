//! The class `Table`: opens a table, answers questions, and closes the table. The class `Table` in Python derives from this class.

use crate::errors::{closed, of_probe, of_table};
use crate::rules::read;
use crate::source::{OpenTable, ask, ask_detached, open};
use morpion_lookup::{DrawKind, Move, Position, ProbeError, RankedMove, Score};
use morpion_machine::threads::lock;
use morpion_report::distribution::{Bin, of_census};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// An open table.
#[pyclass(frozen, subclass, module = "morpion._core")]
pub(crate) struct Table {
    /// `None` when the table is closed. Locked only to take or copy the value, never while waiting for the interpreter's lock.
    table: Mutex<Option<Arc<OpenTable>>>,
}

/// Value, half-moves to the end and kind of draw, the fields of `Score`.
type Fields = (&'static str, Option<u16>, Option<&'static str>);

/// The fields of `Move`: text, value, half-moves, kind of draw, the cell taken, true for a push, and the second cell taken.
type MoveFields =
    (String, &'static str, Option<u16>, Option<&'static str>, Option<String>, bool, Option<String>);

/// A row of the census: pieces of the mover and of the waiter, value, kind of draw, distance, and number of positions.
type CensusRow = (u8, u8, &'static str, Option<&'static str>, Option<u16>, u64);

fn fields(score: Score) -> Fields {
    (score.value().name(), score.plies(), score.draw().map(DrawKind::name))
}

impl Table {
    fn held(&self) -> Option<Arc<OpenTable>> {
        lock(&self.table).clone()
    }

    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<Arc<OpenTable>> {
        self.held().ok_or_else(|| closed(py))
    }

    /// Returns the open table and the answer to a question about a position.
    pub(crate) fn answer<T: Send>(
        &self,
        at: &Bound<'_, PyAny>,
        question: impl FnOnce(&OpenTable, Position) -> Result<T, ProbeError> + Send,
    ) -> PyResult<(Arc<OpenTable>, T)> {
        let (py, table) = (at.py(), self.get(at.py())?);
        let position = read(table.game(), at)?;
        let answer = ask(py, &table, |table| question(table, position))?;
        Ok((table, answer.map_err(|error| of_probe(py, error))?))
    }
}

#[pymethods]
impl Table {
    /// Opens a path, bytes, or a `morpion.source.File`.
    #[new]
    fn py_new(source: &Bound<'_, PyAny>, mmap: bool, cache: usize) -> PyResult<Table> {
        Ok(Table { table: Mutex::new(Some(Arc::new(open(source, mmap, cache)?))) })
    }

    /// Releases the bytes of the table. Every later question raises TableError of the kind "closed". A file object with which the
    /// table was opened stays open. Closing twice does nothing.
    ///
    /// >>> table = morpion.Table.builtin("classic")
    /// >>> table.close()
    /// >>> table.closed
    /// True
    fn close(&self) {
        let table = lock(&self.table).take();
        // Dropped after unlocking: this may run the destructor of a Python file object, which may take any lock.
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

    /// Encoding of entries: "plies" or "plies16" (value and distance), or "wdl" (the value alone: in a game with movement,
    /// perfect moves keep a win, but may go round in circles).
    ///
    /// >>> morpion.Table.builtin("swap").encoding
    /// 'plies'
    #[getter]
    fn encoding(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.get(py)?.raw().header().encoding.name())
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

    fn _score(&self, at: &Bound<'_, PyAny>) -> PyResult<Fields> {
        self.answer(at, OpenTable::probe).map(|(_, score)| fields(score))
    }

    /// All moves, the best first, and the number of perfect moves.
    fn _ranked(&self, at: &Bound<'_, PyAny>) -> PyResult<(Vec<MoveFields>, usize)> {
        let (table, ranked) = self.answer(at, OpenTable::ranked_moves)?;
        let game = table.game();
        let row = |RankedMove { mv, score, .. }: &RankedMove| {
            let (value, plies, draw) = fields(*score);
            let (take, also) = match *mv {
                Move::Take { take, also, .. } => (Some(take), also),
                _ => (None, None),
            };
            let [take, also] = [take, also].map(|cell| cell.map(|cell| game.format_cell(cell)));
            let is_push = matches!(mv, Move::Push { .. });
            (game.format_move(*mv), value, plies, draw, take, is_push, also)
        };
        Ok((ranked.iter().map(row).collect(), ranked.best().len()))
    }

    /// A move of a fallible player, which `number` chooses, at least 0 and below 1; None if the game is over.
    fn _choice(&self, at: &Bound<'_, PyAny>, errors: f64, number: f64) -> PyResult<Option<String>> {
        let (table, ranked) = self.answer(at, OpenTable::ranked_moves)?;
        let chosen = ranked.choose(errors, number);
        Ok(chosen.map(|chosen| table.game().format_move(chosen.mv)))
    }

    fn _census(&self, py: Python<'_>) -> PyResult<Vec<CensusRow>> {
        let table = self.get(py)?;
        let census = ask_detached(py, &table, |table| table.raw().census())?;
        let census = census.map_err(|error| of_table(py, error))?;
        let row = |bin: Bin| (bin.mover, bin.waiter, bin.value, bin.draw, bin.plies, bin.count);
        Ok(of_census(&table, &census).into_iter().map(row).collect())
    }
}
