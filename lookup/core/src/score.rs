//! The score of a position for the side to move: win, draw or loss, and in how many plies.
//!
//! Converts the score of a position to the score of the move that led there, and compares scores.

use core::fmt::{self, Display, Formatter};

/// The worth of a position to the side to move under perfect play.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The mover can force a win.
    Win,
    /// Neither side can force a win.
    Draw,
    /// The waiter can force a win.
    Loss,
}

names!(Value { Win = "win", Draw = "draw", Loss = "loss" });
variants!(Value);

impl Value {
    /// The value for the other side.
    #[doc(hidden)]
    #[must_use]
    pub fn reversed(self) -> Value {
        match self {
            Value::Win => Value::Loss,
            Value::Draw => Value::Draw,
            Value::Loss => Value::Win,
        }
    }
}

/// The value of a position for the side to move, with its distance if the table has distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// The mover wins.
    Win {
        /// Half-moves to the end if the winner hurries and the loser delays; `None` from a table without distances.
        plies: Option<u16>,
    },
    /// Neither side can force a win.
    Draw {
        /// The kind of draw.
        kind: DrawKind,
    },
    /// The mover loses.
    Loss {
        /// Half-moves to the end, as for a win.
        plies: Option<u16>,
    },
}

/// The two kinds of draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawKind {
    /// Every play that keeps the draw ends, on a full board or with a blocked side.
    End,
    /// Play that keeps the draw can continue forever.
    Cycle,
}

names!(DrawKind { End = "end", Cycle = "cycle" });

impl Score {
    /// Win, draw or loss.
    pub fn value(self) -> Value {
        match self {
            Score::Win { .. } => Value::Win,
            Score::Draw { .. } => Value::Draw,
            Score::Loss { .. } => Value::Loss,
        }
    }

    /// The distance in half-moves; `None` for a draw and from a table without distances.
    pub fn plies(self) -> Option<u16> {
        if let Score::Win { plies } | Score::Loss { plies } = self { plies } else { None }
    }

    /// The kind of a draw; `None` for a win or a loss.
    pub fn draw(self) -> Option<DrawKind> {
        if let Score::Draw { kind } = self { Some(kind) } else { None }
    }

    /// The score of a move that leads to a position of this score: for the other side, and one ply longer.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub const fn before(self) -> Score {
        const fn farther(plies: Option<u16>) -> Option<u16> {
            match plies {
                Some(plies) => Some(plies.saturating_add(1)),
                None => None,
            }
        }
        match self {
            Score::Win { plies } => Score::Loss { plies: farther(plies) },
            Score::Loss { plies } => Score::Win { plies: farther(plies) },
            draw => draw,
        }
    }

    /// A number that is greater for better scores of the mover: wins are above draws, draws above losses, sooner wins above later ones, and
    /// later losses above sooner ones. Draws of both kinds have the number 0.
    #[doc(hidden)]
    #[inline]
    pub const fn preference(self) -> i32 {
        let (worth, plies) = match self {
            Score::Win { plies } => (-Score::LOWEST, plies),
            Score::Draw { .. } => return 0,
            Score::Loss { plies } => (Score::LOWEST, plies),
        };
        match plies {
            Some(plies) => worth - worth.signum() * plies as i32,
            None => worth,
        }
    }

    /// The lowest [`Score::preference`]: a loss in no plies.
    pub(crate) const LOWEST: i32 = -0x2_0000;
}

/// Writes `win in 3`, `loss in 2`, `win` without a distance, `draw`, or `draw by cycle`.
impl Display for Score {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.plies(), self.draw()) {
            (Some(plies), _) => write!(f, "{} in {plies}", self.value().name()),
            (_, Some(DrawKind::Cycle)) => f.pad("draw by cycle"),
            _ => f.pad(self.value().name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::Over;
    use alloc::string::ToString;

    #[test]
    fn scores_and_ends_are_written_in_words() {
        let cycle = Score::Draw { kind: DrawKind::Cycle };
        for (score, text) in [
            (Score::Win { plies: Some(3) }, "win in 3"),
            (Score::Loss { plies: Some(0) }, "loss in 0"),
            (Score::Win { plies: None }, "win"),
            (Score::Draw { kind: DrawKind::End }, "draw"),
            (cycle, "draw by cycle"),
        ] {
            assert_eq!(score.to_string(), text);
        }
        assert_eq!(
            Over::ALL.map(|over| over.to_string()),
            ["line", "full", "stuck", "own-line", "few"]
        );
    }
}
