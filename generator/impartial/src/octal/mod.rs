//! Octal games: heaps of counters, and a code for the legal moves.
//!
//! Data flows through these modules in order. [`Moves`] sorts the code's digits by the number of heaps that they leave.
//! [`definition`] or [`solve`] computes the values. A [`Period`](morpion_grundy::Period) is certified, and [`table`] writes files.
//! [`normal`], [`misere`] and [`treblecross`] answer queries.

pub mod answer;
pub mod definition;
pub mod misere;
mod moves;
pub mod named;
pub mod normal;
mod period;
mod proof;
mod solver;
pub mod table;
pub mod treblecross;

pub use moves::Moves;
pub(crate) use proof::prove;
pub use solver::{LAST_HEAP, Solution, Task, solve};
