//! The solver: the entries of all layers of a game, from the last layer to the first.
//!
//! A layer is solved in the waiter's rows. Fix the waiter's set B: the row of B in the child layer holds every position after
//! a move of the mover, so an [`operator`] finds what every set A of the mover is worth against B without leaving that row.
//! The `transposition` (or `gather`, its other direction) then takes (A, B) to the row of A in the layer's own table.
//! [`placement`] does that once a layer, [`movement`] once for every distance, [`values`] for two bits an entry; [`blocks`]
//! does it where no memory holds a whole layer.

pub mod blocks;
pub mod census;
pub mod entry;
mod finished;
mod gather;
pub mod layers;
pub(crate) mod legal;
pub mod movement;
pub mod operator;
pub mod placement;
pub(crate) mod planes;
mod scatter;
mod shape;
pub mod shared;
mod transpose;
mod transposition;
pub mod values;

pub use shape::Shape;
