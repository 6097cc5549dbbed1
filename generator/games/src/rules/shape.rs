//! The shape of a rule file: its tables, their keys and the words that are values.
//!
//! In: TOML text, read by serde, which refuses keys and words that are not here. Out: one structure, not yet checked.

use serde::Deserialize;

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
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinesTable {
    pub length: Option<u64>,
    pub within: Option<Within>,
    pub gaps: Option<bool>,
    pub sets: Option<Vec<Vec<u64>>>,
    pub add: Option<Vec<Vec<u64>>>,
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
    pub edges: Option<Vec<(u64, u64)>>,
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

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stuck {
    Loss,
    Draw,
    Win,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpeningTable {
    pub forbidden: Option<Vec<u64>>,
    pub during: Option<DuringKey>,
    pub start: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DuringKey {
    First,
    EachFirst,
    Placing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoalTable {
    pub misere: Option<bool>,
}
