//! Solves and judges games in this process, on all cores and without the interpreter's lock. Ctrl-C stops the work.

use crate::errors::of_table;
use crate::rules::Game;
use crate::table::Table;
use morpion_core::{Encoding, Header};
use morpion_games::catalogue;
use morpion_games::rules::parse;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use morpion_play::appraisal::appraise;
use morpion_solver::layout::lay_out;
use morpion_solver::solve::memory;
use morpion_solver::table;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fmt::Display;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Time between two checks for Ctrl-C, and between two reports of progress.
const PAUSE: Duration = Duration::from_millis(50);

/// Progress of work on another thread.
#[derive(Default)]
struct Watched {
    done: AtomicU64,
    whole: AtomicU64,
    stop: AtomicBool,
    is_over: AtomicBool,
}

impl Progress for Watched {
    fn whole(&self, entries: u64) {
        self.whole.store(entries, Ordering::Relaxed);
    }

    fn advance(&self, entries: u64) {
        self.done.fetch_add(entries, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

fn refused(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Runs `work` on another thread. Meanwhile, this thread receives signals and calls `on_progress(done, whole)`; an exception of either
/// stops the work.
fn watched<T: Send>(
    py: Python<'_>,
    on_progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watched) -> T + Send,
) -> PyResult<T> {
    let watched = Watched::default();
    let report = || {
        py.check_signals()?;
        let Some(on_progress) = on_progress else { return Ok(()) };
        let counts = [&watched.done, &watched.whole].map(|count| count.load(Ordering::Relaxed));
        on_progress.call1((counts[0], counts[1])).map(|_| ())
    };
    thread::scope(|scope| {
        let (progress, waiting) = (&watched, thread::current());
        let running = scope.spawn(move || {
            let result = work(progress);
            progress.is_over.store(true, Ordering::Release);
            waiting.unpark();
            result
        });
        let mut reported = Ok(());
        // A thread that panics does not set `is_over`, so `is_finished` is checked too.
        while !watched.is_over.load(Ordering::Acquire) && !running.is_finished() {
            py.detach(|| thread::park_timeout(PAUSE));
            reported = reported.and_then(|()| report());
            watched.stop.fetch_or(reported.is_err(), Ordering::Relaxed);
        }
        let result = py.detach(|| running.join());
        reported.map(|()| result.unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// The layout of the table of the game of a rule file, in the default encoding if `encoding` is `None`. Raises ValueError with all faults of
/// the rules, one per line.
fn layout(rules: &str, encoding: Option<Encoding>) -> PyResult<Header> {
    let game = parse("rules", rules).map_err(refused)?;
    lay_out(&game, encoding, &Watched::default()).map_err(refused)
}

/// The pickled form of the game of a rule file.
#[pyfunction]
pub(crate) fn game_of_rules<'py>(py: Python<'py>, rules: &str) -> PyResult<Bound<'py, PyBytes>> {
    let game = Game::new(layout(rules, None)?);
    Ok(PyBytes::new(py, &game.to_bytes().map_err(|error| of_table(py, error))?))
}

/// The text of the rule file of a standard game; None if there is no such game.
#[pyfunction]
pub(crate) fn standard_rules(name: &str) -> Option<&'static str> {
    catalogue::standard_text(name)
}

/// Solves the game of a rule file and returns its table. Raises MemoryError if solving needs more than `memory` bytes.
#[pyfunction]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    rules: &str,
    memory: u64,
    on_progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let layout = layout(rules, Some(Encoding::Plies8))?;
    let needed = memory::in_memory(&layout, threads::count() as u64) + 2 * layout.entries();
    if needed > memory {
        return Err(PyMemoryError::new_err(format!(
            "solving {} needs {needed} bytes of memory, of which {memory} may be used: build the table with `morpion build`",
            layout.game.name()
        )));
    }
    let solved = watched(py, on_progress, |progress| table::solve_widened(&layout, progress))?;
    Ok(PyBytes::new(py, &solved.map_err(refused)?))
}

#[pymethods]
impl Table {
    /// Facts that tell how good the game is to play, as the JSON of `morpion judge`.
    fn _appraisal(
        &self,
        py: Python<'_>,
        games: u32,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let table = self.get(py)?;
        let found = watched(py, on_progress, |progress| appraise(&table, games, progress))?;
        serde_json::to_string(&found.map_err(refused)?).map_err(refused)
    }
}
