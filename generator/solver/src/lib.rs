//! Solves games of the morpion family by retrograde analysis.
//!
//! [`layout`] determines the layout of a table, and [`sets`] folds the players' sets into rows. [`solve`] computes the
//! entries layer by layer, from the last to the first. [`build`] makes a table of them, in memory or as a file. An
//! interrupted build can be resumed.

mod ages;
pub mod build;
pub mod error;
pub mod layout;
pub mod sets;
pub mod solve;
