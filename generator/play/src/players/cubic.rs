//! Values a cell by a cubic formula: the cube of the number of own pieces minus other pieces on a line, summed over the lines
//! through the cell.

use super::lines::sign;
use super::player::{Choice, PlayerError, Question};
use morpion_core::{Game, Move};

pub fn consider(question: &Question<'_>) -> Result<Choice, PlayerError> {
    let Question { game, position, .. } = *question;
    // A move gains the value of the new cell and loses the value of the old cell. Both values ignore the moved piece.
    let gain = |from: u8, to: u8| {
        let rest = position.mover & !(1 << from);
        cubes(game, rest, position.waiter, to) - cubes(game, rest, position.waiter, from)
    };
    let placed = |to: u8| cubes(game, position.mover, position.waiter, to);
    question.greatest(|mv| {
        let worth = match mv {
            Move::Place { to } => placed(to),
            Move::Shift { from, to } => gain(from, to),
            // A capture is worth more than any incomplete lines.
            Move::Take { from, to, .. } => {
                1000 + from.map_or_else(|| placed(to), |from| gain(from, to))
            }
            Move::Push { .. } => {
                let after = game.apply(position, mv);
                (0..game.cells()).map(|cell| cubes(game, after.waiter, after.mover, cell)).sum()
            }
            Move::Pass => 0,
        };
        i64::from(sign(game)) * worth
    })
}

/// Value of the empty `cell`, given the pieces on the board. If a piece of a side prolongs a line, the line does not count for
/// that side, so the side's pieces on it are ignored.
fn cubes(game: &Game, own: u64, other: u64, cell: u8) -> i64 {
    let lines = game.lines_with_prolongations();
    let through = lines.filter(|(line, _)| line >> cell & 1 == 1);
    let pieces = |line: u64, longer: u64, side: u64| {
        if longer & side == 0 { i64::from((line & side).count_ones()) } else { 0 }
    };
    through
        .map(|(line, longer)| (pieces(line, longer, own) - pieces(line, longer, other)).pow(3))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::rules::parse;

    #[test]
    fn pieces_on_a_prolonged_line_are_worth_nothing() {
        let text =
            "name = \"row\"\n[board]\nrows = 1\ncolumns = 5\n[lines]\nlength = 3\nexact = true";
        let game = parse("row.toml", text).unwrap();
        // a1 and b1 are on the line a1 b1 c1. The line b1 c1 d1 does not count, since a1 prolongs it.
        assert_eq!(cubes(&game, 0b00011, 0, 2), 8);
        assert_eq!(cubes(&game, 0, 0b00011, 2), -8);
    }

    /// Two pieces can complete the first row. The piece on c2 leaves a cell of little value. The piece on a3 leaves a cell whose
    /// value is lower because of the other side's pieces.
    #[test]
    fn a_move_that_takes_gives_up_the_old_cell() {
        let text = "name = \"t\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 4\n\
                    [moves]\nto = \"any\"\n[mills]\nleast = 3\n";
        let game = parse("t.toml", text).unwrap();
        let position = game.parse_position("XX./O.X/XOO x").unwrap().raw;
        let question = Question { game: &game, position, table: None, limit: None };
        let moves = consider(&question).unwrap().moves;
        assert!(!moves.is_empty());
        for mv in moves {
            assert!(matches!(mv, Move::Take { from: Some(6), to: 2, .. }), "{mv:?}");
        }
    }
}
