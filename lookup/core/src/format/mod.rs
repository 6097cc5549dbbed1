//! The bytes of a table file, which `tables/FORMAT.md` describes in words.
//!
//! ```text
//! magic (8) │ version u32 │ header length u32 │ header │ xxh3-64 of all before │ zeros to 64 │ body │ sums │ sum of sums
//! ```
//!
//! The body of a table: the maps (set → row and symmetry) and the layers, each from a multiple of 64 bytes, and the census after its
//! length. The sums are the xxh3-64 of each MiB of the bytes before the sums.
//!
//! [`Header::new`] makes the header of a game's table, [`preamble`] puts its bytes at the beginning of the file, and [`Sums`] closes the file.

mod header;
mod preamble;
mod sections;
mod sums;

pub use header::*;
pub use preamble::*;
pub use sums::*;
