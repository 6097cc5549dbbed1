//! The solver: the entries of all layers of a game, from the last layer to the first.

pub mod census;
mod distances;
pub mod entry;
pub mod exchange;
mod finished;
pub mod layers;
mod movement;
pub(crate) mod operator;
mod placement;
pub(crate) mod planes;
mod pool;
pub mod rows;
mod scatter;
mod shape;
mod transpose;
mod transposition;
mod values;

pub use layers::solve;
pub use planes::{BLOCK_ROWS, STRIPS};
pub use shape::Shape;
