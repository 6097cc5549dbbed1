//! Packed tables as bytes of the program, for morpion-lookup with its feature `packed`:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use morpion_lookup::{Packed, Table};
//!
//! let packed = morpion_tables::packed("teeko").ok_or("no such table")?;
//! let table = Table::from_source(Packed::open(packed)?)?;
//! let start = table.game().start().raw;
//! assert_eq!(table.probe(start)?.value().name(), "draw");
//! # Ok(()) }
//! ```
//!
//! The tables are those of all standard games that pack to less than 3 MB and are not inside morpion-lookup. If a program
//! calls [`packed`], the linker includes all tables of this crate, 6.5 MB.
#![no_std]
#![forbid(unsafe_code)]

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

macro_rules! tables {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../", $name, ".morpion.zst")))),*]
    };
}

const TABLES: &[(&str, &[u8])] = tables! {
    "disappearing-4" "classic4" "beginner4" "dao" "five-mens-flying" "neutreeko" "five-mens-morris" "quixo4"
    "teeko" "swap5" "six-mens-flying" "six-mens-morris"
};

/// The names of the games, small ones first.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(name, _)| *name)
}

/// The packed table of a game, or `None`.
#[must_use]
pub fn packed(name: &str) -> Option<&'static [u8]> {
    TABLES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}
