//! Positions as people type them, read by the rules of a game.
//!
//! Reads many forms of a position and returns a position of the game, or an error with what was found and expected. Writes only the strict
//! form; see [`Situation`](crate::Situation).

use crate::beside::{read_beside, split_beside};
use crate::board::Board;
use crate::cell_names::{cell_name, cell_named, read_cell};
use crate::error::{ErrorKind, PositionError};
use crate::forms::{blank_before_side, forms, without_fractions};
use crate::game::Game;
use crate::position::{CELLS, Position, Side};
use crate::rank::cells;
use crate::situation::Situation;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

impl Game {
    /// Reads a position and the side to move.
    ///
    /// Beside `X../.O./..X o` it takes `1` or `W` for X, `2` or `B` for O, `_` `-` `0` for an empty cell, lower case, rows without
    /// separator or on lines of their own, the lists of notebooks and of JSON, in which `-1` is O (`(1,0,0,0,1,0,2,0,2)`,
    /// `["X", null, "O", …]`), drawn boards, and spaces or numbers for empty cells. The side may be left out if the piece counts imply it.
    /// A text has `#` at every hole or nowhere. A text that mixes marks, such as `0` and `.`, is refused.
    ///
    /// # Errors
    /// If the text is not a position of the game; the message says what was found and expected.
    pub fn parse_position(&self, text: &str) -> Result<Situation, PositionError> {
        let text = text.trim_start_matches('\u{feff}');
        let text = &without_fractions(text).unwrap_or_else(|| blank_before_side(text));
        let (text, beside) = split_beside(self.has_ages() || self.has_hands(), text);
        let columns = self.board_shape().shape().1.into();
        let read = match self.read_rows(text) {
            Ok(read) if read.2.is_ok() => Ok(read),
            other => {
                let forms = forms(text, columns, self.cells().into());
                let mut read = forms.map(|rows| self.read_rows(&rows));
                read.find(Result::is_ok).unwrap_or(other)
            }
        };
        let ([x, o], side, marks) = read?;
        marks?;
        let (board, names) = (self.board_shape(), &self.about().names);
        let by_name = |cell: &str| cell_named(board, names, cell);
        let by_place = |cell: &str| read_cell(board, cell);
        let [x, o] = read_beside(self.has_ages(), [&by_name, &by_place], [x, o], beside)?;
        self.position_of(x, o, side)
    }

    /// Reads rows of cells: the sets of X and of O, the side to move if the text names it, and the error if marks contradict each other.
    fn read_rows(&self, text: &str) -> Result<Read, PositionError> {
        let (board, side) = split_side(text, self.cells().into());
        let rows = Rows { board: self.board_shape(), with_holes: board.contains('#') };
        let (mut sets, mut firsts, mut count) = ([0u64; 2], [None; KINDS.len()], 0);
        // Squares in earlier rows, squares of this row so far, and the number of earlier rows.
        let (mut before, mut found, mut closed) = (0, 0, 0);
        for (place, character) in (1..).zip(board.chars()) {
            match character {
                '/' | '[' | ']' | '|' | '\n' | ';' => {
                    // Brackets open and close rows; nothing between two brackets is not a row.
                    if found > 0 || character == '/' {
                        rows.check(closed, found)?;
                        (before, found, closed) = (before + found, 0, closed + 1);
                    }
                    continue;
                }
                ' ' | '\t' | '\r' | ',' | '(' | ')' | '"' | '\'' => continue,
                _ => {}
            }
            let Some(kind) = KINDS.iter().position(|marks| marks.contains(character)) else {
                let fault = format_args!(" is not a cell: expected X, O or . {OTHERS}");
                return Err(at_place(character, place, fault));
            };
            firsts[kind].get_or_insert((character, place));
            if let Some(set) = sets.get_mut(kind % 2).filter(|_| kind < 6) {
                *set |= 1u64.checked_shl(count).unwrap_or(0);
            }
            let is_cell = character != '#';
            if rows.is_cell(before + found).is_some_and(|expected| expected != is_cell) {
                let fault = ": expected # at every hole of the board and nowhere else";
                return Err(at_place(character, place, fault));
            }
            found += 1;
            count += u32::from(is_cell);
        }
        if count != self.cells().into() {
            let message = format_args!("{}, expected {}", in_cells(count as usize), self.cells());
            return Err(PositionError::new(ErrorKind::Size, message));
        }
        if closed > 0 && found > 0 {
            rows.check(closed, found)?;
        }
        Ok((sets, side, unambiguous(&firsts)))
    }

