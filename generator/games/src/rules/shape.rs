//! The shape of a rule file: its tables, their keys and the words that are values.
//!
//! Reads TOML text into a [`RuleFile`] and refuses unknown keys and words. Other checks follow later.

use super::fault::RuleFault;
use crate::nearest::nearest;
use morpion_lookup::{During, Stuck};
use std::fmt;
use toml::de::{DeTable, DeValue};

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

impl RuleFile {
    const KEYS: Keys = &[
        ("name", "\"mine\""),
        ("title", "\"My game\""),
        ("aliases", "[\"ours\"]"),
        ("board", "{ rows = 3, columns = 3 }"),
        ("lines", "{ length = 3 }"),
        ("pieces", "{ each = 3 }"),
        ("moves", "{ to = \"king\" }"),
        ("opening", "{ forbidden = [\"b2\"] }"),
        ("goal", "{ misere = true }"),
    ];

    pub(super) fn read(text: &str) -> Result<RuleFile, RuleFault> {
        let parsed = DeTable::parse(text).map_err(|error| {
            RuleFault::at(text, error.span().map_or(0, |span| span.start), error.message())
        })?;
        let file = Table::new(text, parsed.span().start, parsed.get_ref(), RuleFile::KEYS)?;
        let table = |key, keys| file.table(key, keys);
        Ok(RuleFile {
            name: file.required("name", file.value("name", string)?)?,
            title: file.value("title", string)?,
            aliases: file.value("aliases", strings)?,
            board: BoardTable::read(file.required("board", table("board", BoardTable::KEYS)?)?)?,
            lines: LinesTable::read(file.required("lines", table("lines", LinesTable::KEYS)?)?)?,
            pieces: table("pieces", PiecesTable::KEYS)?.map(PiecesTable::read).transpose()?,
            moves: table("moves", MovesTable::KEYS)?.map(MovesTable::read).transpose()?,
            opening: table("opening", OpeningTable::KEYS)?.map(OpeningTable::read).transpose()?,
            goal: table("goal", GoalTable::KEYS)?.map(GoalTable::read).transpose()?,
        })
    }
}

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

impl BoardTable {
    const KEYS: Keys = &[
        ("rows", "3"),
        ("columns", "3"),
        ("cells", "9"),
        ("blocked", "[\"b2\"]"),
        ("wrap", "\"rows\""),
        ("names", "[\"n\", \"w\", \"e\", \"s\"]"),
        ("layout", "\"a b c\""),
        ("steps", "[[0, 2], [1, 1]]"),
        ("hex", "3"),
    ];

    fn read(table: Table<'_>) -> Result<BoardTable, RuleFault> {
        let wraps = [("rows", Wrap::Rows), ("columns", Wrap::Columns), ("both", Wrap::Both)];
        Ok(BoardTable {
            rows: table.value("rows", number)?,
            columns: table.value("columns", number)?,
            cells: table.value("cells", number)?,
            blocked: table.value("blocked", cells)?,
            wrap: table.word("wrap", &wraps)?,
            names: table.value("names", strings)?,
            layout: table.value("layout", string)?,
            steps: table.value("steps", |value| list(value, |step| pair(step, integer)))?,
            hex: table.value("hex", hex)?,
        })
    }
}

/// A hexagonal board: the side of a hexagon, or the length of each row.
#[derive(Clone)]
pub(super) enum Hex {
    Side(u64),
    Rows(Vec<u64>),
}

#[derive(Clone, Copy, PartialEq)]
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

impl fmt::Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CellKey::Number(number) => write!(f, "{number}"),
            CellKey::Name(name) => write!(f, "{:?}", name.chars().take(64).collect::<String>()),
        }
    }
}

pub(super) struct LinesTable {
    pub length: Option<u64>,
    pub within: Option<Within>,
    pub gaps: Option<bool>,
    pub exact: Option<bool>,
    pub shapes: Option<Vec<String>>,
    pub sets: Option<Vec<Vec<CellKey>>>,
    pub add: Option<Vec<Vec<CellKey>>>,
}

