//! The shape of a rule file: its tables, their keys and the words that are values.
//!
//! Serde reads TOML text into this structure and refuses unknown keys and words. Other checks follow later.

use morpion_lookup::{During, Stuck};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleFile {
    pub name: String,
    pub title: Option<String>,
    pub aliases: Option<Vec<String>>,
    pub board: BoardTable,
    pub lines: LinesTable,
    pub pieces: Option<PiecesTable>,
    pub moves: Option<MovesTable>,
    pub opening: Option<OpeningTable>,
    pub goal: Option<GoalTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardTable {
    pub rows: Option<u64>,
    pub columns: Option<u64>,
    pub cells: Option<u64>,
    pub blocked: Option<Vec<CellKey>>,
    pub wrap: Option<Wrap>,
    pub names: Option<Vec<String>>,
    pub layout: Option<String>,
    pub steps: Option<Vec<(i32, i32)>>,
    pub hex: Option<Hex>,
}

/// A hexagonal board: the side of a hexagon, or the length of each row.
#[derive(Clone)]
pub(super) enum Hex {
    Side(u64),
    Rows(Vec<u64>),
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hex, D::Error> {
        struct HexVisitor;
        impl<'de> Visitor<'de> for HexVisitor {
            type Value = Hex;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the side of a hexagon such as 3, or the lengths of its rows such as [3, 4, 5, 4, 3]")
            }

            fn visit_i64<E: Error>(self, side: i64) -> Result<Hex, E> {
                u64::try_from(side)
                    .map(Hex::Side)
                    .map_err(|_| E::invalid_value(serde::de::Unexpected::Signed(side), &self))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Hex, A::Error> {
                let mut rows = Vec::new();
                while let Some(length) = seq.next_element()? {
                    rows.push(length);
                }
                Ok(Hex::Rows(rows))
            }
        }
        deserializer.deserialize_any(HexVisitor)
    }
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Wrap {
    Rows,
    Columns,
    Both,
}

/// A cell by its number or by its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CellKey {
    Number(u64),
    Name(String),
}

impl<'de> Deserialize<'de> for CellKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CellKey, D::Error> {
        struct Cell;
        impl Visitor<'_> for Cell {
            type Value = CellKey;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a cell, by its name or its number")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<CellKey, E> {
                let unsigned = u64::try_from(number);
                unsigned
                    .map(CellKey::Number)
                    .map_err(|_| E::invalid_value(serde::de::Unexpected::Signed(number), &self))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<CellKey, E> {
                Ok(CellKey::Name(name.into()))
            }
        }
        deserializer.deserialize_any(Cell)
    }
}

impl fmt::Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CellKey::Number(number) => write!(f, "{number}"),
            CellKey::Name(name) => write!(f, "{:?}", name.chars().take(64).collect::<String>()),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinesTable {
    pub length: Option<u64>,
    pub within: Option<Within>,
    pub gaps: Option<bool>,
    pub exact: Option<bool>,
    pub shapes: Option<Vec<String>>,
    pub sets: Option<Vec<Vec<CellKey>>>,
    pub add: Option<Vec<Vec<CellKey>>>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Within {
    Full,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PiecesTable {
    pub each: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MovesTable {
    pub to: To,
    pub edges: Option<Vec<(CellKey, CellKey)>>,
    pub stay: Option<bool>,
    pub stuck: Option<Stuck>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum To {
    Any,
    Orthogonal,
    King,
    Drawn,
    Edges,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpeningTable {
    pub forbidden: Option<Vec<CellKey>>,
    pub during: Option<During>,
    pub start: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoalTable {
    pub misere: Option<bool>,
}