    /// The position with these words of X and of O, bit `c` for cell `c`. The side to move may be omitted if the piece counts determine
    /// it.
    ///
    /// ```
    /// use morpion_lookup::{Side, Table};
    ///
    /// let table = Table::builtin("classic").unwrap();
    /// let position = table.game().position_of(0b1, 0b1_0000, Side::X)?;
    /// assert_eq!(position.to_string(), "X../.O./... x");
    /// assert!(table.game().position_of(0b1, 0b1_0000, Side::O).is_err());
    /// # Ok::<(), morpion_lookup::PositionError>(())
    /// ```
    ///
    /// # Errors
    /// If the game does not have the position.
    pub fn position_of(
        &self,
        x: u64,
        o: u64,
        side: impl Into<Option<Side>>,
    ) -> Result<Situation, PositionError> {
        let side = self.named_side(x, o, side.into())?;
        let raw = Position::of_sides(x, o, side);
        self.check(raw)?;
        Ok(self.situation(raw, Some(side)))
    }

    /// The side to move with these pieces: the named side, or the only side that may be to move with these counts.
    fn named_side(&self, x: u64, o: u64, named: Option<Side>) -> Result<Side, PositionError> {
        let may_move = |side| {
            let layer = self.layer_at(Position::of_sides(x, o, side));
            layer.is_some_and(|layer| layer.turn.is_none_or(|turn| turn == side))
        };
        let (count_x, count_o) = ((x & CELLS).count_ones(), (o & CELLS).count_ones());
        let side = match (may_move(Side::X), may_move(Side::O)) {
            (true, true) => {
                let message = "the side to move is missing: add x or o after the board, since either side may be to move";
                return named.ok_or_else(|| PositionError::new(ErrorKind::SideMissing, message));
            }
            (true, false) => Side::X,
            (false, true) => Side::O,
            (false, false) => {
                let expected = self.expected_counts();
                let began =
                    if count_o > count_x { "; if O began, exchange the letters" } else { "" };
                let message = format_args!(
                    "{count_x} X and {count_o} O, which never happens in this game: expected {expected}{began}"
                );
                return Err(PositionError::new(ErrorKind::Counts, message));
            }
        };
        match named {
            Some(named) if named != side => {
                let (found, expected) = (named.letter(), side.letter());
                let message = format_args!(
                    "{found} to move, expected {expected}: with {count_x} X and {count_o} O it is the turn of {expected}"
                );
                Err(PositionError::new(ErrorKind::Side, message))
            }
            _ => Ok(side),
        }
    }

    /// The numbers of pieces that the game has, in words, for a message.
    fn expected_counts(&self) -> String {
        let layers = &self.graph().layers;
        let (first, last) = (layers.first().copied(), layers.iter().rfind(|layer| !layer.ended));
        let each = last.map_or(0, |layer| layer.counts.mover);
        match first.map_or(0, |layer| layer.hands.mover) {
            0 if layers.len() == 1 => alloc::format!("{each} of each"),
            0 if last.is_some_and(|layer| layer.next.is_none()) => {
                "as many of each or one X more".to_string()
            }
            0 => alloc::format!("as many of each or one X more, at most {each} of each"),
            hand => alloc::format!(
                "pieces that play reaches from {hand}/{hand} in hand: write those in hand after the side, like 3/2"
            ),
        }
    }

    /// Writes a position in the strict form of [`Situation`], with cells by their names.
    pub fn format_position(&self, position: Situation) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = position.write(&mut text, &|cell| self.format_cell(cell));
        text
    }

    /// Writes a cell: its name if it has one, else `a1` for the top left corner; on a board that is not a grid, its number.
    pub fn format_cell(&self, cell: u8) -> String {
        let named = self.about().names.get(usize::from(cell)).cloned();
        named.unwrap_or_else(|| cell_name(self.board_shape(), cell))
    }

    /// All cells of `set` as text, separated by spaces.
    #[doc(hidden)]
    pub fn format_cells(&self, set: u64) -> String {
        let names: Vec<String> = cells(set).map(|cell| self.format_cell(cell)).collect();
        names.join(" ")
    }
}

/// Sets of X and of O, the side to move if the text names it, and the error if marks contradict each other.
type Read = ([u64; 2], Option<Side>, Result<(), PositionError>);

/// Marks that are accepted instead of X, O and `.`, for messages.
const OTHERS: &str = "(or 1, 2, 0; W, B; _ and - for .; in lists -1 for O and b for .)";

/// The error of a character at a place in the text, counted from 1.
fn at_place(character: char, place: usize, fault: impl Display) -> PositionError {
    let message = format_args!("character {character:?} at place {place}{fault}");
    PositionError::new(ErrorKind::Character, message)
}

