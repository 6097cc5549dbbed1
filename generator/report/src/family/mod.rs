//! About many games: the atlas, and the registry of solved games.

pub mod atlas;
pub mod registry;
