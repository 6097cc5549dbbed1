//! The rules of a game as plain data.
//!
//! Holds what a rule file says. A table's header contains the rules as serde writes them: the
//! order of fields and of variants is the file format, and fields added after its first version are written at the end,
//! if one of them is set.

use crate::{Board, Side};
use alloc::string::String;
use alloc::vec::Vec;
use morpion_core::names;
use morpion_core::{Oldest, Stuck, Takes};
use serde::{Deserialize, Serialize};

/// The rules of one game, canonical inside a [`Game`](crate::Game). A set of cells is a mask, bit `c` for cell `c`;
/// cells are numbered row by row from the top left. Begin with [`Rules::new`], in which every
/// optional rule is off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The rules that only version 3 of the format has.
    #[serde(skip)]
    pub further: Further,
}

/// The rules that version 3 of the format added. The order of the fields is the file format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Further {
    /// When the oldest piece goes as a side that has all its pieces on the board places another one; `None` if pieces do not age.
    pub oldest: Option<Oldest>,
    /// The rules for lines that take pieces; `None` if a line ends the game.
    pub mills: Option<Mills>,
}

/// The rules of games in which a line takes a piece of the other side. Begin with [`Mills::new`]. The order of the fields is the file
/// format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Mills {
    /// The pieces that may be taken.
    pub takes: Takes,
    /// A side with fewer pieces on the board and none in hand has lost.
    pub least: u8,
    /// A side with at most so many pieces on the board and none in hand moves to any empty cell.
    pub fly: u8,
    /// The result for the side to move if the board is full; `None` if it is that of a blocked side.
    pub full: Option<Stuck>,
    /// True if a side may move a piece while it has others in hand.
    pub mixed: bool,
}

impl Mills {
    /// Pieces outside lines are taken if there are some, two pieces are too few, and no piece flies.
    #[must_use]
    pub fn new() -> Mills {
        Mills { takes: Takes::OutsideFirst, least: 3, fly: 0, full: None, mixed: false }
    }
}

impl Default for Mills {
    fn default() -> Mills {
        Mills::new()
    }
}

/// The fields of the rules that version 2 of the format added: prolongations, names and layout. They follow all other fields of the
/// header, so that these keep their places.
pub(crate) type Additions<P = Vec<u64>, N = Vec<String>, L = Vec<Point>> = (P, N, L);

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

/// The cells to which a piece may go in the movement phase.
///
/// The order of the variants is the file format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Travel {
    /// To any empty cell.
    Any,
    /// To an empty cell linked with its own: pairs (a, b) with a < b, ascending, each once. Links go both ways.
    Links(Vec<(u8, u8)>),
    /// A piece, own or new, from the border to another end of its row or column, which is pushed.
    Push,
}

impl Travel {
    /// `any`, `links` or `push`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Travel::Any => "any",
            Travel::Links(_) => "links",
            Travel::Push => "push",
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
pub enum During {
    /// The first piece of the game.
    First,
    /// The first piece of each side.
    EachFirst,
    /// Every placement.
    Placing,
}

names!(During { First = "first", EachFirst = "each-first", Placing = "placing" });

impl During {
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
            further: Further::default(),
        }
    }

    /// The fields that version 2 added.
    pub(crate) fn additions(&self) -> Additions<&Vec<u64>, &Vec<String>, &Vec<Point>> {
        (&self.prolongations, &self.names, &self.layout)
    }

    /// The first version of the format that can contain these rules, so that tables of other games stay unchanged.
    pub fn version(&self) -> u32 {
        if self.further != Further::default() || self.pushes() {
            return 3;
        }
        let is_first = self.prolongations.is_empty()
            && self.names.is_empty()
            && self.layout.is_empty()
            && self.board.holed().is_none()
            && self.movement.as_ref().is_none_or(|movement| movement.stuck != Stuck::Pass);
        if is_first { 1 } else { 2 }
    }

    /// Returns true if pieces are pushed in from the border.
    pub(crate) fn pushes(&self) -> bool {
        self.movement.as_ref().is_some_and(|movement| movement.to == Travel::Push)
    }

    /// Returns whether a text may name a game: 1 to 64 letters, digits, `-` or `_`.
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (1..=64).contains(&text.len()) && text.chars().all(allowed)
    }

    /// The lines, each with the cells that extend it.
    pub fn lines_with_prolongations(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let prolongations = self.prolongations.iter().copied().chain(core::iter::repeat(0));
        self.lines.iter().copied().zip(prolongations)
    }
}
