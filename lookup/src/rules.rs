//! The rules of a game as plain data.
//!
//! Holds what a rule file says, and brings it into canonical form. A table's header contains the rules as serde writes them: the
//! order of fields and of variants is the file format, and fields added after its first version are written at the end,
//! if one of them is set. `validate` says which rules are valid.

use crate::board::{Board, MAX_COLUMNS};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The rules of one game, canonical inside a [`Game`](crate::Game). A set of cells is a mask, bit `c` for cell `c`;
/// cells are numbered row by row from the top left. Begin with [`Rules::new`], in which every
/// optional rule is off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rules {
    /// Names the game and its table: letters, digits, `-`, `_`.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The cells.
    pub board: Board,
    /// The lines as masks, ascending, none of which contains another.
    pub lines: Vec<u64>,
    /// Pieces each side has; `None`: the sides place until the board is full.
    pub pieces: Option<u8>,
    /// The movement phase after all pieces are placed; `None` if the game is over then.
    pub movement: Option<Movement>,
    /// Cells on which the opening may not place.
    pub opening: Option<Opening>,
    /// Begin from here, all pieces on the board; `None`: begin from the empty board.
    pub start: Option<Start>,
    /// True if making a line loses.
    pub misere: bool,
    /// For each line the cells that extend it: whoever owns one of them has not made the line. Empty if no line has such cells.
    /// With them the same cells may be a line more than once, and lines ascend together with the cells that extend them.
    #[serde(skip)]
    pub prolongations: Vec<u64>,
    /// The names of the cells, lower-case letters and digits; empty if they are named after the board.
    #[serde(skip)]
    pub names: Vec<String>,
    /// Coordinates at which each cell is drawn; empty if the board gives them.
    #[serde(skip)]
    pub layout: Vec<Point>,
}

/// The fields of the rules that version 2 of the format added, in their order in the file. They follow all other fields of the
/// header, so that these keep their places.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Additions {
    prolongations: Vec<u64>,
    names: Vec<String>,
    layout: Vec<Point>,
}

/// A place on a drawing of the board, right and down from its top left corner. A character is 1 wide, a line of text 2 high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: u16,
    /// Down.
    pub y: u16,
}

/// The movement phase. Begin with [`Movement::new`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Movement {
    /// The cells to which a piece may go.
    pub to: Travel,
    /// True if a lifted piece may go back to its own cell, which is a pass.
    pub stay: bool,
    /// The result for a side to move without a legal move.
    pub stuck: Stuck,
}

impl Movement {
    /// Pieces go where `to` says and may not go back to their own cell; a side that cannot move loses.
    #[must_use]
    pub fn new(to: Travel) -> Movement {
        Movement { to, stay: false, stuck: Stuck::Loss }
    }
}

/// The result for a side that has no legal move once all pieces are placed.
///
/// The order of the variants is the file format. Formats for people write their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Stuck {
    /// It wins.
    Win,
    /// The game is drawn.
    Draw,
    /// It loses.
    Loss,
    /// It passes, and the other side moves. If both are blocked the game never ends.
    Pass,
}

impl Stuck {
    /// Every result, in the order of the variants.
    pub const ALL: [Stuck; 4] = [Stuck::Win, Stuck::Draw, Stuck::Loss, Stuck::Pass];

    /// `win`, `draw`, `loss` or `pass`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stuck::Win => "win",
            Stuck::Draw => "draw",
            Stuck::Loss => "loss",
            Stuck::Pass => "pass",
        }
    }

    /// The value for the side without a legal move, which a side that passes never is.
    pub(crate) fn value(self) -> Value {
        match self {
            Stuck::Win => Value::Win,
            Stuck::Loss => Value::Loss,
            Stuck::Draw | Stuck::Pass => Value::Draw,
        }
    }
}

