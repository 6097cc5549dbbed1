//! What the processor and the system give: instruction sets ([`isa`]), large pages and prefetches ([`memory`]), and how much
//! of the machine has been used or is left ([`usage`]). Knows nothing of games.

pub mod isa;
pub mod memory;
pub mod usage;
