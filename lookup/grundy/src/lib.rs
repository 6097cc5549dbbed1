//! Tables of Grundy values (`*.grundy`). A position of an impartial game consists of parts: heaps of an octal game, or regions of cram. A
//! table has the value of each heap, or of each set of occupied cells. The value of a position is the xor of the values of its parts. In
//! normal play the side to move wins exactly if the value of the position is not 0.
//!
//! ```
//! use morpion_grundy::Code;
//!
//! let nim: Code = "0.(3)".parse()?; // any number of counters may be taken from a heap
//! let position = [3, 4, 5].map(|heap| nim.closed().and_then(|closed| closed.value(heap)));
//! assert_eq!(position.into_iter().flatten().fold(0, |xor, value| xor ^ value), 2);
//! # Ok::<(), morpion_grundy::CodeError>(())
//! ```
//!
//! Other codes need a table ([`GrundyTable`]), which `morpion nim build` and `morpion cram build` write.
//!
//! ```text
//! magic (8) │ version u32 │ header length u32 │ header │ xxh3-64 of all before │ zeros to 64 │ values │ zeros to 8 │ sums │ sum of sums
//! ```
//!
//! `tables/GRUNDY.md` describes the format in words.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod header;
mod octal;
mod table;

pub use header::{Cram, Header, MAGIC, MAX_CELLS, Mask, Octal, Period};
pub use octal::{Closed, Code, CodeError, MAX_DIGITS};
pub use table::{GrundyError, GrundyTable};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