/// The cells to which a piece may go in the movement phase.
///
/// The order of the variants is the file format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Travel {
    /// To any empty cell.
    Any,
    /// To an empty cell linked with its own: pairs (a, b) with a < b, ascending, each once. Links go both ways.
    Links(Vec<(u8, u8)>),
}

impl Travel {
    /// The names, in the order of the variants.
    pub const NAMES: [&str; 2] = ["any", "links"];

    /// `any` or `links`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let [any, links] = Travel::NAMES;
        match self {
            Travel::Any => any,
            Travel::Links(_) => links,
        }
    }
}

/// A restriction of the first placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Cells that may not be used; not empty.
    pub forbidden: u64,
    /// The placements that it restricts.
    pub during: During,
}

/// The placements to which an [`Opening`] applies.
///
/// The order of the variants is the file format. Formats for people write their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum During {
    /// The first piece of the game.
    First,
    /// The first piece of each side.
    EachFirst,
    /// Every placement.
    Placing,
}

impl During {
    /// Every restriction, in the order of the variants.
    pub const ALL: [During; 3] = [During::First, During::EachFirst, During::Placing];

    /// `first`, `each-first` or `placing`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            During::First => "first",
            During::EachFirst => "each-first",
            During::Placing => "placing",
        }
    }

    /// Number of placements from the start of the game that are restricted, which may exceed their number.
    #[must_use]
    pub const fn plies(self) -> u32 {
        match self {
            During::First => 1,
            During::EachFirst => 2,
            During::Placing => u32::MAX,
        }
    }
}

/// A position to begin from, with all pieces on the board and no line made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Cells of X.
    pub x: u64,
    /// Cells of O.
    pub o: u64,
    /// The side to move.
    pub side: Side,
}

/// One of the two players; X starts the game.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// The first player.
    X,
    /// The second player.
    O,
}

impl Side {
    /// The other side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::X => Side::O,
            Side::O => Side::X,
        }
    }

    /// `x` or `o`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Side::X => 'x',
            Side::O => 'o',
        }
    }
}

/// The worth of a position to the side to move under perfect play.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Value {
    /// The mover can force a win.
    Win,
    /// Neither side can force a win.
    Draw,
    /// The waiter can force a win.
    Loss,
}

impl Value {
    /// Every value, the best first.
    pub const ALL: [Value; 3] = [Value::Win, Value::Draw, Value::Loss];

    /// `win`, `draw` or `loss`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Value::Win => "win",
            Value::Draw => "draw",
            Value::Loss => "loss",
        }
    }

    /// The value for the other side.
    #[must_use]
    pub fn reversed(self) -> Value {
        match self {
            Value::Win => Value::Loss,
            Value::Draw => Value::Draw,
            Value::Loss => Value::Win,
        }
    }
}

impl Rules {
    /// A game of placing until the board is full, whoever makes a line winning. Its title is its name.
    #[must_use]
    pub fn new(name: impl Into<String>, board: Board, lines: Vec<u64>) -> Rules {
        let name = name.into();
        Rules {
            title: name.clone(),
            name,
            board,
            lines,
            pieces: None,
            movement: None,
            opening: None,
            start: None,
            misere: false,
            prolongations: Vec::new(),
            names: Vec::new(),
            layout: Vec::new(),
        }
    }

    /// The fields that version 2 added.
    pub(crate) fn additions(&self) -> Additions {
        Additions {
            prolongations: self.prolongations.clone(),
            names: self.names.clone(),
            layout: self.layout.clone(),
        }
    }

    /// Adds these fields to rules that were read without them.
    pub(crate) fn set_additions(&mut self, Additions { prolongations, names, layout }: Additions) {
        (self.prolongations, self.names, self.layout) = (prolongations, names, layout);
    }

    /// The first version of the format that can contain these rules, so that tables of other games stay unchanged.
    pub(crate) fn version(&self) -> u32 {
        let has_additions =
            !self.prolongations.is_empty() || !self.names.is_empty() || !self.layout.is_empty();
        let has_choices = self.board.holed().is_some()
            || self.movement.as_ref().is_some_and(|movement| movement.stuck == Stuck::Pass);
        if has_additions || has_choices { 2 } else { 1 }
    }

