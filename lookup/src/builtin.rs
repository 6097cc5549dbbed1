//! The tables inside this crate: the standard games on nine cells.
//!
//! Takes a name, and gives an open table. The files are those of `tables/`; a test checks that they are the same.

use crate::bytes::Bytes;
use crate::table::Table;

macro_rules! tables {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../builtin/", $name, ".morpion")))),*]
    };
}

const TABLES: &[(&str, &[u8])] = tables![
    "classic",
    "misere",
    "swap",
    "swap-pass",
    "tapatan",
    "nine-holes",
    "nine-holes-any",
    "nine-holes-diagonals",
    "picaria",
    "achi",
    "rota",
    "shisima",
];

/// The names of the built-in tables.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(name, _)| *name)
}

/// The built-in table of this name, or `None`. Costs what [`Table::open`] costs.
#[must_use]
pub fn builtin(name: &str) -> Option<Table> {
    let (_, bytes) = TABLES.iter().find(|(known, _)| *known == name)?;
    Table::open(Bytes::from(*bytes)).ok()
}
