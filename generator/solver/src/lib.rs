//! Solves games of the morpion family by retrograde analysis: [`solve`] finds the entries of layer after layer, from the last
//! to the first; [`build`] makes a table of them, in memory or as a file that survives interruption.

pub mod build;
pub mod solve;
