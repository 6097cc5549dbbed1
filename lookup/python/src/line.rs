//! Playing on from a position: a perfect line of play, and a move by a level of play.
//!
//! In come a table and a position, out go the moves that it holds best, or one that errs as often as it was told to.

use crate::errors::{MorpionError, TableFault, named, of_probe};
use crate::position::Position;
use crate::source::{OpenTable, ask};
use crate::table::Table;
use morpion_lookup::{self as lookup, RankedMoves};
use pyo3::prelude::*;
use std::collections::HashMap;

/// A game played perfectly by both sides from some position on; from Table.line(…).
///
/// >>> line = morpion.Table.builtin("classic").line("XX./OO./...")
/// >>> line, line.moves, str(line.positions[-1])
/// (Line(1 move, over='line'), ['c1'], 'XXX/OO./... o')
#[pyclass(frozen, module = "morpion")]
pub(crate) struct Line {
    /// The positions, the first one first: one more than there are moves.
    #[pyo3(get)]
    positions: Vec<Py<Position>>,
    /// The moves between them, as text.
    #[pyo3(get)]
    moves: Vec<String>,
    /// Why the game is over at the end: "line", "full" or "stuck". None where the last position is a repeated one.
    #[pyo3(get)]
    over: Option<&'static str>,
    /// The index of the position that the last one repeats; None where the game comes to its end.
    #[pyo3(get)]
    cycle: Option<usize>,
}

#[pymethods]
impl Line {
    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __repr__(&self) -> String {
        let (count, plural) = (self.moves.len(), if self.moves.len() == 1 { "" } else { "s" });
        match (self.over, self.cycle) {
            (Some(over), _) => format!("Line({count} move{plural}, over='{over}')"),
            (None, cycle) => format!("Line({count} move{plural}, cycle={})", cycle.unwrap_or(0)),
        }
    }
}

fn ranked(py: Python<'_>, table: &OpenTable, position: lookup::Position) -> PyResult<RankedMoves> {
    ask(py, table, |table| table.ranked_moves(position))?.map_err(|error| of_probe(py, error))
}

#[pymethods]
impl Table {
    /// Plays on from a position, the start of the game if none is given, both sides by the first perfect move, to the end or until a
    /// position is repeated.
    ///
    /// >>> morpion.Table.builtin("tapatan").line().moves[:3]
    /// ['b2', 'a1', 'c2']
    #[pyo3(signature = (position = None, side = None))]
    fn line(
        &self,
        py: Python<'_>,
        position: Option<&Bound<'_, PyAny>>,
        side: Option<&str>,
    ) -> PyResult<Line> {
        let (table, mut at, mut side) = match position {
            Some(position) => self.read(position, side)?,
            None => {
                let table = self.get(py)?;
                let (start, side) = table.game().start();
                (table, start, side)
            }
        };
        let mut line = Line { positions: Vec::new(), moves: Vec::new(), over: None, cycle: None };
        let mut seen = HashMap::new();
        loop {
            line.positions.push(Py::new(py, Position::new(self.rules(), py, at, side))?);
            line.cycle = seen.insert((at, side), line.moves.len());
            if line.cycle.is_some() {
                return Ok(line);
            }
            py.check_signals()?;
            let Some(best) = ranked(py, &table, at)?.first().copied() else {
                let over = table.game().over(at).ok_or_else(|| {
                    named::<TableFault>(py, "damaged", "the table has no move where there is one")
                })?;
                line.over = Some(over.name());
                return Ok(line);
            };
            line.moves.push(table.game().format_move(best.mv));
            (at, side) = (at.after(best.mv), side.other());
        }
    }

    /// A move as a player of some level makes it: with the probability `errors` one of those that are not perfect, where there are
    /// such, and else a perfect one; all of them equally likely. None where the game is over.
    ///
    /// `random` gives numbers from 0 to 1, like random.random, which it is unless another is given.
    ///
    /// >>> table = morpion.Table.builtin("classic")
    /// >>> table.choose("X../.../...")
    /// 'b2'
    /// >>> table.choose("X../.../...", errors=1, random=random.Random(3).random) == "b2"
    /// False
    #[pyo3(signature = (position, side = None, *, errors = 0.0, random = None))]
    fn choose(
        &self,
        position: &Bound<'_, PyAny>,
        side: Option<&str>,
        errors: f64,
        random: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<String>> {
        let py = position.py();
        let fault = |text: String| named::<MorpionError>(py, "level", text);
        if !(0.0..=1.0).contains(&errors) {
            return Err(fault(format!("errors: found {errors}, expected 0 to 1")));
        }
        let (table, found, _) = self.read(position, side)?;
        let ranked = ranked(py, &table, found)?;
        let own = py.import("random")?.getattr("random")?;
        let random = random.unwrap_or(&own);
        let draw = || -> PyResult<f64> {
            let found: f64 = random.call0()?.extract()?;
            match (0.0..1.0).contains(&found) {
                true => Ok(found),
                false => Err(fault(format!("random() gave {found}, expected 0 up to 1"))),
            }
        };
        let (best, others) = ranked.split_at(ranked.best().len());
        let errs = !others.is_empty() && draw()? < errors;
        let moves = if errs { others } else { best };
        if moves.is_empty() {
            return Ok(None);
        }
        let index = (draw()? * moves.len() as f64) as usize;
        Ok(moves.get(index).map(|chosen| table.game().format_move(chosen.mv)))
    }
}
