//! Methods of the class `Game`: facts about rules, and questions about one position, which is given as two words and perhaps the side to
//! move.

use crate::errors::{of_check, of_table};
use crate::rules::{Game, Words, position, read};
use crate::table::Table;
use morpion_core::orbit;
use morpion_lookup::{self as lookup, Position, Side};
use morpion_report::diagram::{Diagram, NAMES};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

/// Name, title, number of cells, rows and columns, content of words above their cells ("hands", "ages" or, for Python's None, nothing),
/// fingerprint.
type Facts<'g> = (&'g str, &'g str, u8, Option<(u8, u8)>, Option<&'static str>, u64);

/// Names of the cells, lines, the cells that extend each line, links, the text of the rules.
type Board<'g> = (Vec<String>, &'g [u64], &'g [u64], Option<Vec<(u8, u8)>>, &'g str);

fn words(Position { mover, waiter }: Position) -> Words {
    (mover, waiter)
}

fn words_and_side(position: lookup::Situation) -> (Words, char) {
    (words(position.raw), position.side.letter())
}

impl Game {
    fn position(&self, at: Words, side: char) -> lookup::Situation {
        self.rules.situation(position(at), Some(if side == 'x' { Side::X } else { Side::O }))
    }
}

#[pymethods]
impl Game {
    /// Makes a game from a table or from the pickled form of a game.
    #[new]
    fn py_new(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Game> {
        match source.cast::<Table>() {
            Ok(table) => table.get().get(py).map(|table| Game::new(table.raw().header().clone())),
            Err(_) => Game::from_bytes(source.extract()?).map_err(|error| of_table(py, error)),
        }
    }

    /// The pickled form of the game: the header of its table.
    fn _to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.to_bytes().map_err(|error| of_table(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn _facts(&self) -> Facts<'_> {
        let rules = &self.rules;
        let above = rules.has_ages().then_some("ages").or(rules.has_hands().then_some("hands"));
        let grid = rules.board_shape().grid();
        (rules.name(), rules.title(), rules.cells(), grid, above, rules.fingerprint())
    }

    fn _board(&self) -> Board<'_> {
        let rules = &self.rules;
        let names = (0..rules.cells()).map(|cell| rules.format_cell(cell)).collect();
        (names, rules.lines(), rules.prolongations(), rules.links(), &rules.about().rules)
    }

    /// The images of the cells under each symmetry.
    fn _symmetries(&self) -> Vec<Vec<u8>> {
        self.symmetries().iter().map(|symmetry| symmetry.images().to_vec()).collect()
    }

    /// The texts of all actions, in the order of their numbers.
    fn _actions(&self) -> Vec<String> {
        self.actions_in_order().iter().map(|&mv| self.rules.format_move(mv)).collect()
    }

    /// The words and the side to move at the start of the game.
    fn _start(&self) -> (Words, char) {
        words_and_side(self.rules.start())
    }

    /// Reads a text: the words and the side to move.
    fn _read(&self, py: Python<'_>, text: &str) -> PyResult<(Words, char)> {
        let position = self.rules.parse_position(text).map_err(|error| of_check(py, error))?;
        Ok(words_and_side(position))
    }

    /// Checks the words of a position. Returns its side to move if the pieces determine it.
    fn _turn(&self, py: Python<'_>, at: Words) -> PyResult<Option<char>> {
        self.rules.check(position(at)).map_err(|error| of_check(py, error))?;
        Ok(self.rules.turn(position(at)).map(Side::letter))
    }

    fn _text(&self, at: Words, side: char) -> String {
        self.rules.format_position(self.position(at, side))
    }

    /// The content of each cell: 0 nothing, 1 X, 2 O.
    fn _cells<'py>(&self, py: Python<'py>, at: Words, side: char) -> PyResult<Bound<'py, PyTuple>> {
        let position = self.position(at, side);
        let (x, o) = position.raw.sides(position.side);
        let content = |cell: u8| (x >> cell & 1) + 2 * (o >> cell & 1);
        PyTuple::new(py, (0..self.rules.cells()).map(content).collect::<Vec<u64>>())
    }

    /// The legal moves of a position.
    fn _legal(&self, at: Words) -> Vec<String> {
        self.rules.legal_moves(position(at)).map(|mv| self.rules.format_move(mv)).collect()
    }

    /// The words after a move, and the text of the move in its usual form; None if the move is not legal.
    fn _play(&self, py: Python<'_>, at: Words, text: &str) -> PyResult<Option<(Words, String)>> {
        let wanted = self.rules.parse_move(text).map_err(|error| of_check(py, error))?;
        let is_legal = self.rules.legal_moves(position(at)).any(|legal| legal == wanted);
        let after = || words(self.rules.apply(position(at), wanted));
        Ok(is_legal.then(|| (after(), self.rules.format_move(wanted))))
    }

    /// The reason why the game is over, and the value for the side to move; None if the game is not over.
    fn _over(&self, at: &Bound<'_, PyAny>) -> PyResult<Option<(&'static str, &'static str)>> {
        let (rules, position) = (&self.rules, read(&self.rules, at)?);
        let end = rules.end_at(position);
        Ok(end.map(|over| (over.name(), rules.final_score(over).value().name())))
    }

    /// The words of the symmetric forms of a position.
    fn _orbit(&self, at: Words) -> Vec<Words> {
        orbit(position(at), self.symmetries()).into_iter().map(words).collect()
    }

    /// A drawing of the position in SVG, with the move `last` that led to it and the move `next`, if given.
    fn _svg(&self, at: Words, side: char, last: Option<&str>, next: Option<&str>) -> String {
        let (game, position) = (&self.rules, self.position(at, side));
        let read = |text: Option<&str>| text.and_then(|text| game.parse_move(text).ok());
        Diagram { game, position, last: read(last), next: read(next), names: NAMES }.document()
    }
}
