//! How many pieces each side has: what tells the layers of a game apart, and the first thing that a position may have wrong.

use serde::{Deserialize, Serialize};

/// Piece counts of one layer: all positions with `mover` pieces of the mover and `waiter` of the waiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the side waiting.
    pub waiter: u8,
}
