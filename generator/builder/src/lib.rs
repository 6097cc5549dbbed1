//! Builds tables of the morpion family as files.
//!
//! [`build()`] solves a game within a limit of memory, which [`plan`] compares with the need, and writes its table. Rows that do not
//! fit in memory are in files ([`store`]), and an interrupted build resumes from its [`checkpoint`]. [`rates`] estimates the time of a
//! build. [`join`] makes a table from the shards of a cluster.
//!
//! [`folders`] finds games and tables by name. Files are replaced as a whole ([`files`]). Tables are packed ([`packer`]) in [`frames`].
//! [`usage`] measures resources.

mod build;
pub mod checkpoint;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod error;
pub mod files;
pub mod folders;
pub mod frames;
pub mod join;
pub mod packer;
pub mod plan;
pub mod rates;
pub mod store;
mod stream;
pub mod usage;

pub use build::{Built, Options, Start, build, expect_no_distances, fresh_key};