    /// Brings valid rules into canonical form: lines ascending, without duplicates and without lines that are made whenever
    /// another is; links with the lower cell first, ascending, each once; a restriction of no cell removed; names removed
    /// that the board gives as well, if it has a letter for each column; the drawing moved to its top left corner.
    /// Compares every line with every smaller one.
    pub(crate) fn normalise(&mut self) {
        self.normalise_lines();
        if let Some(Movement { to: Travel::Links(links), .. }) = &mut self.movement {
            for link in links.iter_mut() {
                *link = (link.0.min(link.1), link.0.max(link.1));
            }
            links.sort_unstable();
            links.dedup();
        }
        if self.opening.is_some_and(|opening| opening.forbidden == 0) {
            self.opening = None;
        }
        let has_letters = self.board.grid().is_none_or(|(_, columns)| columns <= MAX_COLUMNS);
        let mut names = (0..).zip(&self.names);
        if has_letters && names.all(|(cell, name)| self.board.cell_name(cell) == *name) {
            self.names.clear();
        }
        let left = self.layout.iter().map(|point| point.x).min().unwrap_or(0);
        let top = self.layout.iter().map(|point| point.y).min().unwrap_or(0);
        for point in &mut self.layout {
            *point = Point { x: point.x - left, y: point.y - top };
        }
    }

    fn normalise_lines(&mut self) {
        let prolongations = core::mem::take(&mut self.prolongations);
        let prolongations = prolongations.into_iter().chain(core::iter::repeat(0));
        let mut lines: Vec<(u64, u64)> = self.lines.drain(..).zip(prolongations).collect();
        lines.sort_unstable();
        lines.dedup();
        let mut kept: Vec<(u64, u64)> = Vec::with_capacity(lines.len());
        let longest = lines.iter().map(|line| line.0.count_ones()).max().unwrap_or(0);
        for length in 0..=longest {
            let smaller = kept.len();
            for &(line, prolongation) in lines.iter().filter(|line| line.0.count_ones() == length) {
                // Only a smaller line can lie within this one, or the same with fewer cells that extend it.
                let same = kept[smaller..].iter().rev().take_while(|kept| kept.0 == line);
                let is_within =
                    |kept: &(u64, u64)| kept.0 & line == kept.0 && kept.1 & prolongation == kept.1;
                if !kept[..smaller].iter().chain(same).any(is_within) {
                    kept.push((line, prolongation));
                }
            }
        }
        kept.sort_unstable();
        if kept.iter().any(|kept| kept.1 != 0) {
            self.prolongations = kept.iter().map(|kept| kept.1).collect();
        }
        self.lines = kept.into_iter().map(|kept| kept.0).collect();
    }

    /// Returns whether a text may name a game: 1 to 64 letters, digits, `-` or `_`.
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (1..=64).contains(&text.len()) && text.chars().all(allowed)
    }

    /// Returns whether a text may name a cell: 1 to 6 lower-case letters or digits, but not `pass`.
    #[must_use]
    pub(crate) fn is_cell_name(text: &str) -> bool {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        (1..=6).contains(&text.len()) && text.chars().all(allowed) && text != "pass"
    }

    /// The cell with this name, in either case; `None` if there is none.
    #[must_use]
    pub fn cell_named(&self, text: &str) -> Option<u8> {
        if self.names.is_empty() {
            return self.board.read_cell(text);
        }
        let found = self.names.iter().position(|name| name.eq_ignore_ascii_case(text));
        found.and_then(|cell| u8::try_from(cell).ok())
    }

    /// The lines, each with the cells that extend it.
    pub fn lines_with_prolongations(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let prolongations = self.prolongations.iter().copied().chain(core::iter::repeat(0));
        self.lines.iter().copied().zip(prolongations)
    }
}
