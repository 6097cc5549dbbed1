//! The layers of a game. [`arrangements`] numbers their positions, [`mod@groups`] finds layers that lead to each other, and [`walk`] finds the
//! positions that play can reach.

pub mod arrangements;
mod fold;
pub mod groups;
pub mod reached;
pub mod walk;

use morpion_core::Layer;
use thiserror::Error;

/// A layer has too many arrangements: a bit for each arrangement does not fit in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} arrangements in a layer need a bit each, more than there is memory for")]
pub struct TooLarge(pub u64);

/// The name of a layer: the pieces of the side to move and of the side waiting on the board, and in hand if there are some.
pub fn layer_name(layer: &Layer) -> String {
    let Layer { counts, hands, .. } = layer;
    let mut name = format!("({}, {})", counts.mover, counts.waiter);
    if *hands != Default::default() {
        name.push_str(&format!(" + ({}, {})", hands.mover, hands.waiter));
    }
    name
}
