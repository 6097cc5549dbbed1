//! Lines of perfect play, and moves that are imperfect with a given probability.

use crate::errors::{MorpionError, named, of_probe};
use crate::position::Position;
use crate::source::ask;
use crate::table::Table;
use morpion_lookup::{self as lookup, LineEnd, Over};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A line of perfect play from a position; from Table.line(…).
///
/// >>> line = morpion.Table.builtin("classic").line("XX./OO./...")
/// >>> line, line.moves, str(line.positions[-1])
/// (Line(1 move, over='line'), ['c1'], 'XXX/OO./... o')
#[pyclass(frozen, module = "morpion")]
pub(crate) struct Line {
    /// The positions, from the first to the last: one more than there are moves.
    #[pyo3(get)]
    pub(crate) positions: Vec<Py<Position>>,
    /// The moves between them, as text.
    #[pyo3(get)]
    pub(crate) moves: Vec<String>,
    /// Reason why the game is over at the end, such as "line" or "stuck". None if the last position is a repetition.
    #[pyo3(get)]
    over: Option<&'static str>,
    /// The index of the position that the last one repeats; None if the game ends.
    #[pyo3(get)]
    pub(crate) cycle: Option<usize>,
}

#[pymethods]
impl Line {
    #[new]
    fn py_new(
        positions: Vec<Py<Position>>,
        moves: Vec<String>,
        over: Option<&str>,
        cycle: Option<usize>,
    ) -> PyResult<Line> {
        let over = over.map(|over| {
            let known = Over::ALL.into_iter().map(Over::name).find(|&known| known == over);
            known.ok_or_else(|| PyValueError::new_err("over: expected \"line\" or another reason"))
        });
        Ok(Line { positions, moves, over: over.transpose()?, cycle })
    }

    #[allow(clippy::type_complexity, reason = "the arguments of the constructor")]
    fn __getnewargs__(
        &self,
        py: Python<'_>,
    ) -> (Vec<Py<Position>>, Vec<String>, Option<&'static str>, Option<usize>) {
        let positions = self.positions.iter().map(|position| position.clone_ref(py));
        (positions.collect(), self.moves.clone(), self.over, self.cycle)
    }

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

#[pymethods]
impl Table {
    /// The line of perfect play from a position [default: the start of the game] to the end or to a repetition. Each side makes the
    /// first of its perfect moves.
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
        let (table, from) = match position {
            Some(position) => {
                let (table, from, side) = self.read(position, side)?;
                (table, Position::new(self.rules(), py, from, side).parts())
            }
            None => {
                let table = self.get(py)?;
                let start = table.game().start();
                (table, start)
            }
        };
        let played = ask(py, &table, |table| {
            let mut line = table.line(from);
            line.by_ref().try_for_each(|step| step.map(|_| ()))?;
            Ok((line.positions().to_vec(), line.moves().to_vec(), line.end()))
        })?;
        let (positions, moves, end) = played.map_err(|error| of_probe(py, error))?;
        let object =
            |at: lookup::Position| Py::new(py, Position::new(self.rules(), py, at.raw, at.side));
        Ok(Line {
            positions: positions.into_iter().map(object).collect::<PyResult<_>>()?,
            moves: moves.into_iter().map(|mv| table.game().format_move(mv)).collect(),
            over: if let Some(LineEnd::Over(over)) = end { Some(over.name()) } else { None },
            cycle: if let Some(LineEnd::Cycle(before)) = end { Some(before) } else { None },
        })
    }

    /// A move of a fallible player: with probability `errors` an imperfect move, if there is any, else a perfect one. Both are chosen
    /// uniformly. None if the game is over.
    ///
    /// `random` is a function that returns a number from 0 to below 1 [default: random.random]. The same numbers choose the same
    /// moves in every language.
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
            return Err(fault(format!("errors is {errors}: use a number from 0 to 1")));
        }
        let (table, found, _) = self.read(position, side)?;
        let ranked = ask(py, &table, |table| table.ranked_moves(found))?;
        let ranked = ranked.map_err(|error| of_probe(py, error))?;
        let number: f64 = match random {
            Some(random) => random.call0()?.extract()?,
            None => py.import("random")?.call_method0("random")?.extract()?,
        };
        if !(0.0..1.0).contains(&number) {
            return Err(fault(format!(
                "random() returned {number}: it must return a number from 0 to below 1"
            )));
        }
        let chosen = ranked.choose(errors, number);
        Ok(chosen.map(|chosen| table.game().format_move(chosen.mv)))
    }
}