impl LinesTable {
    const KEYS: Keys = &[
        ("length", "3"),
        ("within", "\"full\""),
        ("gaps", "true"),
        ("exact", "true"),
        ("shapes", "[\"XX/XX\"]"),
        ("sets", "[[\"a1\", \"b2\", \"c3\"]]"),
        ("add", "[[\"a1\", \"b2\", \"c3\"]]"),
    ];

    fn read(table: Table<'_>) -> Result<LinesTable, RuleFault> {
        let sets = |value: &DeValue<'_>| list(value, cells);
        Ok(LinesTable {
            length: table.value("length", number)?,
            within: table.word("within", &[("full", Within::Full)])?,
            gaps: table.value("gaps", DeValue::as_bool)?,
            exact: table.value("exact", DeValue::as_bool)?,
            shapes: table.value("shapes", strings)?,
            sets: table.value("sets", sets)?,
            add: table.value("add", sets)?,
        })
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Within {
    Full,
}

pub(super) struct PiecesTable {
    pub each: u64,
}

impl PiecesTable {
    const KEYS: Keys = &[("each", "3")];

    fn read(table: Table<'_>) -> Result<PiecesTable, RuleFault> {
        Ok(PiecesTable { each: table.required("each", table.value("each", number)?)? })
    }
}

pub(super) struct MovesTable {
    pub to: To,
    pub edges: Option<Vec<(CellKey, CellKey)>>,
    pub stay: Option<bool>,
    pub stuck: Option<Stuck>,
}

impl MovesTable {
    const KEYS: Keys = &[
        ("to", "\"king\""),
        ("edges", "[[\"a1\", \"b2\"]]"),
        ("stay", "true"),
        ("stuck", "\"pass\""),
    ];

    fn read(table: Table<'_>) -> Result<MovesTable, RuleFault> {
        let ways = [
            ("any", To::Any),
            ("orthogonal", To::Orthogonal),
            ("king", To::King),
            ("drawn", To::Drawn),
            ("edges", To::Edges),
        ];
        Ok(MovesTable {
            to: table.required("to", table.word("to", &ways)?)?,
            edges: table.value("edges", |value| list(value, |edge| pair(edge, cell)))?,
            stay: table.value("stay", DeValue::as_bool)?,
            stuck: table.word("stuck", &Stuck::ALL.map(|stuck| (stuck.name(), stuck)))?,
        })
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum To {
    Any,
    Orthogonal,
    King,
    Drawn,
    Edges,
}

pub(super) struct OpeningTable {
    pub forbidden: Option<Vec<CellKey>>,
    pub during: Option<During>,
    pub start: Option<String>,
}

impl OpeningTable {
    const KEYS: Keys =
        &[("forbidden", "[\"b2\"]"), ("during", "\"first\""), ("start", "\"XXX/.../OOO\"")];

    fn read(table: Table<'_>) -> Result<OpeningTable, RuleFault> {
        Ok(OpeningTable {
            forbidden: table.value("forbidden", cells)?,
            during: table.word("during", &During::ALL.map(|during| (during.name(), during)))?,
            start: table.value("start", string)?,
        })
    }
}

pub(super) struct GoalTable {
    pub misere: Option<bool>,
}

impl GoalTable {
    const KEYS: Keys = &[("misere", "true")];

    fn read(table: Table<'_>) -> Result<GoalTable, RuleFault> {
        Ok(GoalTable { misere: table.value("misere", DeValue::as_bool)? })
    }
}

/// The keys that a table may have, with an example value of each.
type Keys = &'static [(&'static str, &'static str)];

/// A table of the file, without unknown keys.
struct Table<'t> {
    text: &'t str,
    /// Offset in the text.
    start: usize,
    values: &'t DeTable<'t>,
    keys: Keys,
}

impl<'t> Table<'t> {
    fn new(
        text: &'t str,
        start: usize,
        values: &'t DeTable<'t>,
        keys: Keys,
    ) -> Result<Table<'t>, RuleFault> {
        for (key, _) in values {
            if !keys.iter().any(|(known, _)| known == key.get_ref()) {
                let known: Vec<&str> = keys.iter().map(|(known, _)| *known).collect();
                return Err(unknown(text, key.span().start, "key", key.get_ref(), &known));
            }
        }
        Ok(Table { text, start, values, keys })
    }

    /// The value of a key, if the table has it.
    fn value<T>(
        &self,
        key: &str,
        read: impl Fn(&'t DeValue<'t>) -> Option<T>,
    ) -> Result<Option<T>, RuleFault> {
        let Some(value) = self.values.get(key) else { return Ok(None) };
        match read(value.get_ref()) {
            Some(read) => Ok(Some(read)),
            None => Err(self.wrong(key, value.span().start)),
        }
    }

    /// The table under a key, if there is one.
    fn table(&self, key: &str, keys: Keys) -> Result<Option<Table<'t>>, RuleFault> {
        let Some(values) = self.value(key, DeValue::as_table)? else { return Ok(None) };
        let start = self.values.get(key).map_or(0, |value| value.span().start);
        Table::new(self.text, start, values, keys).map(Some)
    }

    /// The meaning of a word, if the table has the key.
    fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, RuleFault> {
        let Some(word) = self.value(key, DeValue::as_str)? else { return Ok(None) };
        if let Some((_, meaning)) = words.iter().find(|(known, _)| *known == word) {
            return Ok(Some(*meaning));
        }
        let start = self.values.get(key).map_or(0, |value| value.span().start);
        let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
        Err(unknown(self.text, start, "value", word, &known))
    }

    /// The value of a key that the table must have.
    fn required<T>(&self, key: &str, value: Option<T>) -> Result<T, RuleFault> {
        let missing = || RuleFault::at(self.text, self.start, &format!("missing key `{key}`"));
        value.ok_or_else(missing)
    }

    fn wrong(&self, key: &str, start: usize) -> RuleFault {
        let example = self.keys.iter().find(|(known, _)| *known == key).map_or("", |key| key.1);
        let message = format!("wrong value of `{key}`: write for example `{key} = {example}`");
        RuleFault::at(self.text, start, &message)
    }
}

/// An unknown word, with its remedy: the nearest known word, or all of them.
fn unknown(text: &str, start: usize, kind: &str, word: &str, known: &[&str]) -> RuleFault {
    let message = match nearest(word, known.iter().map(|known| (*known).into())).first() {
        Some(near) => format!("unknown {kind} `{word}`: did you mean `{near}`?"),
        None => format!("unknown {kind} `{word}`: use one of {}", known.join(", ")),
    };
    RuleFault::at(text, start, &message)
}

fn string(value: &DeValue<'_>) -> Option<String> {
    value.as_str().map(String::from)
}

fn strings(value: &DeValue<'_>) -> Option<Vec<String>> {
    list(value, string)
}

fn integer<T: TryFrom<i64>>(value: &DeValue<'_>) -> Option<T> {
    let integer = value.as_integer()?;
    T::try_from(i64::from_str_radix(integer.as_str(), integer.radix()).ok()?).ok()
}

fn number(value: &DeValue<'_>) -> Option<u64> {
    integer(value)
}

fn cell(value: &DeValue<'_>) -> Option<CellKey> {
    string(value).map(CellKey::Name).or_else(|| number(value).map(CellKey::Number))
}

fn cells(value: &DeValue<'_>) -> Option<Vec<CellKey>> {
    list(value, cell)
}

fn hex(value: &DeValue<'_>) -> Option<Hex> {
    number(value).map(Hex::Side).or_else(|| list(value, number).map(Hex::Rows))
}

fn list<T>(value: &DeValue<'_>, item: fn(&DeValue<'_>) -> Option<T>) -> Option<Vec<T>> {
    let mut items = Vec::new();
    for value in value.as_array()?.iter() {
        items.push(item(value.get_ref())?);
    }
    Some(items)
}

fn pair<T>(value: &DeValue<'_>, item: fn(&DeValue<'_>) -> Option<T>) -> Option<(T, T)> {
    let [a, b]: [T; 2] = list(value, item)?.try_into().ok()?;
    Some((a, b))
}
