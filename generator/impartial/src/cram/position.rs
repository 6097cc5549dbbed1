//! Text notation of cram: positions such as `X.../XX../....`, and cells such as `a1`.
//!
//! [`parse`] reads the occupied cells as bits, [`format()`] writes them.

use super::board::Board;
use crate::TextError;

/// The names of a domino's two cells.
#[must_use]
pub fn cells(board: Board, domino: u64) -> [String; 2] {
    [domino.trailing_zeros(), 63 - domino.leading_zeros()].map(|index| cell(board, index))
}

/// The name of a cell: `a1` is the top left cell, and after column z come aa, ab, ….
fn cell(board: Board, index: u32) -> String {
    let (row, column) = (index / board.columns, index % board.columns);
    let letter = |n: u32| char::from(b'a' + n as u8);
    if column < 26 {
        format!("{}{}", letter(column), row + 1)
    } else {
        format!("{}{}{}", letter(column / 26 - 1), letter(column % 26), row + 1)
    }
}

/// The position in canonical form: rows from the top, `X` for an occupied cell and `.` for a free cell.
#[must_use]
pub fn format(board: Board, occupied: u64) -> String {
    let cell = |at: u32| if occupied >> at & 1 != 0 { 'X' } else { '.' };
    let row = |r: u32| (r * board.columns..(r + 1) * board.columns).map(cell).collect();
    (0..board.rows).map(row).collect::<Vec<String>>().join("/")
}

/// Reads the occupied cells of a position, whose rows may be separated by `/`.
///
/// # Errors
/// If the number of cells differs from the board's, or a character is invalid.
pub fn parse(board: Board, text: &str) -> Result<u64, TextError> {
    let fault = |message| Err(TextError(message));
    let text = text.trim();
    let rows: Vec<&str> = text.split('/').collect();
    let count = |row: &str| row.chars().count();
    let (found, noun, expected) = match rows.len() {
        1 => (count(text), "cells", board.cells()),
        rows => (rows, "rows", board.rows),
    };
    if found as u32 != expected {
        return fault(format!("{found} {noun}, expected {expected}"));
    }
    let wrong = rows.iter().position(|row| count(row) as u32 != board.columns);
    if let Some(at) = wrong.filter(|_| rows.len() > 1) {
        let (found, expected) = (count(rows[at]), board.columns);
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
