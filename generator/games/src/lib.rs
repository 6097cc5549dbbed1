//! Games before they are solved: [`rules`] reads rule files, and [`catalogue`] finds games and tables by name.
//! [`symmetry`] finds a game's group and folds its sets into orbits. [`reach`] counts the ways to place its pieces, and finds
//! the positions that play can reach. [`arranged`] numbers the positions of a layer, and [`mod@groups`] finds layers that lead to
//! each other.
//! [`mod@rows`] lists the orbit of each row of an open table.

pub mod arranged;
pub mod catalogue;
pub mod groups;
mod nearest;
pub mod reach;
pub mod rows;
pub mod rules;
pub mod symmetry;
