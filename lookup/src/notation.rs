//! Positions and moves as text in the strict form, which needs no rules.
//!
//! In comes a position with its side or a move, out goes its text; and back. What people type is read more leniently by
//! [`Game::parse_position`](crate::Game::parse_position).

use crate::error::{TextError, TextFault};
use crate::game::{Move, Position};
use crate::rules::{Board, MAX_CELLS, MAX_COLUMNS, Side};
use alloc::string::String;
use core::fmt::{self, Display, Formatter, Write};
use core::str::FromStr;

/// A position that knows its board and whose turn it is, as it is written and read: `X../.O./..X o`.
///
/// Rows from the top with `/` between them, one row on a board that is no grid; `X`, `O` and `.`, a space, and the side to
/// move. Reading takes this form alone, and looks at no rules: [`Game::check`](crate::Game::check) says whether a game has
/// such a position.
///
/// ```
/// use morpion_lookup::{Move, Setup, Side, builtin};
///
/// let setup: Setup = "X../.O./... x".parse()?;
/// assert_eq!((setup.position.mover, setup.position.waiter, setup.side), (1, 1 << 4, Side::X));
/// assert_eq!(setup.after(Move::Place { to: 8 }).to_string(), "X../.O./..X o");
/// assert!(builtin("classic").unwrap().probe(setup.position).is_ok());
/// # Ok::<(), morpion_lookup::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The shape of the board.
    pub board: Board,
    /// The pieces.
    pub position: Position,
    /// The side to move.
    pub side: Side,
}

impl Setup {
    /// After `mv`, with the other side to move; see [`Position::after`].
    #[must_use]
    pub fn after(self, mv: Move) -> Setup {
        Setup { position: self.position.after(mv), side: self.side.other(), ..self }
    }
}

impl Display for Setup {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (x, o) = self.position.sides(self.side);
        let columns = self.board.columns().max(1);
        for cell in 0..self.board.cells().min(64) {
            if cell > 0 && cell.is_multiple_of(columns) {
                f.write_char('/')?;
            }
            f.write_char(match (x >> cell & 1, o >> cell & 1) {
                (0, 0) => '.',
                (_, 0) => 'X',
                _ => 'O',
            })?;
        }
        write!(f, " {}", self.side.letter())
    }
}

impl FromStr for Setup {
    type Err = TextError;

    /// Reads what [`Display`] writes. A text of one row is of a board that is no grid.
    fn from_str(text: &str) -> Result<Setup, TextError> {
        let (cells, side) = match text.rsplit_once(' ') {
            Some((cells, "x")) => (cells, Side::X),
            Some((cells, "o")) => (cells, Side::O),
            _ => return Err(TextFault::NoSide.into()),
        };
        let (mut x, mut o, mut count, mut place) = (0u64, 0u64, 0usize, 0);
        let columns = cells.split('/').next().map_or(0, |row| row.chars().count());
        let mut rows = 0;
        for row in cells.split('/') {
            rows += 1;
            let before = count;
            for character in row.chars() {
                place += 1;
                let bit = 1u64.checked_shl(count as u32).unwrap_or(0);
                match character {
                    'X' => x |= bit,
                    'O' => o |= bit,
                    '.' => {}
                    _ => return Err(TextFault::Character { character, place }.into()),
                }
                count += 1;
            }
            place += 1;
            if count - before != columns {
                return Err(
                    TextFault::Row { row: rows, found: count - before, expected: columns }.into()
                );
            }
        }
        let is_grid = rows > 1;
        if count == 0 || count > MAX_CELLS.into() || is_grid && columns > MAX_COLUMNS.into() {
            return Err(TextFault::Board { rows, columns }.into());
        }
        let board = match is_grid {
            true => Board::Grid { rows: rows as u8, columns: columns as u8 },
            false => Board::Plain { cells: count as u8 },
        };
        Ok(Setup { board, position: Position::of_sides(x, o, side), side })
    }
}

/// By the numbers of the cells, as on a board that is no grid: `4`, `0-5`, `pass`. With letters, which depend on the board,
/// [`Game::format_move`](crate::Game::format_move) writes it.
impl Display for Move {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        NUMBERED.write_move(*self, f)
    }
}

impl FromStr for Move {
    type Err = TextError;

    /// Reads what [`Display`] writes, cells 0 to 35. The move need not be legal anywhere.
    fn from_str(text: &str) -> Result<Move, TextError> {
        Ok(NUMBERED.read_move(text)?)
    }
}

/// Any board on which a cell is written as its number.
const NUMBERED: Board = Board::Plain { cells: MAX_CELLS };

