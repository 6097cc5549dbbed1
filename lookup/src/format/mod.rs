//! The bytes of a table file; `tables/FORMAT.md` is the same in words.
//!
//! ```text
//! magic (8) │ version u32 │ header length u32 │ header │ xxh3-64 of all before │ zeros to 64 │ body │ sums │ sum of sums
//! ```
//!
//! The body of a table: the maps (set → row and symmetry) and the layers, each from a multiple of 64 bytes, and the
//! census after its length. The sums are one xxh3-64 for each MiB of everything before them.

mod census;
mod header;
mod preamble;
mod sums;

pub use census::{Census, Deepest, LayerCensus};
pub use header::{Group, Header, LayerSection, MapSection, fingerprint, symmetry_bits};
pub(crate) use preamble::METADATA_LIMIT;
pub use preamble::{
    ALIGNMENT, MAGIC, MAX_SYMMETRIES, VERSION, deserialise, preamble, read_preamble, serialise,
};
pub use sums::{Sums, check_sums, sums_length};
