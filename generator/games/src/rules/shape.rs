//! The shape of a rule file: its tables, their keys and the words that are values.
//!
//! Reads parsed TOML into a [`RuleFile`]. Unknown and missing keys, wrong values and unknown words are faults. A table with a
//! fault is `None`, so that no later check reports what follows from it.

use super::data::{During, Jump, To};
use super::fault::Faults;
use crate::nearest::nearest;
use morpion_core::{Oldest, Stuck, Takes};
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value of the file with its place.
type Item<'t> = Spanned<DeValue<'t>>;

/// A key of a table, with its path in the file and an example of its value.
struct Key<'t> {
    path: &'t str,
    name: &'static str,
    example: &'static str,
    faults: &'t Faults,
}

/// A value that a key may have.
trait Value: Sized {
    /// Reads the value. `None` is a wrong value, which the caller reports unless a fault was added.
    fn of(item: &Item<'_>, key: &Key<'_>) -> Option<Self>;
}

/// Declares a table: every key with its type and an example. The table must have the keys that are marked.
macro_rules! table {
    ($table:ident { $($name:ident: $type:ty = $example:literal $($required:ident)?),* $(,)? }) => {
        pub(super) struct $table {
            $(pub $name: Option<$type>,)*
        }

        impl $table {
            /// The keys, in the order in which the canonical form has them.
            pub const KEYS: &[&str] = &[$(stringify!($name)),*];

            /// Reads the table at a place in the file. The path ends with a dot unless it is empty. Values with a fault are `None`.
            pub fn read(values: &DeTable<'_>, place: usize, path: &str, faults: &Faults) -> $table {
                refuse_unknown_keys(values, path, $table::KEYS, faults);
                $table { $($name: {
                    let path = &format!("{path}{}", stringify!($name));
                    let key = Key { path, name: stringify!($name), example: $example, faults };
                    match values.get(key.name) {
                        Some(item) => read(item, &key),
                        None if concat!($(stringify!($required))?) == "required" => {
                            faults.at(place, path, remedy("missing", &key))
                        }
                        None => None,
                    }
                },)* }
            }
        }

        impl Value for $table {
            fn of(item: &Item<'_>, key: &Key<'_>) -> Option<$table> {
                let (values, place) = (item.get_ref().as_table()?, item.span().start);
                key.faults.unless_more(|| $table::read(values, place, &format!("{}.", key.path), key.faults))
            }
        }
    };
}

table!(RuleFile {
    name: String = "\"mine\"" required,
    title: String = "\"My game\"",
    aliases: Vec<String> = "[\"ours\"]",
    board: BoardTable = "{ rows = 3, columns = 3 }" required,
    lines: LinesTable = "{ length = 3 }" required,
    pieces: PiecesTable = "{ each = 3 }",
    moves: MovesTable = "{ to = \"king\" }",
    mills: MillsTable = "{ fly = 3 }",
    opening: OpeningTable = "{ forbidden = [\"b2\"] }",
    goal: GoalTable = "{ misere = true }",
});

table!(BoardTable {
    rows: u8 = "3",
    columns: u8 = "3",
    cells: u8 = "9",
    blocked: Vec<CellKey> = "[\"b2\"]",
    wrap: Wrap = "\"rows\"",
    names: Vec<String> = "[\"n\", \"w\", \"e\", \"s\"]",
    layout: String = "\"a b c\"",
    steps: Vec<(i32, i32)> = "[[0, 2], [1, 1]]",
    hex: Hex = "3",
});

table!(LinesTable {
    length: u64 = "3",
    within: Within = "\"full\"",
    gaps: bool = "true",
    exact: bool = "true",
    shapes: Vec<Spanned<String>> = "[\"XX/XX\"]",
    sets: Vec<Spanned<Vec<CellKey>>> = "[[\"a1\", \"b2\", \"c3\"]]",
    add: Vec<Spanned<Vec<CellKey>>> = "[[\"a1\", \"b2\", \"c3\"]]",
});

table!(PiecesTable { each: u8 = "3" required, });

table!(MovesTable {
    to: To = "\"king\"",
    oldest: Oldest = "\"before-lines\"",
    edges: Vec<(CellKey, CellKey)> = "[[\"a1\", \"b2\"]]",
    steps: Vec<Spanned<(i32, i32)>> = "[[1, 2]]",
    stay: bool = "true",
    stuck: Stuck = "\"pass\"",
    jump: Jump = "\"other\"",
    beside: Beside = "\"other\"",
});

