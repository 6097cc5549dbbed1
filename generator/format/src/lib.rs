//! The format of tables for programs that write them; `tables/FORMAT.md` describes it.
//!
//! Reading is in `lookup`. Begin with [`WriteHeader`]: it lays out the header of a game's table, [`preamble`] puts it at the beginning
//! of the file, and [`Sums`] closes the file. A packed file ends in a [`seek_table`].

mod encode;
mod header;
mod seek_table;
mod sums;

pub use encode::Encode;
pub use header::{WriteHeader, preamble};
pub use seek_table::seek_table;
pub use sums::Sums;
