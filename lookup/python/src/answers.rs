//! Answers of a table: scores and moves, as named tuples.

use morpion_lookup::{Game, Move, RankedMove, Score};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Adds the classes `Score` and `Move`, which are written in Python.
pub(crate) fn add_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let source = concat!(include_str!("answers.py"), "\0");
    let source = std::ffi::CStr::from_bytes_with_nul(source.as_bytes()).expect("one NUL");
    let answers = PyModule::from_code(module.py(), source, c"answers.py", c"morpion.answers")?;
    for name in ["Score", "Move"] {
        module.add(name, answers.getattr(name)?)?;
    }
    Ok(())
}

/// The Python object of a score.
pub(crate) fn score(py: Python<'_>, score: Score) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = CLASS.import(py, "morpion", "Score")?;
    class.call1((score.value().name(), score.plies(), score.draw().map(|kind| kind.name())))
}

/// The Python object of a move with its value.
pub(crate) fn ranked<'py>(
    py: Python<'py>,
    game: &Game,
    RankedMove { mv, score, .. }: &RankedMove,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = CLASS.import(py, "morpion", "Move")?;
    let draw = score.draw().map(|kind| kind.name());
    let (take, also, is_push) = match *mv {
        Move::Take { take, also, .. } => (Some(take), also, false),
        Move::Push { .. } => (None, None, true),
        Move::Place { .. } | Move::Shift { .. } | Move::Pass => (None, None, false),
    };
    let [take, also] = [take, also].map(|cell| cell.map(|cell| game.format_cell(cell)));
    let (text, value, plies) = (game.format_move(*mv), score.value().name(), score.plies());
    class.call1((text, value, plies, draw, take, is_push, also))
}
