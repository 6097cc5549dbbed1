//! What a table answers: scores and moves.
//!
//! Takes scores of the library, and gives objects that Python compares, hashes and prints.

use morpion_lookup::{Game, RankedMove, Score as TableScore};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What a position is worth to the side to move.
///
/// >>> morpion.Table.builtin("classic").probe("XX./OO./... x")
/// Score(value='win', plies=1, draw=None)
#[pyclass(frozen, eq, hash, module = "morpion")]
#[derive(PartialEq, Eq, Hash, Clone)]
pub(crate) struct Score {
    /// "win", "draw" or "loss".
    #[pyo3(get)]
    value: &'static str,
    /// Half-moves to the end; None for a draw and from a table without distances.
    #[pyo3(get)]
    plies: Option<u16>,
    /// How a draw goes on: "end", it ends however it is kept, or "cycle", it can go on for ever. None where the value is no draw.
    #[pyo3(get)]
    draw: Option<&'static str>,
}

impl Score {
    pub(crate) fn value(&self) -> &'static str {
        self.value
    }

    pub(crate) fn plies(&self) -> Option<u16> {
        self.plies
    }
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

/// The one of `known` that a score made in Python has for `what`.
fn one_of(what: &str, found: &str, known: &[&'static str]) -> PyResult<&'static str> {
    known.iter().find(|&&name| name == found).copied().ok_or_else(|| {
        let (found, known) = (found.chars().take(64).collect::<String>(), known.join(", "));
        PyValueError::new_err(format!("{what}: found {found:?}, expected one of {known}"))
    })
}

#[pymethods]
impl Score {
    #[new]
    #[pyo3(signature = (value, plies = None, draw = None))]
    fn py_new(value: &str, plies: Option<u16>, draw: Option<&str>) -> PyResult<Score> {
        let value = one_of("value", value, &["win", "draw", "loss"])?;
        let draw = draw.map(|draw| one_of("draw", draw, &["end", "cycle"])).transpose()?;
        Ok(Score { value, plies, draw })
    }

    fn __getnewargs__(&self) -> (&'static str, Option<u16>, Option<&'static str>) {
        (self.value, self.plies, self.draw)
    }

    fn __repr__(&self) -> String {
        let plies = self.plies.map_or("None".into(), |plies| plies.to_string());
        let draw = self.draw.map_or("None".into(), |draw| format!("'{draw}'"));
        format!("Score(value='{}', plies={plies}, draw={draw})", self.value)
    }
}

/// A move and what it is worth to the side that makes it, counted from the position before.
///
/// >>> morpion.Table.builtin("classic").moves("XX./OO./... x")[0]
/// Move(move='c1', value='win', plies=1)
#[pyclass(frozen, eq, hash, module = "morpion")]
#[derive(PartialEq, Eq, Hash, Clone)]
pub(crate) struct Move {
    /// Its text: "b2" places, "a1-b3" moves a piece, "pass" passes.
    #[pyo3(get)]
    r#move: String,
    /// "win", "draw" or "loss".
    #[pyo3(get)]
    value: &'static str,
    /// Half-moves to the end, this one among them; None for a draw and from a table without distances.
    #[pyo3(get)]
    plies: Option<u16>,
    /// "end" or "cycle"; None where the value is no draw.
    #[pyo3(get)]
    draw: Option<&'static str>,
}

impl Move {
    pub(crate) fn new(game: &Game, ranked: &RankedMove) -> Move {
        let Score { value, plies, draw } = ranked.score.into();
        Move { r#move: game.format_move(ranked.mv), value, plies, draw }
    }

    pub(crate) fn text(&self) -> &str {
        &self.r#move
    }
}

#[pymethods]
impl Move {
    #[new]
    #[pyo3(signature = (r#move, value, plies = None, draw = None))]
    fn py_new(
        r#move: String,
        value: &str,
        plies: Option<u16>,
        draw: Option<&str>,
    ) -> PyResult<Move> {
        let Score { value, plies, draw } = Score::py_new(value, plies, draw)?;
        Ok(Move { r#move, value, plies, draw })
    }

    fn __getnewargs__(&self) -> (&str, &'static str, Option<u16>, Option<&'static str>) {
        (&self.r#move, self.value, self.plies, self.draw)
    }

    fn __str__(&self) -> &str {
        &self.r#move
    }

    fn __repr__(&self) -> String {
        let plies = self.plies.map_or("None".into(), |plies| plies.to_string());
        format!("Move(move='{}', value='{}', plies={plies})", self.r#move, self.value)
    }
}
