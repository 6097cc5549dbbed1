//! Impartial games: Grundy values of octal games and of cram.
//!
//! A position of an impartial game is a sum of independent parts. The *Grundy value* (*nimber*) of a part is the least number that
//! is not the value of one of its options (*mex*); a sum's is the xor of its parts', and in normal play the side to move wins exactly
//! when it is not 0.
//!
//! [`octal`] has the games of heaps, [`cram`] the dominoes on a board; [`table`] and [`proof`] have what both share: files, and the
//! proof that they are right.
//!
//! ```
//! use morpion_impartial::octal::{Moves, Task, solve};
//! use morpion_machine::progress::Unobserved;
//!
//! let kayles = Moves::new(&"0.77".parse()?).expect("a finite code");
//! let solution = solve(&kayles, Task::until_period(1000), &Unobserved)?;
//! assert_eq!(solution.values.get(9), 4);
//! assert_eq!(solution.period.map(|period| (period.length, period.start)), Some((12, 71)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cram;
mod mex;
mod nimber;
pub mod octal;
mod outcome;
pub mod proof;
#[cfg(feature = "schema")]
pub mod schema;
pub mod table;

pub use outcome::outcome;
