//! Games before anything is solved: [`rules`] reads rule files, [`catalogue`] finds games and tables by name, [`symmetry`]
//! finds a game's group and folds its sets into orbits. [`progress`] is how long work on a game is followed and stopped.

pub mod catalogue;
pub mod progress;
pub mod rules;
pub mod symmetry;
