//! The class `Errors`, which counts the errors of a policy. `morpion_play` counts those of players in the same way.

use crate::source::OpenTable;
use crate::table::Table;
use morpion_lookup::RankedMove;
use morpion_machine::threads::lock;
use morpion_play::arena::{self, Shortfall};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Mutex;

/// Counters of the errors of a policy.
#[pyclass(frozen, module = "morpion._core")]
#[derive(Default)]
pub(crate) struct Errors(Mutex<arena::Errors>);

#[pymethods]
impl Errors {
    #[new]
    fn py_new() -> Errors {
        Errors::default()
    }

    /// Counts a legal move. Returns the value that the move gives away, a number that orders moves which give away the same value, and
    /// every perfect move. For a move that keeps the value, the number is the half-moves that it gives away.
    fn add(
        &self,
        table: &Bound<'_, Table>,
        at: &Bound<'_, PyAny>,
        text: &str,
    ) -> PyResult<(u8, i32, Vec<String>)> {
        let (table, ranked) = table.get().answer(at, OpenTable::ranked_moves)?;
        let name = |ranked: &RankedMove| table.game().format_move(ranked.mv);
        let chosen = ranked.iter().find(|ranked| name(ranked) == text);
        let (best, chosen) = ranked
            .first()
            .zip(chosen)
            .ok_or_else(|| PyValueError::new_err(format!("{text:?} is not a legal move")))?;
        let mut errors = lock(&self.0);
        let Shortfall { steps, plies } = errors.add(chosen.score, best.score, 1.0);
        Ok((steps, plies, ranked.best().iter().map(name).collect()))
    }

    /// Three counts of `Errors` in `morpion_play`: moves by the value of the position and of the move; moves that keep the value but are
    /// not perfect; and the half-moves that the latter give away.
    fn counts(&self) -> ([[f64; 3]; 3], f64, f64) {
        let errors = *lock(&self.0);
        (errors.kinds, errors.slow.iter().sum(), errors.plies)
    }
}
