//! Games: their rule files, their names, their symmetries.

mod burnside;
mod catalogue;
mod faults;
mod group;
#[path = "../odd/mod.rs"]
mod odd;
mod orbits;
mod rules;
mod symmetries;
