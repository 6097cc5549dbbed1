//! The tables inside this crate: the standard games on at most nine cells, but for `disappearing-4`.
//!
//! Takes a name and returns an open table. A test checks that the files are equal to those in `tables/`.

use crate::bytes::Bytes;
use crate::table::Table;
use crate::{ErrorKind, TableError};

macro_rules! tables {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../builtin/", $name, ".morpion")))),*]
    };
}

const TABLES: &[(&str, &[u8])] = tables! {
    "classic" "misere" "swap" "swap-pass" "tapatan" "nine-holes" "nine-holes-any" "nine-holes-diagonals"
    "picaria" "achi" "rota" "shisima" "tsoro-yematatu" "pong-hau-ki" "mu-torere" "mu-torere-free"
    "disappearing" "disappearing-line-first" "disappearing-remove-first" "quixo3"
};

/// Aliases of built-in games, each with the name of the game.
const ALIASES: &[(&str, &str)] = &[
    ("tic-tac-toe", "classic"),
    ("noughts-and-crosses", "classic"),
    ("misere-tic-tac-toe", "misere"),
    ("three-mens-morris", "tapatan"),
];

/// The name of the game with this name or alias.
pub(crate) fn canonical(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name)
}

impl Table {
    /// The names of the tables inside this crate.
    pub fn builtin_names() -> impl Iterator<Item = &'static str> {
        TABLES.iter().map(|(name, _)| *name)
    }

    /// The built-in table of the game with this name or alias. Costs as much as [`Table::from_source`].
    ///
    /// # Errors
    /// An error of the kind [`ErrorKind::Name`] if there is no such table.
    pub fn builtin(name: &str) -> Result<Table, TableError> {
        let name = canonical(name);
        let known = TABLES.iter().find(|(known, _)| *known == name);
        let shown: alloc::string::String = name.chars().take(64).collect();
        let message = format_args!(
            "{shown:?}: no table inside this crate: Table::builtin_names lists the names, Table::open opens a file"
        );
        let (_, bytes) = known.ok_or_else(|| TableError::new(ErrorKind::Name, message))?;
        Table::from_source(Bytes::from(*bytes))
    }
}
