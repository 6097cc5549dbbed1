//! The class `Walk`, which lists the positions that play can reach as words, in the order of play.

use crate::buffer::Array;
use crate::rules::Game;
use morpion_games::reach::reached::Reached;
use morpion_games::reach::walk::{self, Sides};
use morpion_lookup::{Position, Side};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::error::Error;

/// A walk through the positions that play can reach.
#[pyclass(module = "morpion._core")]
pub(crate) struct Walk {
    /// The side that begins the game.
    first: Side,
    walk: walk::Walk,
    /// The sets of positions that the walk has finished and whose positions are to be returned, in this order.
    sets: VecDeque<Reached>,
    /// The number in the set at the front from which the next position is searched.
    number: u64,
}

/// The exception for an error that ends a walk: an exception that a signal has raised, or MemoryError.
fn ended(error: Box<dyn Error + Send + Sync>) -> PyErr {
    let raised = error.downcast::<PyErr>();
    raised.map_or_else(|error| PyMemoryError::new_err(error.to_string()), |raised| *raised)
}

impl Walk {
    /// The next position, with its side to move.
    fn advance(&mut self, py: Python<'_>) -> PyResult<Option<(Position, Side)>> {
        loop {
            if let Some(set) = self.sets.front()
                && let Some((number, position)) = set.first(self.number)
            {
                self.number = number + 1;
                let side = if set.root_moves() { self.first } else { self.first.other() };
                return Ok(Some((position, side)));
            }
            self.number = 0;
            if self.sets.pop_front().is_none() {
                if self.walk.is_over() {
                    return Ok(None);
                }
                self.follow(py)?;
            }
        }
    }

    /// Advances the walk to its next group of layers and takes the finished sets. A position that two sets of a layer have, because either
    /// side may be to move, stays only in the first set.
    fn follow(&mut self, py: Python<'_>) -> PyResult<()> {
        let check = || Python::attach(|py| py.check_signals()).map_err(Box::from);
        py.detach(|| self.walk.follow(check)).map_err(ended)?;
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
impl Walk {
    #[new]
    fn py_new(game: &Game) -> PyResult<Walk> {
        let start = game.rules.start();
        let walk = walk::Walk::new(&game.rules, start.raw, Sides::Apart, &[]);
        let walk = walk.map_err(|error| ended(error.into()))?;
        Ok(Walk { first: start.side, walk, sets: VecDeque::new(), number: 0 })
    }

    /// The next positions, up to `count`: the words of the movers, the words of the waiters, and the sides to move, 0 for X and 1 for O.
    /// The arrays are empty after the last position.
    fn words(&mut self, py: Python<'_>, count: usize) -> PyResult<[Array; 3]> {
        let (mut found, mut sides) = (Vec::new(), Vec::new());
        while found.len() < count
            && let Some((position, side)) = self.advance(py)?
        {
            found.push(position);
            sides.push(side as u8);
        }
        let [movers, waiters] = Array::pair(&found);
        Ok([movers, waiters, Array::new(sides, "B")])
    }
}
