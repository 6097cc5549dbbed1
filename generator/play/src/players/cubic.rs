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

/// The worth of the empty `cell`, from the pieces on the board.
fn cubes(game: &Game, own: u64, other: u64, cell: u8) -> i64 {
    let through = game.rules().lines.iter().filter(|&&line| line >> cell & 1 == 1);
    let excess =
        |line: &u64| i64::from((line & own).count_ones()) - i64::from((line & other).count_ones());
    through.map(|line| excess(line).pow(3)).sum()
}
