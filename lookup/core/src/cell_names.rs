//! Names of cells: names that the rules give, or names made from the shape of the board, like `b2`.

use crate::board::{Board, MAX_COLUMNS};
use alloc::format;
use alloc::string::{String, ToString};

/// Name of a cell, used if the rules do not name it: column letter and row number from the top, or its number.
pub fn cell_name(board: Board, cell: u8) -> String {
    match board.square(cell) {
        Some((row, column)) if column < MAX_COLUMNS => {
            format!("{}{}", (b'a' + column) as char, u32::from(row) + 1)
        }
        _ => cell.to_string(),
    }
}

/// Reads the name of a cell, in upper or lower case: one of `names` or, if `names` is empty, a name like `b2`. Returns `None` if no cell
/// has the name.
pub fn cell_named(board: Board, names: &[String], text: &str) -> Option<u8> {
    if names.is_empty() {
        return read_cell(board, text);
    }
    let found = names.iter().position(|name| name.eq_ignore_ascii_case(text));
    found.and_then(|cell| u8::try_from(cell).ok())
}

/// Reads a cell, in upper or lower case, as [`cell_name`] writes it; `None` if the text is not a cell of the board.
pub fn read_cell(board: Board, text: &str) -> Option<u8> {
    if board.grid().is_none() {
        return read_number(text).filter(|&cell| u32::from(cell) < board.cells());
    }
    let letter = text.chars().next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase();
    board.cell(read_number(&text[1..])?.checked_sub(1)?, letter as u8 - b'a')
}

/// Reads a number of digits only: `parse` alone would accept a sign.
fn read_number(text: &str) -> Option<u8> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_read_by_its_name() {
        let board = Board::of_squares(3, 5, 0b11111_11011_11111);
        for cell in 0..14 {
            assert_eq!(read_cell(board, &cell_name(board, cell)), Some(cell));
        }
        assert_eq!((cell_name(board, 7), read_cell(board, "c2")), ("d2".into(), None));
    }
}
