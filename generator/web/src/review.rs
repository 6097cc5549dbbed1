//! A game compared with perfect play.

use morpion_core::{DrawKind, Score, Side};
use morpion_play::arena::{Errors, Shortfall};
use morpion_report::answer::Sides;
use serde::{Deserialize, Serialize};

/// A move of a game, with its value and the value of the best move.
#[derive(Deserialize)]
pub struct Played {
    /// `x` or `o`.
    side: char,
    chosen: Worth,
    best: Worth,
}

/// The worth of a move for the side that makes it.
#[derive(Deserialize)]
struct Worth {
    value: String,
    plies: Option<u16>,
}

impl Worth {
    fn score(&self) -> Score {
        let plies = self.plies;
        match &self.value[..] {
            "win" => Score::Win { plies },
            "loss" => Score::Loss { plies },
            _ => Score::Draw { kind: DrawKind::End },
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
            let side = if *side == 'x' { Side::X } else { Side::O };
            errors[side as usize].add(chosen.score(), best.score(), 1.0)
        };
        let moves = moves.iter().map(&mut count).collect();
        let [x, o] = errors.map(|errors| errors.thrown());
        Review { moves, thrown: Sides { x, o } }
    }
}
