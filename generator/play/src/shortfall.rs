//! The comparison of a move with the best one.

use morpion_lookup::{Score, Value};

/// The value and the half-moves that a move gives away compared with the best one; greater is worse.
///
/// ```
/// use morpion_lookup::Score;
/// use morpion_play::shortfall::Shortfall;
///
/// let (best, draw) = (Score::Win { plies: Some(3) }, Score::Draw { kind: morpion_lookup::DrawKind::End });
/// assert_eq!(Shortfall::of(draw, best).steps(), 1);
/// let later = Shortfall::of(Score::Win { plies: Some(7) }, best);
/// assert_eq!((later.steps(), later.plies()), (0, 4));
/// assert!(later < Shortfall::of(draw, best));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shortfall {
    steps: u8,
    /// Half-moves lost if the value is kept. If it is not, minus the half-moves to the missed win, or else to the loss: nearer is worse.
    detail: i32,
}

impl Shortfall {
    /// Compares the scores of a move and of the best move in the same position.
    #[must_use]
    pub fn of(chosen: Score, best: Score) -> Shortfall {
        // Values are in the order of their worth.
        let steps = (chosen.value() as u8).saturating_sub(best.value() as u8);
        let end = if best.value() == Value::Win { best } else { chosen };
        let detail = match steps {
            0 => best.preference() - chosen.preference(),
            _ => -i32::from(end.plies().unwrap_or(0)),
        };
        Shortfall { steps, detail }
    }

    /// Steps by which the value falls: 1 from a win to a draw and from a draw to a loss, 2 from a win to a loss.
    #[must_use]
    pub fn steps(&self) -> u8 {
        self.steps
    }

    /// Half-moves by which a win is later or a loss sooner than necessary; 0 if the value falls, or if distances are unknown.
    #[must_use]
    pub fn plies(&self) -> u16 {
        if self.steps == 0 { self.detail.unsigned_abs() as u16 } else { 0 }
    }
}
