//! Solver of the morpion family.

pub mod rule_file;
