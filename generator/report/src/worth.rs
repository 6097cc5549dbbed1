//! The worth of a position or move as it is printed.

use morpion_core::{DrawKind, Score, Side, Value};
use serde::Serialize;

/// A score by its names. The keys of answers that contain it are part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// `win`, `draw` or `loss` for the side to move, or for the side that makes the move.
    pub value: &'static str,
    /// Half-moves to the end under perfect play, including the move if there is one; `null` for a draw or if the table has no distances.
    pub plies: Option<u16>,
    /// `end` or `cycle` if the value is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<&'static str>,
}

impl From<Score> for Worth {
    fn from(score: Score) -> Worth {
        Worth {
            value: score.value().name(),
            plies: score.plies(),
            draw: score.draw().map(DrawKind::name),
        }
    }
}

/// The side that wins a position of this value, in which `mover` is to move; `None` for a draw.
#[must_use]
pub fn winner(value: Value, mover: Side) -> Option<Side> {
    match value {
        Value::Win => Some(mover),
        Value::Draw => None,
        Value::Loss => Some(mover.other()),
    }
}
