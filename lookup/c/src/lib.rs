//! C interface of the lookup library: opaque handles, error codes with messages, no state.
//!
//! Takes handles and positions as C has them, and gives error codes, scores and moves. The header `include/morpion.h` is
//! generated from these files, in their order: constants, data, and the functions as a program calls them. Their comments are
//! the header's, which states once, in `cbindgen.toml`, what a caller has to ensure; no function has a section on safety.
#![allow(clippy::missing_safety_doc, reason = "the header says it once for all functions")]

mod codes;
mod data;
mod folders;
mod origin;
mod pointers;

mod open;

mod game;

mod ask;

pub use ask::*;
pub use codes::*;
pub use data::*;
pub use game::*;
pub use open::*;
pub use origin::MorpionSource;
