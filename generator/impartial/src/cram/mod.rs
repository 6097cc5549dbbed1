//! Cram: a domino on two free neighbouring cells of a board; whoever cannot place one has lost.
//!
//! In come a board and its occupied cells; out go values, winning dominoes and proofs. [`dense`] computes all positions of a board,
//! [`Regions`] single ones of any board by their connected regions.

mod answer;
mod board;
mod dense;
mod position;
mod proof;
mod regions;
mod shape;

pub use answer::{CramAnswer, answer};
pub use board::{Board, BoardError};
pub use dense::{MAX_DENSE, dense, dense_while};
pub use position::{PositionError, cells, format, parse};
pub use proof::CramFault;
pub(crate) use proof::prove;
pub use regions::Regions;
