//! The positions that play can reach, one after the other, in the order of play.

use crate::buffer::{array, words};
use crate::position::Position;
use crate::rules::Game;
use morpion_lookup::{Side, raw};
use morpion_reach::TooLarge;
use morpion_reach::reached::Reached;
use morpion_reach::walk::{Sides, Walk};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::collections::VecDeque;

/// The positions of a game that play can reach; from Game.positions().
///
/// >>> next(morpion.Table.builtin("classic").game.positions())
/// Position('.../.../... x')
#[pyclass(module = "morpion")]
pub(crate) struct Positions {
    game: Py<Game>,
    walk: Walk,
    /// The sets that the walk has left, to be visited in this order.
    sets: VecDeque<Reached>,
    /// The first number in the set at the front that has not been visited.
    number: u64,
}

/// An error that ends a walk.
struct Ended(PyErr);

impl From<TooLarge> for Ended {
    fn from(error: TooLarge) -> Ended {
        Ended(PyMemoryError::new_err(error.to_string()))
    }
}

impl From<Ended> for PyErr {
    fn from(Ended(error): Ended) -> PyErr {
        error
    }
}

impl Positions {
    pub(crate) fn new(game: &Bound<'_, Game>) -> PyResult<Positions> {
        let rules = &game.get().rules;
        let start = rules.start().raw;
        let walk = Walk::new(rules, start, Sides::Apart, &[]).map_err(Ended::from)?;
        let game = game.clone().unbind();
        Ok(Positions { game, walk, sets: VecDeque::new(), number: 0 })
    }

    /// The next position, with its side to move.
    pub(crate) fn advance(&mut self, py: Python<'_>) -> PyResult<Option<(raw::Position, Side)>> {
        loop {
            if let Some(set) = self.sets.front() {
                if let Some((number, position)) = set.first(self.number) {
                    self.number = number + 1;
                    let first = self.game.get().rules.start().side;
                    let side = if set.root_moves() { first } else { first.other() };
                    return Ok(Some((position, side)));
                }
                self.sets.pop_front();
                self.number = 0;
            } else if self.walk.is_over() {
                return Ok(None);
            } else {
                self.follow(py)?;
            }
        }
    }

    /// Takes the walk to its next group of layers. A position in which either side may be to move is left to the first set.
    fn follow(&mut self, py: Python<'_>) -> PyResult<()> {
        let check = || Python::attach(|py| py.check_signals()).map_err(Ended);
        py.detach(|| self.walk.follow(check))?;
        for mut set in self.walk.leave() {
            let is_of_layer =
                |before: &&Reached| before.arranged().layer() == set.arranged().layer();
            if let Some(before) = self.sets.back().filter(is_of_layer) {
                set.remove(before);
            }
            self.sets.push_back(set);
        }
        Ok(())
    }
}

#[pymethods]
impl Positions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Position>> {
        let found = self.advance(py)?;
        Ok(found.map(|(position, side)| Position::new(&self.game, py, position, side)))
    }

    /// The next positions, up to `count`: the words of the movers, those of the waiters, and the sides to move, 0 for X and 1 for O.
    /// Empty after the last position.
    fn _words<'py>(&mut self, py: Python<'py>, count: usize) -> PyResult<[Bound<'py, PyAny>; 3]> {
        let mut found = Vec::new();
        while found.len() < count
            && let Some(position) = self.advance(py)?
        {
            found.push(position);
        }
        let sides: Vec<u8> = found.iter().map(|&(_, side)| side as u8).collect();
        Ok([
            words(py, found.iter().map(|(position, _)| position.mover))?,
            words(py, found.iter().map(|(position, _)| position.waiter))?,
            array(py, &sides, "B")?,
        ])
    }
}
