//! Number of pieces of each side, which identifies the layer. It is the first thing checked in a position.

use serde::{Deserialize, Serialize};

/// Piece counts of one layer: all positions with `mover` pieces of the mover and `waiter` of the waiter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the side waiting.
    pub waiter: u8,
}