table!(MillsTable {
    takes: Takes = "\"outside\"",
    least: u8 = "3",
    fly: u8 = "3",
    full: Stuck = "\"draw\"",
    mixed: bool = "true",
});

table!(OpeningTable {
    forbidden: Vec<CellKey> = "[\"b2\"]",
    during: During = "\"first\"",
    start: String = "\"XXX/.../OOO\"",
});

table!(GoalTable { misere: bool = "true" });

/// Implements [`Value`].
macro_rules! values {
    ($($type:ty: |$item:ident, $key:ident| $value:expr;)*) => {$(
        impl Value for $type {
            fn of($item: &Item<'_>, $key: &Key<'_>) -> Option<$type> { $value }
        }
    )*};
}

/// Declares words that are the values of a key.
macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal),* }) => {
        #[derive(Clone, Copy, PartialEq)]
        pub(super) enum $type { $($variant),* }
        values!($type: |item, key| word(item, key, &[$(($word, $type::$variant)),*]););
    };
}

words!(Wrap { Rows = "rows", Columns = "columns", Both = "both" });
words!(Within { Full = "full" });

values! {
    Stuck: |item, key| word(item, key, &Stuck::ALL.map(|stuck| (stuck.name(), stuck)));
    During: |item, key| word(item, key, &During::ALL.map(|during| (during.name(), during)));
    To: |item, key| word(item, key, &To::ALL.map(|to| (to.name(), to)));
    Jump: |item, key| word(item, key, &Jump::ALL.map(|jump| (jump.name(), jump)));
    Oldest: |item, key| word(item, key, &Oldest::ALL.map(|oldest| (oldest.name(), oldest)));
    Takes: |item, key| word(item, key, &Takes::ALL.map(|takes| (takes.name(), takes)));
    bool: |item, key| match item.get_ref().as_bool() {
        None => key.faults.at(item.span().start, key.path, "wrong value; write true or false"),
        found => found,
    };
    String: |item, _key| item.get_ref().as_str().map(String::from);
    u64: |item, _key| integer(item);
    u8: |item, key| {
        let number: u64 = integer(item)?;
        let message = format!("{number}; write a number below 256");
        number.try_into().ok().or_else(|| key.faults.at(item.span().start, key.path, message))
    };
    i32: |item, _key| integer(item);
    Beside: |item, key| Vec::of(item, key).map(Beside::Into).or_else(|| word(item, key, &[("other", ())]).map(|()| Beside::Other));
    Hex: |item, key| u64::of(item, key).map(Hex::Side).or_else(|| Vec::of(item, key).map(Hex::Rows));
    CellKey: |item, key| {
        let name = String::of(item, key).map(CellName::Name);
        let name = name.or_else(|| u64::of(item, key).map(CellName::Number))?;
        Some(CellKey { place: item.span().start, name })
    };
}

/// A hexagonal board: the side of a hexagon, or the length of each row.
pub(super) enum Hex {
    Side(u64),
    Rows(Vec<u64>),
}

/// The moves that need a piece of the other side on a linked cell: all moves, or the moves into some cells.
pub(super) enum Beside {
    Other,
    Into(Vec<CellKey>),
}

/// A cell by its number or by its name, with its place in the text.
pub(super) struct CellKey {
    pub place: usize,
    pub name: CellName,
}

pub(super) enum CellName {
    Number(u64),
    Name(String),
}

impl fmt::Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.name {
            CellName::Number(number) => write!(f, "{number}"),
            CellName::Name(name) => write!(f, "{:?}", name.chars().take(64).collect::<String>()),
        }
    }
}

impl<T: Value> Value for Spanned<T> {
    fn of(item: &Item<'_>, key: &Key<'_>) -> Option<Spanned<T>> {
        Some(Spanned::new(item.span(), T::of(item, key)?))
    }
}

impl<T: Value> Value for Vec<T> {
    fn of(item: &Item<'_>, key: &Key<'_>) -> Option<Vec<T>> {
        // Every item is read, so that every wrong item is reported.
        let items: Vec<_> = item.get_ref().as_array()?.iter().map(|item| read(item, key)).collect();
        items.into_iter().collect()
    }
}

