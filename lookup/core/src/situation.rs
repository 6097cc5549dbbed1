//! A position with its board and the side to move, and the strict form in which it is written.
//!
//! [`Game::parse_position`](crate::Game::parse_position) reads this form, and other forms that people type.

use crate::about::Start;
use crate::beside::write_beside;
use crate::board::{Board, MAX_SQUARES};
use crate::cell_names::cell_name;
use crate::game::Game;
use crate::position::{Move, Position, Side};
use alloc::string::String;
use core::fmt::{self, Display, Formatter, Write};

/// A position as people see it: the board, the pieces and the side to move. Written as `X../.O./..X o`, and read by
/// [`Game::parse_position`](crate::Game::parse_position).
///
/// The text has the rows from the top with `/` between them, or one row on a board that is not a grid; `X`, `O`, `.` for an empty
/// cell, `#` for a hole, a space, and the side to move. What the board does not show follows: `… x 3/2` are the pieces in hand of X and
/// of O, `… x c1,a2/b2` the pieces of X and of O that age, the oldest first. [`Game::format_position`](crate::Game::format_position)
/// writes these cells by the names that the rules give them, `Display` by their places.
///
/// ```
/// use morpion_lookup::{Move, Side, Table};
///
/// let table = Table::builtin("classic").unwrap();
/// let position = table.game().parse_position("X../.O./... x")?;
/// assert_eq!((position.raw.mover, position.raw.waiter, position.side), (1, 1 << 4, Side::X));
/// assert_eq!(table.game().after(position, Move::Place { to: 8 }).to_string(), "X../.O./..X o");
/// # Ok::<(), morpion_lookup::PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Situation {
    /// The shape of the board.
    pub board: Board,
    /// The words of the side to move and of the side waiting.
    pub raw: Position,
    /// The side to move.
    pub side: Side,
}

impl From<Situation> for Position {
    fn from(position: Situation) -> Position {
        position.raw
    }
}

/// The most letters that `write_rows` writes: each square in a row of its own, a space, and the side to move.
const LONGEST: usize = 2 * MAX_SQUARES as usize + 1;

impl Display for Situation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write(f, &|cell| cell_name(self.board, cell))
    }
}

impl Game {
    /// The position in which the game begins.
    pub fn start(&self) -> Situation {
        let Start { x, o, side } = self.about().start;
        self.situation(Position::of_sides(x, o, side), Some(side))
    }

    /// The position with its board. Without a side, the pieces determine the side to move; if either side may be to move, X is.
    #[doc(hidden)]
    pub fn situation(&self, raw: Position, side: Option<Side>) -> Situation {
        let side = side.or_else(|| self.turn(raw)).unwrap_or(Side::X);
        Situation { board: self.board_shape(), raw, side }
    }

    /// The position after `mv`, with the other side to move. The move should be legal in this position: after an illegal move the result
    /// may not be a position of the game. [`Game::play`] checks the move.
    #[must_use]
    pub fn after(&self, position: Situation, mv: Move) -> Situation {
        Situation { raw: self.apply(position, mv), side: position.side.other(), ..position }
    }
}

impl Situation {
    /// Writes the position. `name` gives the name of a cell.
    pub(crate) fn write(&self, out: &mut dyn Write, name: &dyn Fn(u8) -> String) -> fmt::Result {
        self.write_rows(out)?;
        write_beside(self.raw.sides(self.side).into(), out, name)
    }

    /// Writes the rows and the side to move.
    fn write_rows(&self, out: &mut dyn Write) -> fmt::Result {
        // The words are shifted by each cell, so that the current cell is in the lowest bit. This also works on a board of too many cells.
        let (mut x, mut o) = self.raw.sides(self.side);
        let ((rows, columns), open) = (self.board.shape(), self.board.open());
        let squares = (u32::from(rows) * u32::from(columns)).min(MAX_SQUARES.into());
        // All letters are written with one call, because a call for each letter would take most of the time.
        let (mut text, mut end) = ([0; LONGEST], 0);
        let mut put = |letter| {
            text[end] = letter;
            end += 1;
        };
        for square in 0..squares {
            if square > 0 && square.is_multiple_of(columns.into()) {
                put(b'/');
            }
            if open >> square & 1 == 0 {
                put(b'#');
                continue;
            }
            put(match (x & 1, o & 1) {
                (0, 0) => b'.',
                (_, 0) => b'X',
                _ => b'O',
            });
            (x, o) = (x >> 1, o >> 1);
        }
        put(b' ');
        put(self.side.letter() as u8);
        out.write_str(str::from_utf8(&text[..end]).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_position_is_written_on_any_board() {
        let text_of = |mover: u64, board| {
            let raw = Position { mover, waiter: 0 };
            Situation { board, raw, side: Side::X }.to_string()
        };
        let text = |board| text_of(crate::position::CELLS, board);
        let row = |letter: &str| letter.repeat(11);
        let [pieces, holes] = [row("X"), row("#")];
        let mut rows = alloc::vec![pieces; 3];
        rows.push("XXX........".into());
        rows.extend(alloc::vec![row("."); 6]);
        rows.push(holes);
        let expected = [rows.join("/"), " x".into()].concat();
        assert_eq!(text(Board::of_squares(11, 11, (1 << 110) - 1)), expected);
        for (rows, columns) in [(0, 0), (0, 255), (255, 0), (1, 255), (255, 1), (255, 255)] {
            for open in [0, 1, u128::MAX] {
                text(Board::of_squares(rows, columns, open));
                text_of(u64::MAX, Board::of_squares(rows, columns, open));
            }
            text(Board::Grid { rows, columns });
        }
        text(Board::Plain { cells: 0 });
        text(Board::Plain { cells: 255 });
    }
}
