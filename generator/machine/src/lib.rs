//! Services of the processor: instruction sets ([`isa`]), large pages and prefetches ([`memory`]), and [`threads`].
//!
//! Bytes are protected by checksums ([`sealed`]), and read piece by piece ([`pieces`]) or by all threads ([`unpacker`]). [`progress`]
//! observes and stops long computations. [`splitmix`] scatters numbers.

pub mod isa;
pub mod memory;
pub mod pieces;
pub mod progress;
pub mod sealed;
pub mod splitmix;
pub mod threads;
pub mod unpacker;
