//! The commands of impartial games, [`nim`] and [`cram`], and the functions with which other commands describe and prove their
//! tables.
//!
//! A table names its game, so [`describe`] and [`prove()`] take any table for which [`is_table`] returns true.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod cram;
pub mod nim;
mod prove;
mod table;

pub use prove::prove;
pub use table::{describe, is_table};
