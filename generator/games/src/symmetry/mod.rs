//! The symmetries of a game: its [`group`], and the sets of cells folded by it into [`orbits`], ranked by a [`ranker`].

pub mod group;
pub mod orbits;
pub mod ranker;
