//! The format of tables for programs that write them; `tables/FORMAT.md` describes it.
//!
//! `lookup` lays out headers, as it does to check those that it reads. [`preamble`] puts the bytes of a header at the beginning of the
//! file, codes come from [`Encode`], and [`Sums`] closes the file. A packed file ends in a [`seek_table`].

mod encode;
mod preamble;
mod seek_table;
mod sums;

pub use encode::Encode;
pub use preamble::preamble;
pub use seek_table::seek_table;
pub use sums::Sums;
