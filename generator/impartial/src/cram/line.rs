//! A line of play of cram.

use super::board::Board;
use super::position::{cells, format};
use schemars::JsonSchema;
use serde::Serialize;

/// A line in which the winner plays perfectly until no move is left. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CramLine {
    /// Rows and columns.
    pub board: String,
    /// The positions before each move and after the last one.
    pub positions: Vec<String>,
    /// The two cells of each domino, by column letter and row number from the top.
    pub moves: Vec<[String; 2]>,
}

/// Plays from the position with these cells occupied; `value` returns the value of any set of occupied cells.
#[must_use]
pub fn line(board: Board, mut occupied: u64, value: impl Fn(u64) -> u8) -> CramLine {
    let (mut positions, mut moves) = (vec![format(board, occupied)], Vec::new());
    let dominoes = board.dominoes();
    // Prefers a winning move. In a lost position all moves are equally good.
    let best = |occupied| {
        let legal = dominoes.iter().filter(move |domino| *domino & occupied == 0);
        legal.min_by_key(|domino| value(occupied | *domino) != 0)
    };
    while let Some(domino) = best(occupied) {
        occupied |= domino;
        positions.push(format(board, occupied));
        moves.push(cells(board, *domino));
    }
    CramLine { board: board.to_string(), positions, moves }
}
