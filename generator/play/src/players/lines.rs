//! The features that the heuristics use: lines, counted for one of the sides.

use morpion_core::{Game, Move, Position, Value};

/// The number of lines through a cell. On 3×3 it is 4 for the centre, 3 for corners and 2 for sides. Heuristics prefer cells by
/// this number, because other boards have no centre, corners and sides.
pub(crate) fn through(game: &Game, cell: u8) -> usize {
    game.lines().iter().filter(|&&line| line >> cell & 1 == 1).count()
}

/// The lines still possible for `own`: `other` has no piece on the line and, if lines are exact, no own piece prolongs it.
pub(crate) fn open(game: &Game, own: u64, other: u64) -> impl Iterator<Item = u64> {
    let open = move |&(line, longer): &(u64, u64)| line & other == 0 && longer & own == 0;
    game.lines_with_prolongations().filter(open).map(|(line, _)| line)
}

/// The number of lines still possible for `own`.
pub(crate) fn possible(game: &Game, own: u64, other: u64) -> i32 {
    if game.prolongations().is_empty() {
        // A shortcut for most games, since a search calls this function at every leaf.
        return game.lines().iter().filter(|&&line| line & other == 0).count() as i32;
    }
    open(game, own, other).count() as i32
}

/// The open pairs of `own`: two own pieces on a line that is still possible. On a line of three, this means two own
/// pieces and an empty cell. A longer line with k own pieces counts as k (k - 1) / 2 pairs.
pub(crate) fn open_pairs(game: &Game, own: u64, other: u64) -> u32 {
    let pieces = open(game, own, other).map(|line| (line & own).count_ones());
    pieces.map(|k| k * k.saturating_sub(1) / 2).sum()
}

/// The lines that `own` can complete with one piece on an empty cell ("two of three").
pub(crate) fn nearly_made(game: &Game, own: u64, other: u64) -> usize {
    open(game, own, other).filter(|line| (line & !own).count_ones() == 1).count()
}

/// The value of a move that ends the game by a line, a full board or a blocked side, for the side that moves. `None` if
/// the game continues.
pub fn decided(game: &Game, position: Position, mv: Move) -> Option<Value> {
    let after = game.apply(position, mv);
    game.end_at(after).map(|over| game.final_score(over).value().reversed())
}

/// The number of moves that win at once; 0 if the game is over.
pub fn winning_moves(game: &Game, position: Position) -> usize {
    game.legal_moves(position).filter(|&mv| decided(game, position, mv) == Some(Value::Win)).count()
}

/// 1 if the side that makes a line wins, -1 in misère.
pub(crate) fn sign(game: &Game) -> i32 {
    if game.graph().line == Value::Win { -1 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::rules::parse;

    /// One row of six cells, on which exactly three neighbours are a line.
    fn row() -> Game {
        let text =
            "name = \"row\"\n[board]\nrows = 1\ncolumns = 6\n[lines]\nlength = 3\nexact = true";
        parse("row.toml", text).unwrap()
    }

    #[test]
    fn a_prolonged_line_does_not_count() {
        let game = row();
        assert_eq!(possible(&game, 0, 0), 4);
        // With a1, the cells b1 c1 d1 are not a line, since a1 prolongs them.
        assert_eq!(possible(&game, 0b000_001, 0), 3);
        // With a1 and b1, c1 makes the line. c1 d1 e1 does not count, since b1 prolongs it.
        assert_eq!((possible(&game, 0b000_011, 0), open_pairs(&game, 0b000_011, 0)), (2, 1));
        assert_eq!(nearly_made(&game, 0b000_011, 0), 1);
        // With d1 too, c1 makes four in a row, which is not a line.
        assert_eq!((nearly_made(&game, 0b001_011, 0), open_pairs(&game, 0b001_011, 0)), (0, 0));
        // Pieces of the other side prolong nothing.
        assert_eq!(nearly_made(&game, 0b000_011, 0b001_000), 1);
        assert_eq!((0..6).map(|cell| through(&game, cell)).collect::<Vec<_>>(), [1, 2, 3, 3, 2, 1]);
    }
}
