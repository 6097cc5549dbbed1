//! The layers of a game. [`arranged`] numbers their positions, [`mod@groups`] finds layers that lead to each other, and [`walk`] finds the
//! positions that play can reach.

pub mod arranged;
pub mod arrangements;
mod fold;
pub mod groups;
pub mod reached;
pub mod walk;

use thiserror::Error;

/// A layer has so many arrangements that a bit for each does not fit in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} arrangements in a layer need a bit each, more than there is memory for")]
pub struct TooLarge(pub u64);
