//! Cram: players place dominoes on two free neighbouring cells of a board, and whoever cannot place one loses.
//!
//! [`dense`] computes the values of all positions of a small board. [`Regions`] computes single positions of any board from their
//! connected regions. [`answer()`] lists the winning dominoes.

mod answer;
mod board;
mod dense;
mod proof;
mod regions;
mod shape;

pub use answer::{CramAnswer, answer};
pub use board::Board;
pub use dense::{MAX_DENSE, dense};
pub(crate) use proof::prove;
pub use regions::Regions;
