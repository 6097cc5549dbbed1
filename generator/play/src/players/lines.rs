//! The features that the heuristics use: lines, counted for one side or the other.

use morpion_lookup::{Game, Move, Position, Value};

/// The cell on which a move puts a piece; none for a pass.
pub fn target(mv: Move) -> Option<u8> {
    match mv {
        Move::Place { to } | Move::Shift { to, .. } => Some(to),
        Move::Pass => None,
    }
}

/// The number of lines through a cell. On 3×3 it is 4 for the centre, 3 for corners and 2 for sides, and on every
/// board it takes the place of these words.
pub(crate) fn through(game: &Game, cell: u8) -> usize {
    game.rules().lines.iter().filter(|&&line| line >> cell & 1 == 1).count()
}

/// The lines on which `other` has no piece: those still possible for the side.
pub(crate) fn possible(game: &Game, other: u64) -> i32 {
    game.rules().lines.iter().filter(|&&line| line & other == 0).count() as i32
}

/// The open pairs of `own`: two own pieces on a line on which `other` has none. On lines of three this is a line with two
/// own pieces and an empty cell; a longer line with k own pieces counts as k (k - 1) / 2 pairs.
pub(crate) fn open_pairs(game: &Game, own: u64, other: u64) -> u32 {
    let open = game.rules().lines.iter().filter(|&&line| line & other == 0);
    open.map(|&line| (line & own).count_ones()).map(|k| k * k.saturating_sub(1) / 2).sum()
}

/// The lines that lack one piece of `own` to be made, on an empty cell ("two of three").
pub(crate) fn nearly_made(game: &Game, own: u64, other: u64) -> usize {
    let open = game.rules().lines.iter().filter(|&&line| line & other == 0);
    open.filter(|&&line| (line & !own).count_ones() == 1).count()
}

/// What a move decides at once for the side that makes it: a line, a full board, a blocked side; `None` where the game
/// goes on.
pub fn decided(game: &Game, position: Position, mv: Move) -> Option<Value> {
    let after = position.after(mv);
    game.over(after).map(|over| game.final_score(over).value().reversed())
}

/// The moves that win at once; none where the game is over.
pub fn winning_moves(game: &Game, position: Position) -> usize {
    if game.over(position).is_some() {
        return 0;
    }
    game.legal_moves(position).filter(|&mv| decided(game, position, mv) == Some(Value::Win)).count()
}

/// 1 where lines are good for who makes them, -1 in misère.
pub(crate) fn sign(game: &Game) -> i32 {
    if game.rules().misere { -1 } else { 1 }
}
