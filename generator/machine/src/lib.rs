//! Services of the processor and the operating system: instruction sets ([`isa`]), large pages and prefetches
//! ([`memory`]), and resources ([`usage`]).
//!
//! Files are replaced as a whole ([`files`]), protected by checksums ([`sealed`]), packed in [`frames`] ([`packer`]),
//! and read piece by piece ([`pieces`]) or by all threads ([`unpacker`]). [`progress`] observes and stops long
//! computations, and [`threads`] share them. [`splitmix`] scatters numbers.

pub mod files;
pub mod frames;
pub mod isa;
pub mod memory;
pub mod packer;
pub mod pieces;
pub mod progress;
pub mod sealed;
pub mod splitmix;
pub mod threads;
pub mod unpacker;
pub mod usage;
