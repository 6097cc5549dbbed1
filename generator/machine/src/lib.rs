//! Services of the processor and the system: instruction sets ([`isa`]), large pages and prefetches ([`memory`]), used and free
//! resources ([`usage`]), files replaced as a whole ([`files`]), files whose every byte is under a checksum ([`sealed`]), packed
//! files ([`packer`], of [`frames`]), and sources read to their end ([`pieces`]). [`progress`] observes and stops long
//! computations.

pub mod files;
pub mod frames;
pub mod isa;
pub mod memory;
pub mod packer;
pub mod pieces;
pub mod progress;
pub mod sealed;
pub mod usage;