fn in_cells(count: usize) -> String {
    alloc::format!("{count} cell{}", if count == 1 { "" } else { "s" })
}

/// Kinds of marks: three pairs of X and O that are used together, two kinds of empty cells, and holes.
const KINDS: [&str; 9] = ["Xx", "Oo", "1", "2", "Ww", "Bb", "0", "._-", "#"];

/// Checks that no mark of a text has two meanings. `firsts` has the first mark of each kind, with its place.
fn unambiguous(firsts: &[Option<(char, usize)>; KINDS.len()]) -> Result<(), PositionError> {
    let pieces = (0..6).flat_map(|kind| (0..kind / 2 * 2).map(move |other| [kind, other]));
    // The pairs X, O and 1, 2 may be mixed if no side has two marks: a 2 beside X can only be O.
    let pieces = pieces.filter(|[kind, other]| *kind > 3 || kind % 2 == other % 2);
    // A text with both `.` and 0 is refused because the 0 could be a piece, unless the text has a 2.
    let zero = firsts[3].is_none().then_some([6, 7]);
    let mut contrary = pieces.chain(zero).filter_map(|pair| {
        let [mark, other] = pair.map(|kind| firsts[kind]);
        mark.zip(other)
    });
    contrary.next().map_or(Ok(()), |((character, place), (beside, _))| {
        let fault = format_args!(" has two meanings beside {beside:?}: write X, O and . {OTHERS}");
        Err(at_place(character, place, fault))
    })
}

/// The rows of a board, with which the rows of a text are compared.
struct Rows {
    board: Board,
    /// True if the text has the holes.
    with_holes: bool,
}

impl Rows {
    /// Number of squares in a text of the whole board.
    fn squares(&self) -> usize {
        let (rows, columns) = self.board.shape();
        let squares = usize::from(rows) * usize::from(columns);
        if self.with_holes { squares } else { self.board.cells() as usize }
    }

    /// Returns whether a square is a cell; `None` if the text leaves holes out. Squares beyond the board count as cells, so that the wrong
    /// number of cells is reported at the end.
    fn is_cell(&self, square: usize) -> Option<bool> {
        let is_cell = || square >= self.squares() || self.board.open() >> square & 1 == 1;
        self.with_holes.then(is_cell)
    }

    /// Checks `found`, the number of squares in row number `row` of the text.
    fn check(&self, row: usize, found: usize) -> Result<(), PositionError> {
        let (_, columns) = self.board.shape();
        // A text with holes has all columns in every row. Rows beyond the board are reported later, by the number of cells.
        let expected = match self.board.grid() {
            Some((rows, _)) if !self.with_holes && row < rows.into() => {
                let is_cell = |&column: &u8| self.board.cell(row as u8, column).is_some();
                (0..columns).filter(is_cell).count()
            }
            _ => columns.into(),
        };
        // A text may have the whole board in one pair of brackets, which is read as one row.
        if found == expected || found == self.squares() {
            return Ok(());
        }
        let (row, found) = (row + 1, in_cells(found));
        let message = format_args!("row {row} has {found}, expected {expected}");
        Err(PositionError::new(ErrorKind::Row, message))
    }
}

/// Splits off a trailing `x` or `o`, or `w` or `b`, that names the side: a letter of its own after a full board.
fn split_side(text: &str, expected: usize) -> (&str, Option<Side>) {
    let text = text.trim().trim_matches(['"', '\'']);
    let side = match text.chars().next_back() {
        Some('x' | 'X' | 'w' | 'W') => Side::X,
        Some('o' | 'O' | 'b' | 'B') => Side::O,
        _ => return (text, None),
    };
    let before = &text[..text.len() - 1];
    let board = before.trim_end();
    let cells = |word: &str| word.chars().filter(|c| "Xx1WwOo2Bb._-0".contains(*c)).count();
    // If spaces separate all cells, the last letter may be a cell: it is the side only if the board is full without it. After a board of
    // words, or of cells in quotes or brackets, the last letter is the side whatever the size of the board, so that a wrong size is
    // reported as such.
    let is_of_words = board.split_whitespace().any(|word| cells(word) > 1);
    // The same holds for a board whose cells have separators, if there is no separator before the letter.
    let separated = |c| board.contains(c) && !board.ends_with(c) && !before.ends_with(c);
    let is_apart = [',', '|', '\t'].into_iter().any(separated);
    let is_closed = board.ends_with(['"', '\'', ')', ']']);
    let ends = is_of_words || is_apart || is_closed || cells(board) >= expected;
    if board.len() < before.len() && ends { (board, Some(side)) } else { (text, None) }
}
