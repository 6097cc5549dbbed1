//! A game compared with perfect play.

use morpion_core::{DrawKind, Score};
use morpion_play::arena::{Errors, Shortfall};
use morpion_report::answer::Sides;
use serde::{Deserialize, Serialize};

/// A move of a game, with its worth and the worth of the best move.
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
    /// `win`, `draw` or `loss`.
    value: String,
    plies: Option<u16>,
}

impl Worth {
    fn score(&self) -> Result<Score, &'static str> {
        let plies = self.plies;
        match &self.value[..] {
            "win" => Ok(Score::Win { plies }),
            // Draws of both kinds are equally good.
            "draw" => Ok(Score::Draw { kind: DrawKind::End }),
            "loss" => Ok(Score::Loss { plies }),
            _ => Err("not a value: use win, draw or loss"),
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
    ///
    /// # Errors
    /// If a side or a value is unknown.
    pub fn of(played: &[Played]) -> Result<Review, &'static str> {
        let mut errors = [Errors::default(); 2];
        let mut moves = Vec::new();
        for Played { side, chosen, best } in played {
            let side = "xo".find(*side).ok_or("not a side: use x or o")?;
            moves.push(errors[side].add(chosen.score()?, best.score()?, 1.0));
        }
        let [x, o] = errors.map(|errors| errors.thrown());
        Ok(Review { moves, thrown: Sides { x, o } })
    }
}
