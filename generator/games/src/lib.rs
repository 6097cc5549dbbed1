//! Games before they are solved: [`rules`] reads rule files, and [`catalogue`] finds games and tables by name.
//! [`symmetry`] finds a game's group and folds its sets into orbits. [`reach`] numbers positions, and finds the positions that play can
//! reach.
//! [`mod@rows`] lists the orbit of each row of an open table.

pub mod catalogue;
pub mod nearest;
pub mod reach;
pub mod rows;
pub mod rules;
pub mod symmetry;
