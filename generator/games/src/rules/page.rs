//! What the author of a rule file reads: the page that explains its keys, and a file to begin with.

use morpion_lookup::Rules;

/// `tables/RULES.md`: every key of a rule file, in lines of at most 80 characters.
pub const PAGE: &str = include_str!("../../RULES.md");

/// A rule file with comments that describes a game called `name`; `None` where that is no name.
pub fn starter(name: &str) -> Option<String> {
    Rules::is_name(name).then(|| include_str!("starter.toml").replace("NAME", name))
}
