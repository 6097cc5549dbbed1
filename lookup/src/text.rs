//! Positions and moves as people type them, read by the rules of a game.
//!
//! In comes a text, with or without rows, colours as letters or digits, out goes a position that a table of the game holds,
//! or what was found and what was expected. Written is the strict form alone; see [`Setup`].

use crate::error::{TextError, TextFault};
use crate::game::{Game, Move, Position};
use crate::notation::Setup;
use crate::rank::cells;
use crate::rules::{Board, Side};
use alloc::string::{String, ToString};

impl Game {
    /// Reads a position and the side to move.
    ///
    /// Beside `X../.O./..X o` it takes `1` for X, `2` for O, `_` `-` `0` for an empty cell, lower case, rows without
    /// separator, and the tuples and lists of notebooks: `(1,0,0,0,1,0,2,0,2)`, `[[1,0,0],[0,1,0],[2,0,2]]`. The side
    /// may be left out where the piece counts tell it.
    ///
    /// # Errors
    /// One that names what was found and what was expected; the position is one the game's table holds.
    pub fn parse_position(&self, text: &str) -> Result<(Position, Side), TextError> {
        let expected = usize::from(self.cells());
        let (board, side) = split_side(text, expected);
        let (mut x, mut o, mut count) = (0u64, 0u64, 0usize);
        let (mut rows, mut row_start, mut row_was_closed) = (0usize, 0usize, false);
        for (place, character) in board.chars().enumerate() {
            let bit = 1u64.checked_shl(count as u32).unwrap_or(0);
            match character {
                'X' | 'x' | '1' => x |= bit,
                'O' | 'o' | '2' => o |= bit,
                '.' | '_' | '-' | '0' => {}
                '/' | '[' | ']' | '|' | '\n' | ';' => {
                    // Brackets open and close rows; an empty row between them is no row.
                    if count > row_start || character == '/' {
                        rows += 1;
                        self.check_row(rows, count - row_start)?;
                        (row_start, row_was_closed) = (count, true);
                    }
                    continue;
                }
                ' ' | '\t' | '\r' | ',' | '(' | ')' => continue,
                _ => return Err(TextFault::Character { character, place: place + 1 }.into()),
            }
            count += 1;
        }
        if count != expected {
            return Err(TextFault::Size { found: count, expected }.into());
        }
        if row_was_closed && count > row_start {
            self.check_row(rows + 1, count - row_start)?;
        }
        let side = self.named_side(x, o, side)?;
        let position = Position::of_sides(x, o, side);
        self.check(position).map_err(TextFault::from)?;
        Ok((position, side))
    }

    fn check_row(&self, row: usize, found: usize) -> Result<(), TextFault> {
        let expected = match self.rules().board {
            Board::Grid { columns, .. } => usize::from(columns),
            Board::Plain { cells } => usize::from(cells),
        };
        // A whole board in one pair of brackets is a row too.
        if found == expected || found == usize::from(self.cells()) {
            Ok(())
        } else {
            Err(TextFault::Row { row, found, expected })
        }
    }

    /// The side to move with these pieces: the one that was named, or the one that the piece counts leave.
    fn named_side(&self, x: u64, o: u64, named: Option<Side>) -> Result<Side, TextFault> {
        let (x, o) = (x.count_ones(), o.count_ones());
        let each = self.rules().pieces.map(u32::from);
        if self.rules().movement.is_some() && each == Some(x) && each == Some(o) {
            return named.ok_or(TextFault::SideMissing);
        }
        let placed_in_turn = x == o || x == o + 1;
        if !placed_in_turn || each.is_some_and(|each| x > each) || self.rules().start.is_some() {
            let expected = match each {
                Some(each) if self.rules().start.is_some() => alloc::format!("{each} of each"),
                Some(each) => {
                    alloc::format!("as many of each or one X more, at most {each} of each")
                }
                None => "as many of each or one X more".to_string(),
            };
            return Err(TextFault::Counts { x, o, expected });
        }
        let side = if x == o { Side::X } else { Side::O };
        match named {
            Some(named) if named != side => {
                Err(TextFault::Side { found: named.letter(), expected: side.letter(), x, o })
            }
            _ => Ok(side),
        }
    }

    /// Writes a position with the side to move, in the strict form: `X../.O./..X o`.
    #[must_use]
    pub fn format_position(&self, position: Position, side: Side) -> String {
        Setup { board: self.rules().board, position, side }.to_string()
    }

    /// Writes a cell: `a1` is the top left corner; on a board that is no grid, its number.
    #[must_use]
    pub fn format_cell(&self, cell: u8) -> String {
        let mut text = String::new();
        self.write_cell(cell, &mut text);
        text
    }

    fn write_cell(&self, cell: u8, text: &mut String) {
        // Writing to a string does not fail.
        let _ = self.rules().board.write_cell(cell, text);
    }

    /// Writes a move: `b2` places, `a1-b3` moves a piece, `pass` passes.
    #[must_use]
    pub fn format_move(&self, mv: Move) -> String {
        let mut text = String::new();
        let _ = self.rules().board.write_move(mv, &mut text);
        text
    }

    /// Reads a move, in either case. It need not be legal anywhere; compare it with [`Game::legal_moves`].
    ///
    /// # Errors
    /// With what was found.
    pub fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        Ok(self.rules().board.read_move(text)?)
    }

    /// All cells of `set` as text, separated by spaces.
    #[must_use]
    pub fn format_cells(&self, set: u64) -> String {
        let mut text = String::new();
        for cell in cells(set) {
            if !text.is_empty() {
                text.push(' ');
            }
            self.write_cell(cell, &mut text);
        }
        text
    }
}

/// Splits off a trailing `x` or `o` that names the side: a letter of its own after a full board.
fn split_side(text: &str, expected: usize) -> (&str, Option<Side>) {
    let text = text.trim();
    let side = match text.chars().next_back() {
        Some('x' | 'X') => Side::X,
        Some('o' | 'O') => Side::O,
        _ => return (text, None),
    };
    let before = &text[..text.len() - 1];
    let board = before.trim_end();
    let is_cell = |c: &char| matches!(c, 'X' | 'x' | '1' | 'O' | 'o' | '2' | '.' | '_' | '-' | '0');
    // With spaces between all cells the last letter may be a cell: the board must be full without it. A board that is
    // written without spaces ends where the space stands, whatever its size, so that a wrong size is reported as such.
    let spaced = board.contains(char::is_whitespace);
    if board.len() < before.len() && (!spaced || board.chars().filter(is_cell).count() >= expected)
    {
        (board, Some(side))
    } else {
        (text, None)
    }
}
