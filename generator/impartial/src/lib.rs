//! Impartial games: Grundy values of octal games and of cram.
//!
//! A position of an impartial game is a sum of independent parts. The *Grundy value* (*nimber*) of a part is the least
//! number that is not the value of one of its options (*mex*). The value of a sum is the xor of the values of its
//! parts. In normal play, the side to move wins exactly if this value is not 0.
//!
//! [`octal`] contains the games of heaps, and [`cram`] the game of dominoes on a board. Both share [`table`], which
//! reads and writes files, and [`proof`], which proves the files correct.
//!
//! ```
//! use morpion_impartial::octal::{Moves, Task, solve};
//! use morpion_machine::progress::Unobserved;
//!
//! let kayles = Moves::new(&"0.77".parse()?).expect("a finite code");
//! let solution = solve(&kayles, Task::until_period(1000), &Unobserved)?;
//! assert_eq!(solution.values[9], 4);
//! assert_eq!(solution.period.map(|period| (period.length, period.start)), Some((12, 71)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cram;
pub mod facts;
mod nimber;
pub mod octal;
mod outcome;
pub mod page;
pub mod proof;
pub mod table;
mod verdict;

pub use outcome::{TextError, outcome};
