//! Arrays for training: boards as 1, -1 and 0, values, distances, and a flag for each legal and each perfect move.

use crate::batch::{array, plies_code, value_code};
use crate::errors::{MorpionError, in_batch, named, of_probe};
use crate::listed::read_positions;
use crate::reach::Positions;
use crate::source::ask;
use crate::table::Table;
use pyo3::prelude::*;

/// Training data for a network, as arrays with a row for each position, from the point of view of the side to move.
/// numpy.asarray(arrays.boards) copies nothing.
///
/// >>> arrays = morpion.Table.builtin("classic").training_arrays(["XX./OO./..."])
/// >>> arrays.boards.tolist(), arrays.values.tolist(), arrays.best.tolist()[0].index(True)
/// ([[1, 1, 0, -1, -1, 0, 0, 0, 0]], [1], 2)
#[pyclass(frozen, module = "morpion")]
pub(crate) struct TrainingArrays {
    /// Positions × cells: 1 for a piece of the side to move, -1 for a piece of the other side, 0 for none; 8-bit integers. Ages and
    /// pieces in hand are not included.
    #[pyo3(get)]
    boards: Py<PyAny>,
    /// 1 for a win, 0 for a draw, -1 for a loss; 8-bit integers.
    #[pyo3(get)]
    values: Py<PyAny>,
    /// Half-moves to the end, -1 for a draw and in a table without distances; 16-bit integers.
    #[pyo3(get)]
    plies: Py<PyAny>,
    /// Positions × Game.actions: true if the move is legal.
    #[pyo3(get)]
    legal: Py<PyAny>,
    /// Positions × Game.actions: true if the move is perfect.
    #[pyo3(get)]
    best: Py<PyAny>,
    length: usize,
}

#[pymethods]
impl TrainingArrays {
    fn __len__(&self) -> usize {
        self.length
    }

    fn __repr__(&self) -> String {
        format!("TrainingArrays({} positions)", self.length)
    }
}

/// An array of rows of `columns` items.
fn rows(py: Python<'_>, bytes: &[u8], format: &str, columns: usize) -> PyResult<Py<PyAny>> {
    let flat = array(py, bytes, "B")?;
    let shape = (bytes.len() / columns, columns);
    flat.call_method1(py, "cast", (format, shape))
}

#[pymethods]
impl Table {
    /// Arrays for training: of all positions that play can reach, or of `positions`, any iterable. Finished positions have a value and
    /// no moves. Takes some hundred bytes for each position. More than 10,000,000 positions raise MorpionError of the kind "size".
    ///
    /// >>> table = morpion.Table.builtin("classic")
    /// >>> arrays = table.training_arrays()
    /// >>> arrays, arrays.boards.shape, arrays.legal.shape
    /// (TrainingArrays(5478 positions), (5478, 9), (5478, 9))
    #[pyo3(signature = (positions = None))]
    fn training_arrays(
        &self,
        py: Python<'_>,
        positions: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<TrainingArrays> {
        let table = self.get(py)?;
        let game = self.rules().get();
        let listed = match positions {
            Some(listed) => read_positions(game, listed)?,
            None => Positions::new(self.rules().bind(py))?.all(py)?,
        };
        if listed.is_empty() {
            return Err(named::<MorpionError>(py, "size", "no positions: pass at least one"));
        }
        let (cells, actions) = (usize::from(game.rules.cells()), game.actions_in_order().len());
        let length = listed.len();
        let mut boards = Vec::with_capacity(length * cells);
        let mut values = Vec::with_capacity(length);
        let mut plies: Vec<u8> = Vec::with_capacity(2 * length);
        let (mut legal, mut best) = (vec![0u8; length * actions], vec![0u8; length * actions]);
        for (index, (position, _)) in listed.into_iter().enumerate() {
            if index % 4096 == 0 {
                py.check_signals()?;
            }
            let answer = ask(py, &table, |table| {
                Ok((table.probe(position)?, table.ranked_moves(position)?))
            })?;
            let (score, ranked) =
                answer.map_err(|error| in_batch(py, of_probe(py, error), index))?;
            let sides =
                |cell| (position.mover >> cell & 1) as i8 - (position.waiter >> cell & 1) as i8;
            boards.extend((0..cells).map(|cell| sides(cell) as u8));
            values.push(value_code(score.value()) as u8);
            plies.extend(plies_code(score).to_ne_bytes());
            let (row, perfect) = (index * actions, ranked.best().len());
            for (place, found) in ranked.iter().enumerate() {
                let action = row + game.action(found.mv);
                legal[action] = 1;
                best[action] = u8::from(place < perfect);
            }
        }
        Ok(TrainingArrays {
            boards: rows(py, &boards, "b", cells)?,
            values: array(py, &values, "b")?,
            plies: array(py, &plies, "h")?,
            legal: rows(py, &legal, "?", actions)?,
            best: rows(py, &best, "?", actions)?,
            length,
        })
    }
}
