//! C interface of the lookup library: opaque handles, error codes, and for each thread the message of its last error.
//!
//! The header `include/morpion.h` is generated from these files, in the order of their modules: constants, data, and functions in the order
//! in which programs call them. The header contains the doc comments of these files. The duties of callers are stated once at the top of
//! the header, which is in `cbindgen.toml`, so functions have no section on safety.
#![allow(
    clippy::missing_safety_doc,
    reason = "the header states the duties of callers once for all functions"
)]

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
pub use pointers::morpion_last_message;
