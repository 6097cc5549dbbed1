//! About many games: the atlas, a comparison of games of disappearing pieces, the registry of solved games.

pub mod atlas;
pub mod disappearing;
pub mod registry;
