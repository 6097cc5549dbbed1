//! Solver of the morpion family: rules in, tables of perfect play out.
//!
//! The modules follow the way of the data: [`rule_file`] reads a game, [`group`] finds its symmetries, [`orbits`] folds
//! its sets into rows, [`solver`] solves layer after layer from the last to the first, [`image`] writes the table, and
//! [`build`] makes a file of it. [`catalogue`] finds games and tables by name, [`answer`] and [`count`] ask them, and [`serve`]
//! shows them. [`verify`] proves a table by a way of its own, [`mod@line`], [`strategy`], [`census`] and [`atlas`] tell what is in it.

pub mod answer;
pub mod arena;
pub mod atlas;
pub mod build;
pub mod burnside;
pub mod catalogue;
pub mod census;
pub mod checkpoint;
pub mod count;
pub mod dice;
pub mod grid;
pub mod group;
pub mod image;
pub mod impartial;
pub mod isa;
pub mod line;
pub mod memory;
pub mod orbits;
pub mod plan;
pub mod players;
pub mod ranker;
pub mod record;
pub mod referee;
pub mod rule_file;
pub mod serve;
pub mod solver;
pub mod strategy;
pub mod usage;
pub mod verify;
