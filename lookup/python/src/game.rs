//! The class `Game`: names, board and positions, in Python's types.

use crate::cells::read_position;
use crate::errors::{of_check, of_position};
use crate::position::{Position, read_side};
use crate::reach::Positions;
use crate::rules::Game;
use morpion_lookup as lookup;
use morpion_lookup::Side;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

#[pymethods]
impl Game {
    /// The short name.
    ///
    /// >>> morpion.Table.builtin("rota").game.name
    /// 'rota'
    #[getter]
    fn name(&self) -> &str {
        self.rules.name()
    }

    /// One line about the game.
    ///
    /// >>> morpion.Table.builtin("rota").game.title
    /// 'Rota: three pieces each on a wheel; three neighbours on the rim or a diameter win'
    #[getter]
    fn title(&self) -> &str {
        self.rules.title()
    }

    /// Number of cells of the board.
    ///
    /// >>> morpion.Table.builtin("rota").game.cells
    /// 9
    #[getter]
    fn cells(&self) -> u8 {
        self.rules.cells()
    }

    /// Rows and columns; None if the board is not a grid.
    ///
    /// >>> morpion.Table.builtin("classic").game.grid
    /// (3, 3)
    #[getter]
    fn grid(&self) -> Option<(u8, u8)> {
        self.rules.board_shape().grid()
    }

    /// The text of every move that some position may have: placements, moves of pieces, both with each piece that they may take, and
    /// pushes. If pieces move, the pass comes last, even if the rules have none. The index of a move in this list is the action of a
    /// policy.
    ///
    /// >>> morpion.Table.builtin("tapatan").game.actions[8:12]
    /// ['c3', 'a1-b1', 'a1-a2', 'a1-b2']
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.actions_in_order().iter().map(|&mv| self.rules.format_move(mv)).collect()
    }

    /// The position at the start of the game.
    ///
    /// >>> morpion.Table.builtin("rota").game.start
    /// Position('.../.../... x')
    #[getter]
    pub(crate) fn start(slf: &Bound<'_, Self>) -> Position {
        let start = slf.get().rules.start();
        Position::new(slf.as_unbound(), slf.py(), start.raw, start.side)
    }

    /// A position from text or from cells, a sequence or an array: 0 empty, 1 for X, 2 for O. `side` as in Table.
    ///
    /// >>> game = morpion.Table.builtin("swap").game
    /// >>> game.position([[1, 1, 0], [2, 2, 0], [1, 2, 0]], "x")
    /// Position('XX./OO./XO. x')
    #[pyo3(signature = (position, side = None))]
    fn position(
        slf: &Bound<'_, Self>,
        position: &Bound<'_, PyAny>,
        side: Option<&str>,
    ) -> PyResult<Position> {
        let (found, side) = read_position(slf.get(), position, side)?;
        Ok(Position::new(slf.as_unbound(), slf.py(), found, side))
    }

    /// The position with these words of the side to move and of the side waiting, as in Position.mover: bit c for cell c. `side` is the side to move if
    /// the number of pieces does not determine it [default: X].
    ///
    /// >>> morpion.Table.builtin("classic").game.from_masks(0b000_010_000, 0b100_000_001)
    /// Position('X../.O./..X o')
    #[pyo3(signature = (mover, waiter, side = None))]
    fn from_masks(
        slf: &Bound<'_, Self>,
        mover: u64,
        waiter: u64,
        side: Option<&str>,
    ) -> PyResult<Position> {
        let (py, rules) = (slf.py(), &slf.get().rules);
        let position = lookup::raw::Position { mover, waiter };
        rules.raw().check(position).map_err(|fault| of_check(py, fault.into()))?;
        let named_side = side.map(|side| read_side(py, side)).transpose()?;
        let told = rules.raw().turn(position);
        let side = match (named_side, told) {
            (Some(named_side), Some(told)) if named_side != told => {
                let (found, expected) = (named_side.letter(), told.letter());
                let text = format!("{found} to move, expected {expected} by the number of pieces");
                return Err(of_position(py, "side", text));
            }
            (named_side, told) => told.or(named_side).unwrap_or(Side::X),
        };
        Ok(Position::new(slf.as_unbound(), py, position, side))
    }

    /// An iterator over all positions that play can reach, counted by `morpion count`, ordered by the layers of play and by cells.
    ///
    /// A position in which either side may be to move comes once, with the side that begins the game if play reaches it so. Takes up to
    /// six bits of memory for each arrangement of the pieces on the board, in each order if they age.
    ///
    /// >>> positions = morpion.Table.builtin("classic").game.positions()
    /// >>> sum(position.winner == "x" for position in positions)
    /// 626
    fn positions(slf: &Bound<'_, Self>) -> PyResult<Positions> {
        Positions::new(slf)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| other.get().fingerprint() == self.fingerprint())
    }

    fn __hash__(&self) -> u64 {
        self.fingerprint()
    }

    fn __repr__(&self) -> String {
        format!("Game({:?})", self.name())
    }

    /// Restores a pickled game.
    #[staticmethod]
    fn _from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Game> {
        Game::from_bytes(py, data)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let restore = py.get_type::<Game>().getattr("_from_bytes")?;
        Ok((restore, (PyBytes::new(py, &self.to_bytes(py)?),)))
    }
}
