//! The symmetries of a game. [`group`] finds them, and [`orbits`] folds sets of cells by them. A [`ranker`] ranks the
//! sets, and [`burnside`] counts the orbits beforehand.

pub mod burnside;
pub mod group;
pub mod orbits;
pub mod ranker;
mod search;
mod structure;
