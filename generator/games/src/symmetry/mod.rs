//! The symmetries of a game: its [`group`], and the sets of cells folded by it into [`orbits`], ranked by a [`ranker`] and
//! counted beforehand by [`burnside`].

pub mod burnside;
pub mod group;
pub mod orbits;
pub mod ranker;
mod search;
mod structure;
