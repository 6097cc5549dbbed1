//! Documentation for authors of rule files: the page that explains all keys, and a starter file.

use morpion_core::Game;

/// `tables/RULES.md`, which explains every key of a rule file in lines of at most 80 characters.
pub const PAGE: &str = include_str!("../../RULES.md");

/// A commented rule file of a game called `name`; `None` if the name is invalid.
pub fn starter(name: &str) -> Option<String> {
    Game::is_name(name).then(|| include_str!("starter.toml").replace("NAME", name))
}
