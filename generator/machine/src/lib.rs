//! What the processor and the system offer: instruction sets ([`isa`]), large pages and prefetches ([`memory`]), how much
//! of the machine has been used or is left ([`usage`]), files replaced as a whole ([`files`]), files whose every byte is
//! under a sum ([`sealed`]) and packed ones ([`packer`], of [`frames`]), sources read to their end ([`pieces`]). Knows nothing of games.

pub mod files;
pub mod frames;
pub mod isa;
pub mod memory;
pub mod packer;
pub mod pieces;
pub mod sealed;
pub mod usage;
