//! Pages about many games: the atlas, facts from its page, and the registry of solved games.

pub mod atlas;
pub mod known;
pub mod registry;
