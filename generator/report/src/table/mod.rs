//! About one table: its entries, and its census by arrangements, by orbits and by layers.

pub mod census;
pub mod distribution;
pub mod entries;
pub mod orbits;
