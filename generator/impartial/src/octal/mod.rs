//! Octal games: heaps of counters, and a code that says what may be taken and what may be left.
//!
//! In comes a code; out go the Grundy values of its heaps, a period that is proved, a table, and answers to sums of heaps. The way
//! of the data: [`Moves`] (the code's digits by what they leave) → [`definition`] or [`solve`] (values) → [`Period`] (certificates)
//! → [`table`] (files) → [`answer`], [`misere`], [`treblecross`] (questions); beside it [`sweep`] and [`plot`].

pub mod answer;
pub mod definition;
mod extra_moves;
pub mod misere;
mod moves;
pub mod named;
mod period;
pub mod plot;
mod proof;
mod solver;
pub mod sweep;
pub mod table;
pub mod treblecross;
mod values;

pub use moves::Moves;
pub use period::Period;
pub use proof::OctalFault;
pub(crate) use proof::{certified_to, prove};
pub use solver::{Mask, Method, Solution, Task, solve};
pub use values::Values;
