//! The class `Game`: rules, without a table.
//!
//! In come the rules and symmetries of a table's header, out go positions, and the numbers of moves.

use crate::cells::read_position;
use crate::errors::{PositionError, TableFault, named};
use crate::position::{Position, read_side};
use crate::reach::Positions;
use morpion_lookup as lookup;
use morpion_lookup::raw::{self, Header, Permutation};
use morpion_lookup::{Move, Side, Source};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::OnceLock;

/// A game by its rules, which Table.game gives: positions and moves, without their worth.
///
/// Games are equal if their rules are, whatever they are called. They pickle.
///
/// >>> game = morpion.Table.builtin("classic").game
/// >>> game.start.legal_moves[:3], len(list(game.positions()))
/// (['a1', 'b1', 'c1'], 5478)
#[pyclass(frozen, module = "morpion")]
pub(crate) struct Game {
    pub(crate) rules: lookup::Game,
    /// Of its table: what pickles it.
    header: Header,
    actions: OnceLock<Vec<Move>>,
}

impl Game {
    pub(crate) fn of<S: Source>(table: &lookup::Table<S>) -> Game {
        Game::new(table.game().clone(), table.raw().header().clone())
    }

    fn new(rules: lookup::Game, header: Header) -> Game {
        Game { rules, header, actions: OnceLock::new() }
    }

    pub(crate) fn symmetries(&self) -> &[Permutation] {
        &self.header.symmetries
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        self.header.fingerprint
    }

    /// Every move that some position of the game may have, by number: placements by cell, moves of pieces by cell before and
    /// cell after, the pass last.
    pub(crate) fn actions_in_order(&self) -> &[Move] {
        self.actions.get_or_init(|| {
            let (game, cells) = (&self.rules, 0..self.rules.cells());
            let places = cells.clone().filter(|_| game.rules().start.is_none());
            let mut actions: Vec<Move> = places.map(|to| Move::Place { to }).collect();
            if game.rules().movement.is_none() {
                return actions;
            }
            for from in cells.clone() {
                let targets = cells.clone().filter(|to| game.neighbours(from) >> to & 1 == 1);
                actions.extend(targets.map(|to| Move::Shift { from, to }));
            }
            actions.push(Move::Pass);
            actions
        })
    }

    /// The number of a legal move.
    pub(crate) fn action(&self, mv: Move) -> usize {
        // Moves are ordered as their numbers are.
        self.actions_in_order().binary_search(&mv).unwrap_or_else(|next| next)
    }
}

#[pymethods]
impl Game {
    /// The short name.
    ///
    /// >>> morpion.Table.builtin("rota").game.name
    /// 'rota'
    #[getter]
    fn name(&self) -> &str {
        &self.rules.rules().name
    }

    /// The game in a line.
    ///
    /// >>> morpion.Table.builtin("rota").game.title
    /// 'Rota: three pieces each on a wheel; three neighbours on the rim or a diameter win'
    #[getter]
    fn title(&self) -> &str {
        &self.rules.rules().title
    }

    /// How many cells the board has.
    ///
    /// >>> morpion.Table.builtin("rota").game.cells
    /// 9
    #[getter]
    fn cells(&self) -> u8 {
        self.rules.cells()
    }

    /// Rows and columns; None where the board is no grid.
    ///
    /// >>> morpion.Table.builtin("classic").game.grid
    /// (3, 3)
    #[getter]
    fn grid(&self) -> Option<(u8, u8)> {
        self.rules.rules().board.grid()
    }

    /// The text of every move that some position may have. A move's place in it is its number, the action of a policy.
    ///
    /// >>> morpion.Table.builtin("tapatan").game.actions[8:12]
    /// ['c3', 'a1-b1', 'a1-a2', 'a1-b2']
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.actions_in_order().iter().map(|&mv| self.rules.format_move(mv)).collect()
    }

    /// The position the game begins with.
    ///
    /// >>> morpion.Table.builtin("rota").game.start
    /// Position('.../.../... x')
    #[getter]
    fn start(slf: &Bound<'_, Self>) -> Position {
        let (position, side) = slf.get().rules.start();
        Position::new(slf.as_unbound(), slf.py(), position, side)
    }

    /// A position from text or from cells, a sequence or an array, 0 empty, 1 for X, 2 for O; `side` as Table has it.
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

    /// The position with these cells of the side to move and of the side waiting, bit c for cell c. Where the pieces do not tell
    /// which of them is X, `side` does; left out, X is to move.
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
        let position = lookup::Position { mover, waiter };
        let fault = |error: lookup::PositionError| {
            named::<PositionError>(py, error.kind().name(), error.to_string())
        };
        rules.check(position).map_err(fault)?;
        let named_side = side.map(|side| read_side(py, side)).transpose()?;
        let told = rules.side_to_move(position);
        let side = match (named_side, told) {
            (Some(named_side), Some(told)) if named_side != told => {
                let (found, expected) = (named_side.letter(), told.letter());
                let text = format!("{found} to move, expected {expected}, by the pieces");
                return Err(named::<PositionError>(py, "side", text));
            }
            (named_side, told) => told.or(named_side).unwrap_or(Side::X),
        };
        Ok(Position::new(slf.as_unbound(), py, position, side))
    }

    /// All positions that play can reach, as many as `morpion count` counts: by pieces on the board, and by cells.
    ///
    /// A position of the movement phase comes once, whichever side is to move; it is given with the side with which play first
    /// reaches it. Takes up to six bits of memory for each arrangement of the pieces on the board.
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

    /// The game that was pickled.
    #[staticmethod]
    fn _from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Game> {
        let fault = |kind: &str, text: String| named::<TableFault>(py, kind, text);
        let read = raw::read_preamble(PICKLED, raw::VERSION, &data);
        let header = read.and_then(|(version, header, _)| Header::from_bytes(version, &header));
        let header = header.map_err(|error| fault(error.kind().name(), error.to_string()))?;
        let game = lookup::Game::new(header.rules.clone())
            .map_err(|error| fault("rules", error.to_string()))?;
        Ok(Game::new(game, header))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let header = self.header.to_bytes();
        let header = header
            .map_err(|error| named::<TableFault>(py, error.kind().name(), error.to_string()))?;
        let bytes = raw::preamble(PICKLED, self.header.version(), &header);
        let restore = py.get_type::<Game>().getattr("_from_bytes")?;
        Ok((restore, (PyBytes::new(py, &bytes),)))
    }
}

/// What a pickled game begins with.
const PICKLED: [u8; 8] = *b"MORPGAME";
