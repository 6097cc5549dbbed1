//! The standard games by name, and the names of files of rules and tables.

use crate::rules::{self, NamedGame};
use morpion_core::Game;
use std::path::Path;

macro_rules! presets {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../presets/", $name, ".toml")))),*]
    };
}

/// The standard games with the text of their rule files, smaller games first.
const STANDARD: &[(&str, &str)] = presets! {
    "classic" "misere" "swap" "swap-pass" "tapatan" "nine-holes" "nine-holes-any" "nine-holes-diagonals" "picaria"
    "achi" "rota" "shisima" "tsoro-yematatu" "pong-hau-ki" "mu-torere" "mu-torere-free" "disappearing" "disappearing-line-first" "disappearing-remove-first" "disappearing-4"
    "quixo3" "classic4" "beginner4" "swap4" "dao" "neutreeko" "teeko" "teeko-advanced" "beginner5" "swap5" "classic5x4k4" "classic5k5" "classic5k4"
    "swap6" "beginner6" "quixo4" "five-mens-morris" "five-mens-flying" "six-mens-morris" "six-mens-flying" "seven-mens-morris" "seven-mens-flying" "seven-mens-centre" "disappearing4x4"
    "disappearing4x4-line-first" "disappearing4x4-remove-first" "nine-mens-morris" "morabaraba"
    "quixo5"
};

/// Short titles, by name, of the standard games whose titles are sentences or begin alike. Titles are part of published tables, short
/// titles are not.
const SHORT_TITLES: &[(&str, &str)] = &[
    ("swap", "Swap"),
    ("swap-pass", "Swap with pass"),
    ("mu-torere-free", "Mū tōrere, free first move"),
    ("nine-holes-any", "Nine holes, any cell"),
    ("beginner4", "Three of four on 4×4"),
    ("swap4", "Swap on 4×4"),
    ("beginner5", "Four of five on 5×5"),
    ("swap5", "Swap on 5×5"),
    ("classic5x4k4", "Four in a row on 5×4"),
    ("five-mens-flying", "Five men's morris, with flying"),
    ("six-mens-flying", "Six men's morris, with flying"),
    ("seven-mens-flying", "Seven men's morris, with flying"),
    ("seven-mens-centre", "Seven men's morris, two centre lines"),
    ("swap6", "Swap on 6×6"),
    ("beginner6", "Five of six on 6×6"),
    ("disappearing-4", "Disappearing tic-tac-toe, four marks"),
    ("disappearing-line-first", "Disappearing tic-tac-toe, lines first"),
    ("disappearing-remove-first", "Disappearing tic-tac-toe, oldest first"),
    ("disappearing4x4-line-first", "Disappearing tic-tac-toe on 4×4, lines first"),
    ("disappearing4x4-remove-first", "Disappearing tic-tac-toe on 4×4, oldest first"),
];

/// Extension of a rule file.
pub const RULES: &str = "toml";

/// Extension of a plain table.
pub const EXTENSION: &str = "morpion";

/// Extension of a packed table.
pub const PACKED: &str = "morpion.zst";

/// A table from a file of either kind, from memory, or from the program.
pub use morpion_lookup::Table;

/// The standard games, smaller games first.
pub fn standard() -> impl Iterator<Item = Game> {
    standard_named().map(|named| named.game)
}

/// The standard games with their aliases.
pub fn standard_named() -> impl Iterator<Item = NamedGame> {
    STANDARD.iter().map(|(name, text)| {
        rules::parse_named(&format!("{name}.toml"), text).expect("a preset is sound")
    })
}

/// The standard game of this name or alias.
pub fn standard_game(name: &str) -> Option<Game> {
    standard_named().find(|named| named.is_called(name)).map(|named| named.game)
}

/// The rule file of the standard game of this name.
pub fn standard_text(name: &str) -> Option<&'static str> {
    STANDARD.iter().find(|(standard, _)| *standard == name).map(|&(_, text)| text)
}

/// The rule file of the standard game to which a table belongs.
pub fn standard_rules(table: &Table) -> Option<&'static str> {
    let name = &table.game().name();
    let (_, text) = STANDARD.iter().find(|(standard, _)| standard == name)?;
    let game = rules::parse(name, text).ok()?;
    table.expect_rules(&game).is_ok().then_some(text)
}

/// The title of a game for menus: the name of a standard game, else the title up to its first colon or comma.
pub fn short_title(game: &Game) -> &str {
    let (name, title) = (game.name(), game.title());
    let is_standard = || {
        let line = format!("title = \"{title}\"");
        STANDARD.iter().any(|(standard, text)| *standard == name && text.contains(&line))
    };
    match SHORT_TITLES.iter().find(|(standard, _)| *standard == name) {
        Some((_, short)) if is_standard() => short,
        _ => title.split([':', ',']).next().unwrap_or(title),
    }
}

/// The bytes of a packed table inside the program.
pub fn builtin_packed(name: &str) -> Option<&'static [u8]> {
    morpion_tables::packed(name)
}

/// Returns true if an argument names a rule file.
pub fn is_rule_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == RULES)
}

/// Returns true if an argument names a table file.
pub fn is_table_file(name: &str) -> bool {
    [EXTENSION, PACKED].iter().any(|ending| name.ends_with(&format!(".{ending}")))
}

/// Returns true if an argument names a file rather than a game.
pub fn is_file_name(name: &str) -> bool {
    name.contains(['/', '\\']) || Path::new(name).extension().is_some()
}
