//! Games of the morpion family in a page, as one WebAssembly module.
//!
//! A page, or rather its worker, asks questions as JSON (`Question` in `session`). The module answers in JSON, in the types of the reports and
//! of play, and keeps the [`Session`]'s table between questions. `interface` has the exports, and the one import: progress. A page
//! cancels a computation by ending the worker.

#[cfg(target_arch = "wasm32")]
mod interface;
mod outline;
mod review;
mod session;

pub use outline::{Outline, Turn};
pub use review::{Played, Review};
pub use session::Session;
