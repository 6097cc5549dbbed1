//! Cram as people write it, boards `4x5` and positions `X.../XX../....`, and what is said of a position: its value, who wins, and every
//! winning domino.

use super::cram::{Board, MAX_CELLS};
use super::outcome::outcome;
#[cfg(feature = "schema")]
use super::schema;
use anyhow::{Result, bail};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// The answer to a position in normal play. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = CramAnswer))]
pub struct Answer {
    /// Rows and columns.
    pub board: String,
    /// The position in its strict form.
    pub position: String,
    /// Its Grundy value.
    pub value: u8,
    /// `win` or `loss` for the side to move.
    #[cfg_attr(feature = "schema", schema(value_type = schema::Outcome))]
    pub outcome: &'static str,
    /// The two cells of every winning domino, by column letter and row number from the top.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<(String, String)>))]
    pub moves: Vec<[String; 2]>,
}

/// The answer to the position with these cells occupied; `value` gives the value of any.
///
/// # Errors
/// Those of `value`.
pub fn answer<E>(
    board: Board,
    occupied: u64,
    mut value: impl FnMut(u64) -> Result<u8, E>,
) -> Result<Answer, E> {
    let own = value(occupied)?;
    let mut moves = Vec::new();
    for domino in board.dominoes() {
        if own != 0 && domino & occupied == 0 && value(occupied | domino)? == 0 {
            moves.push(cells(board, domino));
        }
    }
    Ok(Answer {
        board: board.to_string(),
        position: format(board, occupied),
        value: own,
        outcome: outcome(own != 0),
        moves,
    })
}

/// The names of a domino's two cells.
#[must_use]
pub fn cells(board: Board, domino: u64) -> [String; 2] {
    [domino.trailing_zeros(), 63 - domino.leading_zeros()].map(|index| cell(board, index))
}

/// `a1` is the top left cell; behind column z come aa, ab, ….
fn cell(board: Board, index: u32) -> String {
    let (row, column) = (index / board.columns, index % board.columns);
    let letter = |n: u32| char::from(b'a' + n as u8);
    if column < 26 {
        format!("{}{}", letter(column), row + 1)
    } else {
        format!("{}{}{}", letter(column / 26 - 1), letter(column % 26), row + 1)
    }
}

/// A position in its strict form: rows from the top, `X` an occupied cell and `.` a free one.
#[must_use]
pub fn format(board: Board, occupied: u64) -> String {
    let cell = |at: u32| if occupied >> at & 1 != 0 { 'X' } else { '.' };
    let row = |r: u32| (r * board.columns..(r + 1) * board.columns).map(cell).collect();
    (0..board.rows).map(row).collect::<Vec<String>>().join("/")
}

/// The occupied cells of a position's text.
///
/// # Errors
/// Another number of cells, or a character that is none.
pub fn parse(board: Board, text: &str) -> Result<u64> {
    let text = text.trim();
    let rows: Vec<&str> = text.split('/').collect();
    let count = |row: &str| row.chars().count();
    if rows.len() > 1 || board.rows == 1 {
        if rows.len() as u32 != board.rows {
            bail!("found {} rows, expected {}", rows.len(), board.rows);
        }
        if let Some((at, row)) =
            rows.iter().enumerate().find(|(_, row)| count(row) as u32 != board.columns)
        {
            bail!("row {} has {} cells, expected {}", at + 1, count(row), board.columns);
        }
    } else if count(text) as u32 != board.cells() {
        bail!("found {} cells, expected {}", count(text), board.cells());
    }
    let mut occupied = 0;
    for (at, c) in text.chars().filter(|c| *c != '/').enumerate() {
        match c {
            'X' | 'x' | '#' | 'O' | 'o' | '1' => occupied |= 1 << at,
            '.' | '-' | '_' | '0' => {}
            other => bail!("found {other:?} at cell {}, expected X or .", at + 1),
        }
    }
    Ok(occupied)
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

impl FromStr for Board {
    type Err = String;

    /// Reads `MxN`, rows by columns.
    fn from_str(text: &str) -> Result<Board, String> {
        let wrong = || {
            let text: String = text.chars().take(64).collect();
            format!("found {text:?}, expected ROWSxCOLUMNS such as 4x5, at most {MAX_CELLS} cells")
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
