//! Impartial games: Grundy values of octal games and of cram.
//!
//! A position of an impartial game is a sum of independent parts. The *Grundy value* of a part is the least number that is not
//! the value of a follower (*mex*); a sum's is the xor of its parts', and in normal play the side to move wins exactly when it
//! is not 0.
//!
//! The way of the data: [`moves`] (a code's digits sorted by what they do) → [`plain`] (the definition) and [`solver`] (the fast
//! way: [`mask`], sparse space, vector instructions) → [`period`] (certificates) → [`table`] (files) → [`answer`], [`misere`],
//! [`treblecross`] (questions), [`verify`] (proofs), [`sweep`] (with [`cousins`]) and [`plot`]. [`cram`] stands beside it with its
//! own questions ([`dominoes`]), [`games`] has the names.

pub mod answer;
pub mod cousins;
pub mod cram;
pub mod dominoes;
pub mod games;
mod kernel;
mod lanes;
mod marks;
pub mod mask;
pub mod misere;
pub mod moves;
mod outcome;
pub mod period;
pub mod plain;
pub mod plot;
#[cfg(feature = "schema")]
pub mod schema;
mod sieve;
pub mod solver;
mod sparse;
mod state;
pub mod sweep;
pub mod table;
pub mod treblecross;
pub mod value;
mod vector;
pub mod verify;

pub use outcome::outcome;
