//! Games: their rule files, their names, their symmetries, and the positions that play can reach.

mod arrangements;
mod burnside;
mod catalogue;
mod faults;
mod group;
mod layer_groups;
mod long;
#[path = "../odd/mod.rs"]
mod odd;
mod orbits;
mod rules;
mod symmetries;
mod walk;
