//! The format of tables for programs that write them; `tables/FORMAT.md` describes it.
//!
//! [`lay_out`] makes the header of a game's table, [`preamble`] puts its bytes at the beginning of the file, and [`Sums`] closes the file.
//! A packed file ends in a [`seek_table`].

mod lay_out;
mod preamble;
mod seek_table;
mod sums;

pub use lay_out::lay_out;
pub use preamble::preamble;
pub use seek_table::seek_table;
pub use sums::Sums;
