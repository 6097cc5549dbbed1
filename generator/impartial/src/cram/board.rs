//! Boards of cram and the dominoes on them.
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
