//! Solver of the morpion family.

pub mod group;
pub mod image;
pub mod isa;
pub mod orbits;
pub mod ranker;
pub mod rule_file;
pub mod solver;