impl Board {
    /// Cells in a row.
    fn columns(self) -> u32 {
        match self {
            Board::Grid { columns, .. } => columns.into(),
            Board::Plain { cells } => cells.into(),
        }
    }

    /// Writes a cell: column letter and row number from the top, or its number.
    pub(crate) fn write_cell(self, cell: u8, out: &mut impl Write) -> fmt::Result {
        match self {
            Board::Grid { columns, .. } => {
                write!(out, "{}{}", (b'a' + cell % columns) as char, cell / columns + 1)
            }
            Board::Plain { .. } => write!(out, "{cell}"),
        }
    }

    pub(crate) fn write_move(self, mv: Move, out: &mut impl Write) -> fmt::Result {
        match mv {
            Move::Place { to } => self.write_cell(to, out),
            Move::Shift { from, to } => {
                self.write_cell(from, out)?;
                out.write_char('-')?;
                self.write_cell(to, out)
            }
            Move::Pass => out.write_str("pass"),
        }
    }

    /// Reads a cell, in either case; `None` where the text is no cell of the board.
    pub(crate) fn read_cell(self, text: &str) -> Option<u8> {
        match self {
            Board::Grid { rows, columns } => {
                let letter =
                    text.chars().next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase();
                let column = letter as u8 - b'a';
                let row = read_number(&text[1..])?;
                (column < columns && (1..=rows).contains(&row))
                    .then(|| (row - 1) * columns + column)
            }
            Board::Plain { cells } => read_number(text).filter(|&cell| cell < cells),
        }
    }

    /// Reads a move, in either case, with spaces around it and its cells.
    pub(crate) fn read_move(self, text: &str) -> Result<Move, TextFault> {
        let text = text.trim();
        let read = || {
            if text.eq_ignore_ascii_case("pass") {
                return Some(Move::Pass);
            }
            match text.split_once('-') {
                Some((from, to)) => Some(Move::Shift {
                    from: self.read_cell(from.trim())?,
                    to: self.read_cell(to.trim())?,
                }),
                None => Some(Move::Place { to: self.read_cell(text)? }),
            }
        };
        read().ok_or_else(|| TextFault::Move {
            found: text.chars().take(64).collect::<String>(),
            expected: match self {
                Board::Grid { .. } => "a cell like b2, a move like a1-b3, or pass",
                Board::Plain { .. } => "a cell like 4, a move like 0-5, or pass",
            },
        })
    }
}

/// Reads digits alone: no sign, as `parse` would take one.
fn read_number(text: &str) -> Option<u8> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use alloc::string::ToString;

    #[test]
    fn a_position_with_its_side_is_read_as_it_was_written() {
        for text in ["X../.O./..X o", "X.O/.X. x", "X..O. x", ". o", "X/O/. x"] {
            assert_eq!(text.parse::<Setup>().unwrap().to_string(), text);
        }
        for name in crate::builtin_names() {
            let game = builtin(name).unwrap().game().clone();
            let (position, side) = game.start();
            let setup_of = |position, side| Setup { board: game.rules().board, position, side };
            let setup = setup_of(position, side);
            assert_eq!(setup.to_string().parse(), Ok(setup), "{name}");
            assert_eq!(game.parse_position(&setup.to_string()), Ok((position, side)));
            for mv in game.legal_moves(position) {
                let after = setup.after(mv);
                let (position, side) = game.parse_position(&after.to_string()).unwrap();
                assert_eq!(after, setup_of(position, side), "{name} {mv}");
                assert_eq!(mv.to_string().parse(), Ok(mv));
                assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv));
            }
        }
    }

    #[test]
    fn other_forms_of_a_position_are_refused() {
        let error = |text: &str| text.parse::<Setup>().unwrap_err().0;
        for text in ["", "X../.O./...", "X../.O./... X", "X../.O./...x", "X../.O./... x "] {
            assert_eq!(error(text), TextFault::NoSide, "{text}");
        }
        assert_eq!(error("X./1. x"), TextFault::Character { character: '1', place: 4 });
        assert_eq!(error("X../. x"), TextFault::Row { row: 2, found: 1, expected: 3 });
        assert_eq!(error(" x"), TextFault::Board { rows: 1, columns: 0 });
        assert_eq!(error("/ x"), TextFault::Board { rows: 2, columns: 0 });
        let long = [".".repeat(37), " o".into()].concat();
        assert_eq!(error(&long), TextFault::Board { rows: 1, columns: 37 });
        assert!("36".parse::<Move>().is_err() && "b2".parse::<Move>().is_err());
    }
}
