//! A game compared with perfect play.

use morpion_core::{DrawKind, Score};
use morpion_play::arena::{Errors, Shortfall};
use morpion_report::answer::Sides;
use serde::{Deserialize, Serialize};

/// A move of a game, with its worth and the worth of the best move.
#[derive(Deserialize)]
pub struct Played {
    side: Mover,
    chosen: Worth,
    best: Worth,
}

/// The side that makes a move.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mover {
    X,
    O,
}

/// The worth of a move for the side that makes it.
#[derive(Deserialize)]
#[serde(tag = "value", rename_all = "lowercase")]
enum Worth {
    Win { plies: Option<u16> },
    Draw,
    Loss { plies: Option<u16> },
}

impl Worth {
    fn score(&self) -> Score {
        match *self {
            Worth::Win { plies } => Score::Win { plies },
            // Draws of both kinds are equally good.
            Worth::Draw => Score::Draw { kind: DrawKind::End },
            Worth::Loss { plies } => Score::Loss { plies },
        }
    }
}

/// The errors of a game.
#[derive(Serialize)]
pub struct Review {
    /// The loss by each move.
    moves: Vec<Shortfall>,
    /// Number of moves of each side that lower the value.
    thrown: Sides<f64>,
}

impl Review {
    /// Compares the moves of a game with the best moves.
    pub fn of(moves: &[Played]) -> Review {
        let mut errors = [Errors::default(); 2];
        let mut count = |Played { side, chosen, best }: &Played| {
            errors[*side as usize].add(chosen.score(), best.score(), 1.0)
        };
        let moves = moves.iter().map(&mut count).collect();
        let [x, o] = errors.map(|errors| errors.thrown());
        Review { moves, thrown: Sides { x, o } }
    }
}
