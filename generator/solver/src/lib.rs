//! Solves games of the morpion family by retrograde analysis.
//!
//! [`layout`] finds a table's shape, [`sets`] folds the players' sets into rows, [`solve`] finds the entries of layer after
//! layer, from the last to the first, and [`build`] makes a table of them, in memory or as a file that survives interruption.

pub mod build;
pub mod error;
pub mod layout;
pub mod sets;
pub mod solve;
