//! Octal games: heaps of counters, and a code that says what may be taken and what may be left.
//!
//! The data flows through these modules: [`Moves`] (the code's digits, sorted by the number of heaps they leave) → [`definition`]
//! or [`solve`] (values) → [`Period`] (certificates) → [`table`] (files) → [`answer`], [`misere`], [`treblecross`] (questions).
//! [`sweep`] solves many codes, and [`plot`] draws one.

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
