//! Boards of cram, the dominoes on them, and the texts of positions such as `X.../XX../....` and of cells such as `a1`.
//!
//! A board is read from a size such as `4x5`. Its cells are bits of a `u64`.

use crate::TextError;
use crate::table::EXTENSION;
use std::fmt;
use std::str::FromStr;

/// The maximum number of cells of a board.
pub const MAX_CELLS: u32 = 64;

/// A board of `rows` × `columns` cells, numbered row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub columns: u32,
}

impl Board {
    /// The name of the file with the board's table.
    #[must_use]
    pub fn file_name(self) -> String {
        format!("cram-{self}.{EXTENSION}")
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(self) -> u32 {
        self.rows * self.columns
    }

    /// The set of all cells.
    #[must_use]
    pub fn all(self) -> u64 {
        u64::MAX >> (64 - self.cells())
    }

    /// All places of a domino, as sets of two cells. The sets are ordered by the lower cell, the horizontal domino first.
    #[must_use]
    pub fn dominoes(self) -> Vec<u64> {
        let mut all = Vec::new();
        for cell in 0..self.cells() {
            if cell % self.columns + 1 < self.columns {
                all.push(3 << cell);
            }
            if cell + self.columns < self.cells() {
                all.push(1 << cell | 1 << (cell + self.columns));
            }
        }
        all
    }

    /// The names of a domino's two cells.
    #[must_use]
    pub fn domino_name(self, domino: u64) -> [String; 2] {
        [domino.trailing_zeros(), 63 - domino.leading_zeros()].map(|index| self.cell_name(index))
    }

    /// The name of a cell: `a1` is the top left cell, and after column z come aa, ab, ….
    fn cell_name(self, index: u32) -> String {
        let (row, column) = (index / self.columns, index % self.columns);
        let letter = |n: u32| char::from(b'a' + n as u8);
        let first = if column < 26 { String::new() } else { letter(column / 26 - 1).to_string() };
        format!("{first}{}{}", letter(column % 26), row + 1)
    }

    /// The position in canonical form: rows from the top, `X` for an occupied cell and `.` for a free cell.
    #[must_use]
    pub fn format_position(self, occupied: u64) -> String {
        let cell = |at: u32| if occupied >> at & 1 != 0 { 'X' } else { '.' };
        let row = |r: u32| (r * self.columns..(r + 1) * self.columns).map(cell).collect();
        (0..self.rows).map(row).collect::<Vec<String>>().join("/")
    }

    /// Reads the occupied cells of a position, whose rows may be separated by `/`.
    ///
    /// # Errors
    /// If the number of cells differs from the board's, or a character is invalid.
    pub fn parse_position(self, text: &str) -> Result<u64, TextError> {
        let fault = |message| Err(TextError(message));
        let text = text.trim();
        let rows: Vec<&str> = text.split('/').collect();
        let count = |row: &str| row.chars().count();
        let (found, noun, expected) = match rows.len() {
            1 => (count(text), "cells", self.cells()),
            rows => (rows, "rows", self.rows),
        };
        if found as u32 != expected {
            return fault(format!("{found} {noun}, expected {expected}"));
        }
        let wrong = rows.iter().position(|row| count(row) as u32 != self.columns);
        if let Some(at) = wrong.filter(|_| rows.len() > 1) {
            let (found, expected) = (count(rows[at]), self.columns);
            return fault(format!("row {} has {found} cells, expected {expected}", at + 1));
        }
        let mut occupied = 0;
        for (at, c) in text.chars().filter(|c| *c != '/').enumerate() {
            match c {
                'X' | 'x' | '#' | 'O' | 'o' | '1' => occupied |= 1 << at,
                '.' | '-' | '_' => {}
                // `0` is a free cell unless the text has another mark of free cells: then it could be an occupied cell.
                '0' if !text.contains(['.', '-', '_']) => {}
                found => return fault(format!("{found:?} at cell {}, expected X or .", at + 1)),
            }
        }
        Ok(occupied)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

impl FromStr for Board {
    type Err = TextError;

    /// Reads `MxN`, rows by columns.
    fn from_str(text: &str) -> Result<Board, TextError> {
        let wrong = || {
            let text: String = text.chars().take(64).collect();
            let remedy = "write ROWSxCOLUMNS such as 4x5";
            TextError(format!("{text:?} is not a board: {remedy}, with at most {MAX_CELLS} cells"))
        };
        let (rows, columns) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
        let number = |part: &str| match part.parse::<u32>() {
            Ok(n @ 1..=64) if !part.starts_with('+') => Ok(n),
            _ => Err(wrong()),
        };
        let board = Board { rows: number(rows)?, columns: number(columns)? };
        if board.cells() <= MAX_CELLS { Ok(board) } else { Err(wrong()) }
    }
}
