//! Answers about positions of cram as JSON: the value, the winner, and every winning domino.

use super::board::Board;
use crate::outcome;
use serde::Serialize;

/// The answer to a position in normal play. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CramAnswer {
    /// Rows and columns.
    pub board: String,
    /// The position in canonical form.
    pub position: String,
    /// Grundy value of the position.
    pub value: u8,
    /// `win` or `loss` for the side to move.
    pub outcome: &'static str,
    /// The two cells of every winning domino, by column letter and row number from the top.
    pub moves: Vec<[String; 2]>,
}

/// Answers the position with these cells occupied; `value` returns the value of any set of occupied cells.
///
/// # Errors
/// Errors of `value`.
pub fn answer<E>(
    board: Board,
    occupied: u64,
    mut value: impl FnMut(u64) -> Result<u8, E>,
) -> Result<CramAnswer, E> {
    let own = value(occupied)?;
    let mut moves = Vec::new();
    for domino in board.dominoes() {
        if own != 0 && domino & occupied == 0 && value(occupied | domino)? == 0 {
            moves.push(board.domino_name(domino));
        }
    }
    Ok(CramAnswer {
        board: board.to_string(),
        position: board.format_position(occupied),
        value: own,
        outcome: outcome(own != 0),
        moves,
    })
}