impl<T: Value> Value for (T, T) {
    fn of(item: &Item<'_>, key: &Key<'_>) -> Option<(T, T)> {
        let [a, b] = Vec::of(item, key)?.try_into().ok()?;
        Some((a, b))
    }
}

fn integer<T: TryFrom<i64>>(item: &Item<'_>) -> Option<T> {
    let digits = item.get_ref().as_integer()?;
    T::try_from(i64::from_str_radix(digits.as_str(), digits.radix()).ok()?).ok()
}

/// Reads a value, and reports it if it is wrong.
fn read<T: Value>(item: &Item<'_>, key: &Key<'_>) -> Option<T> {
    let value = key.faults.unless_more(|| T::of(item, key))?;
    value.or_else(|| key.faults.at(item.span().start, key.path, remedy("wrong value", key)))
}

fn remedy(problem: &str, key: &Key<'_>) -> String {
    format!("{problem}; write for example `{} = {}`", key.name, key.example)
}

/// The keys of each table in their order in the canonical form. They also serve to recognise a key in the wrong table.
pub(super) const TABLES: [(&str, &[&str]); 8] = [
    ("", RuleFile::KEYS),
    ("board", BoardTable::KEYS),
    ("lines", LinesTable::KEYS),
    ("pieces", PiecesTable::KEYS),
    ("moves", MovesTable::KEYS),
    ("mills", MillsTable::KEYS),
    ("opening", OpeningTable::KEYS),
    ("goal", GoalTable::KEYS),
];

/// All keys below a table, such as `moves.stay`.
pub fn keys() -> impl Iterator<Item = String> {
    let tables = TABLES.into_iter().filter(|(table, _)| !table.is_empty());
    tables.flat_map(|(table, keys)| keys.iter().map(move |key| format!("{table}.{key}")))
}

fn refuse_unknown_keys(values: &DeTable<'_>, path: &str, known: &[&str], faults: &Faults) {
    for key in values.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
        let owner = TABLES.iter().find(|(_, keys)| keys.contains(&key.get_ref().as_ref()));
        let message = match owner {
            Some(("", _)) => format!("`{}` belongs above the first table", key.get_ref()),
            Some((table, _)) => format!("`{}` belongs below [{table}]", key.get_ref()),
            None => unknown("key", key.get_ref(), known),
        };
        let name: String = key.get_ref().chars().take(64).collect();
        faults.at::<()>(key.span().start, &format!("{path}{name}"), message);
    }
}

/// Looks up the value of a word in `words`. An unknown word is a fault.
fn word<T: Copy>(item: &Item<'_>, key: &Key<'_>, words: &[(&str, T)]) -> Option<T> {
    let word = item.get_ref().as_str()?;
    let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
    let meaning = words.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning);
    let fault = || key.faults.at(item.span().start, key.path, unknown("value", word, &known));
    meaning.or_else(fault)
}

/// The message of an unknown word, with its remedy: the nearest known word, or all known words.
fn unknown(kind: &str, word: &str, known: &[&str]) -> String {
    let word: String = word.chars().take(64).collect();
    let lower = word.to_ascii_lowercase();
    let is_meant = |words: &str| words.split(' ').any(|one| lower.contains(one));
    if let Some((_, remedy)) = REMEDIES.iter().find(|(words, _)| is_meant(words)) {
        return format!("unknown {kind} `{word}`; {remedy}");
    }
    match nearest(&word, known.iter().map(|known| (*known).into())).first() {
        Some(near) => format!("unknown {kind} `{word}`; did you mean `{near}`?"),
        None => format!("unknown {kind} `{word}`; use one of {}", known.join(", ")),
    }
}

/// Words that people write for moves and rules, and the right way to write the rule, or the note that it does not exist.
const REMEDIES: [(&str, &str); 5] = [
    ("knight", "write `to = \"steps\"` and `steps = [[1, 2]]`"),
    ("bishop diagonal", "write `to = \"steps\"` and `steps = [[1, 1]]` for one step"),
    ("rook", "write `to = \"slide-orthogonal\"`"),
    ("sliding", "write `to = \"slide\"`"),
    (
        "captur custod enclos surround gravity drop one-way oneway pie swap-first army armies wild either",
        "out of scope: see \"What is refused\" in RULES.md (morpion help rules)",
    ),
];
