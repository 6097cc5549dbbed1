//! The bytes of a table file; `tables/FORMAT.md` is the same in words.
//!
//! ```text
//! magic (8) │ version u32 │ header length u32 │ header │ xxh3-64 of all before │ zeros to 64 │ body │ sums │ sum of sums
//! ```
//!
//! The body of a table: the maps (set → row and symmetry) and the layers, each from a multiple of 64 bytes, and the
//! census after its length. The sums are one xxh3-64 for each MiB of everything before them.

mod header;
mod preamble;

pub use header::*;
pub use preamble::*;

/// Number of bytes that one checksum covers.
pub const SUM_UNIT: u64 = 1 << 20;

/// Length of the checksum section after `before` bytes.
pub fn sums_length(before: u64) -> u64 {
    (before.div_ceil(SUM_UNIT) + 1) * 8
}
