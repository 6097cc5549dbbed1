//! About one game: its description, and numbers of positions, classes and games.

pub mod count;
pub mod description;
pub mod games;
pub mod least;
