//! The representative of a class of symmetric positions.

use morpion_lookup::raw::{Images, Position};

/// Returns the least image of a position. It is the same for all symmetric positions.
pub(crate) fn least(images: &Images, position: Position) -> Position {
    let images = images.all(position.mover).zip(images.all(position.waiter));
    images.map(|(mover, waiter)| Position { mover, waiter }).min().unwrap_or(position)
}
