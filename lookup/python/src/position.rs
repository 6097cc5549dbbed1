//! The class `Position`: the pieces on the board and the side to move. Python can compare, hash, pickle and print it.

use crate::errors::{of_check, of_position};
use crate::rules::Game;
use morpion_core::orbit;
use morpion_diagram::diagram::Diagram;
use morpion_lookup::{self as lookup, Side, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::hash::{DefaultHasher, Hash, Hasher};

/// An immutable position of a game, from Game.start, Game.position(…) or Position.after(move).
///
/// Positions are equal if pieces, side to move and rules are equal. They hash and pickle, and every method of Table takes them.
///
/// >>> position = morpion.Table.builtin("classic").game.start.after("b2")
/// >>> position, str(position), position.side
/// (Position('.../.X./... o'), '.../.X./... o', 'o')
#[pyclass(frozen, module = "morpion")]
pub(crate) struct Position {
    game: Py<Game>,
    position: lookup::raw::Position,
    side: Side,
}

impl Position {
    pub(crate) fn new(
        game: &Py<Game>,
        py: Python<'_>,
        position: lookup::raw::Position,
        side: Side,
    ) -> Position {
        Position { game: game.clone_ref(py), position, side }
    }

    pub(crate) fn rules(&self) -> &lookup::Game {
        &self.game.get().rules
    }

    /// The position, if it belongs to this game and has this side to move.
    pub(crate) fn of_game(
        &self,
        py: Python<'_>,
        game: &Game,
        side: Option<&str>,
    ) -> PyResult<(lookup::raw::Position, Side)> {
        if self.game.get().fingerprint() != game.fingerprint() {
            let (found, expected) = (self.rules().name(), game.rules.name());
            let text = format!("a position of {found}: use a position of {expected}");
            return Err(of_position(py, "other-rules", text));
        }
        let named_side = side.map(|side| read_side(py, side)).transpose()?;
        if named_side.is_some_and(|side| side != self.side) {
            let text = format!(
                "{} to move in {}, not the side asked for",
                self.side.letter(),
                self.text()
            );
            return Err(of_position(py, "side", text));
        }
        Ok((self.position, self.side))
    }

    /// The position with its board and its side to move.
    pub(crate) fn parts(&self) -> lookup::Position {
        let board = self.rules().board_shape();
        lookup::Position { board, raw: self.position, side: self.side }
    }

    pub(crate) fn text(&self) -> String {
        self.rules().format_position(self.parts())
    }

    fn over(&self) -> Option<lookup::Over> {
        self.rules().raw().over(self.position)
    }

    /// The parts of a position that equality compares.
    fn identity(&self) -> (u64, lookup::raw::Position, Side) {
        (self.game.get().fingerprint(), self.position, self.side)
    }
}

/// Reads "x" or "o".
pub(crate) fn read_side(py: Python<'_>, side: &str) -> PyResult<Side> {
    match side {
        "x" | "X" => Ok(Side::X),
        "o" | "O" => Ok(Side::O),
        _ => {
            let found = side.chars().take(64).collect::<String>();
            Err(of_position(py, "side", format!("side {found:?}: use x or o")))
        }
    }
}

/// A legal move of a position, from text or an object.
pub(crate) fn read_move(
    game: &lookup::Game,
    position: lookup::raw::Position,
    given: &Bound<'_, PyAny>,
) -> PyResult<lookup::Move> {
    let py = given.py();
    let text = given.getattr("move").unwrap_or_else(|_| given.clone());
    let text = text.extract::<String>().map_err(|_| {
        let name = given.get_type().name().map_or("this".into(), |name| name.to_string());
        PyTypeError::new_err(format!("{name} is not a move: use text or a Move"))
    })?;
    let wanted = game.parse_move(&text).map_err(|error| of_check(py, error))?;
    if game.legal_moves(position).any(|legal| legal == wanted) {
        return Ok(wanted);
    }
    Err(of_position(py, "move", format!("{text:?} is not a legal move here")))
}

#[pymethods]
impl Position {
    /// The game of the position.
    ///
    /// >>> morpion.Table.builtin("classic").game.position("X../.O./..X").game
    /// Game("classic")
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The side to move, "x" or "o".
    ///
    /// >>> morpion.Table.builtin("classic").game.position("X../.O./..X").side
    /// 'o'
    #[getter]
    fn side(&self) -> &'static str {
        match self.side {
            Side::X => "x",
            Side::O => "o",
        }
    }

    /// The word of the side to move: bit c for cell c. From bit 36 on, it has the number of pieces in hand in games with mills, or, with
    /// bit 52, the order of pieces that age.
    ///
    /// >>> morpion.Table.builtin("classic").game.position("X../.O./..X").mover
    /// 16
    #[getter]
    fn mover(&self) -> u64 {
        self.position.mover
    }

    /// The word of the side waiting.
    ///
    /// >>> morpion.Table.builtin("classic").game.position("X../.O./..X").waiter
    /// 257
    #[getter]
    fn waiter(&self) -> u64 {
        self.position.waiter
    }

    /// The content of each cell: 0 nothing, 1 X, 2 O.
    ///
    /// >>> morpion.Table.builtin("classic").game.position("X../.O./...").cells
    /// (1, 0, 0, 0, 2, 0, 0, 0, 0)
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (x, o) = self.position.sides(self.side);
        let cells = 0..self.rules().cells();
        let cells: Vec<u64> = cells.map(|cell| (x >> cell & 1) + 2 * (o >> cell & 1)).collect();
        PyTuple::new(py, cells)
    }

    /// All legal moves as text, in the order of cells; none if the game is over.
    ///
    /// >>> morpion.Table.builtin("classic").game.position("XOX/OX./OXO").legal_moves
    /// ['c2']
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        let game = self.rules();
        game.legal_moves(self.position).map(|mv| game.format_move(mv)).collect()
    }

    /// The position after a legal move, which is text or a Move. Raises PositionError of the kind "move" for any other.
    ///
    /// >>> morpion.Table.builtin("classic").game.start.after("a1").after("b2")
    /// Position('X../.O./... x')
    pub(crate) fn after(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Position> {
        let mv = read_move(self.rules(), self.position, r#move)?;
        let after = self.rules().raw().apply(self.position, mv);
        Ok(Position::new(&self.game, r#move.py(), after, self.side.other()))
    }

    /// Reason why the game is over: "line", "full", "stuck", "own-line" or "few"; None if it is not over.
    ///
    /// >>> morpion.Table.builtin("classic").game.position("XXX/OO./...").over
    /// 'line'
    #[getter]
    #[pyo3(name = "over")]
    fn py_over(&self) -> Option<&'static str> {
        self.over().map(lookup::Over::name)
    }

    /// True if the game is over.
    ///
    /// >>> morpion.Table.builtin("classic").game.position("X../.O./..X").is_over
    /// False
    #[getter]
    pub(crate) fn is_over(&self) -> bool {
        self.over().is_some()
    }

    /// The side that has won, "x" or "o"; None for a draw and if the game is not over.
    ///
    /// >>> morpion.Table.builtin("classic").game.position("XXX/OO./...").winner
    /// 'x'
    #[getter]
    pub(crate) fn winner(&self) -> Option<char> {
        match self.rules().raw().final_score(self.over()?).value() {
            Value::Win => Some(self.side.letter()),
            Value::Draw => None,
            Value::Loss => Some(self.side.other().letter()),
        }
    }

    /// The symmetric forms of this position, each once, including itself. Symmetric positions have the same score and the same
    /// orbit, so its first form can represent all of them.
    ///
    /// >>> game = morpion.Table.builtin("classic").game
    /// >>> [str(form) for form in game.position("X../.../...").orbit()]
    /// ['X../.../... o', '..X/.../... o', '.../.../X.. o', '.../.../..X o']
    fn orbit(&self, py: Python<'_>) -> Vec<Position> {
        let object = |image| Position::new(&self.game, py, image, self.side);
        let orbit = orbit(self.position, self.game.get().symmetries());
        orbit.into_iter().map(object).collect()
    }

    /// The text of a legal move, which is text or a Move. Raises PositionError of the kind "move" for any other.
    fn _read_move(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        let mv = read_move(self.rules(), self.position, r#move)?;
        Ok(self.rules().format_move(mv))
    }

    /// A drawing in SVG, with the moves before and after the position.
    #[pyo3(signature = (last = None, next = None))]
    fn _svg(&self, last: Option<&str>, next: Option<&str>) -> String {
        let game = self.rules();
        let read = |text: Option<&str>| text.and_then(|text| game.parse_move(text).ok());
        let (last, next) = (read(last), read(next));
        Diagram { game, position: self.parts(), last, next, is_named: true }.document()
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("morpion.display")?.call_method1("board", (slf,))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Position>().is_ok_and(|other| other.get().identity() == self.identity())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.identity().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.text())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.get_type::<Game>().getattr("from_masks")?;
        let lookup::raw::Position { mover, waiter } = self.position;
        let given = (self.game(py), mover, waiter, self.side());
        Ok((restore, given.into_pyobject(py)?))
    }
}
