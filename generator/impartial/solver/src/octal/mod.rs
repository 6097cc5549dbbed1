//! Octal games: heaps of counters, and a code for the legal moves.
//!
//! Data flows through these modules in order. [`Moves`] sorts the code's digits by the number of heaps that they leave.
//! [`definition`] or [`solve`] computes the values. A [`Period`](morpion_grundy::Period) is certified, and [`table`] writes files.
//! [`normal`], [`misere`] and [`treblecross`] answer queries. [`sweep`] solves many codes.

pub mod answer;
pub mod definition;
pub mod line;
pub mod misere;
mod moves;
pub mod named;
pub mod normal;
mod period;
mod proof;
mod solver;
pub mod sweep;
pub mod table;
pub mod treblecross;
mod values;

pub use moves::Moves;
pub(crate) use proof::{certified_to, prove};
pub use solver::{LAST_HEAP, Mask, Method, Solution, Task, solve};
pub use values::Values;
