//! Cells by a cubic worth: the sum over the lines through a cell of the cube of own minus other pieces.

use super::lines::sign;
use super::player::{Choice, Player, PlayerError, PlayerKind, Turn, plain};
use morpion_lookup::{Game, Move};

pub const KIND: PlayerKind = PlayerKind {
    name: "cubic",
    usage: "cubic",
    about: "the cell with the greatest sum, over its lines, of the cube of own minus other pieces",
    examples: &["cubic"],
    make: |parameters| plain(parameters, Cubic),
};

struct Cubic;

impl Player for Cubic {
    fn name(&self) -> String {
        "cubic".into()
    }

    fn consider(&self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        let Turn { game, position, .. } = *turn;
        turn.greatest(|mv| {
            let worth = match mv {
                Move::Place { to } => cubes(game, position.mover, position.waiter, to),
                // A moved piece gains what the new cell is worth and gives up the old one, both without that piece.
                Move::Shift { from, to } => {
                    let rest = position.mover & !(1 << from);
                    cubes(game, rest, position.waiter, to)
                        - cubes(game, rest, position.waiter, from)
                }
                Move::Pass => 0,
            };
            i64::from(sign(game)) * worth
        })
    }
}

/// Weight of the empty `cell` by the pieces on the board. Pieces of a side for which the line does not count are left out.
fn cubes(game: &Game, own: u64, other: u64, cell: u8) -> i64 {
    let lines = game.rules().lines_with_prolongations();
    let through = lines.filter(|(line, _)| line >> cell & 1 == 1);
    let pieces = |line: u64, longer: u64, of: u64| {
        if longer & of == 0 { i64::from((line & of).count_ones()) } else { 0 }
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
    fn pieces_on_a_line_that_their_own_side_prolongs_are_worth_nothing() {
        let text =
            "name = \"row\"\n[board]\nrows = 1\ncolumns = 5\n[lines]\nlength = 3\nexact = true";
        let game = parse("row.toml", text).unwrap();
        // a1 and b1 on the line a1 b1 c1; b1 alone would be on b1 c1 d1, which a1 prolongs.
        assert_eq!(cubes(&game, 0b00011, 0, 2), 8);
        assert_eq!(cubes(&game, 0, 0b00011, 2), -8);
    }
}
