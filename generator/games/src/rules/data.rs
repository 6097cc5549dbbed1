//! The rules of a game as data: the contents of a rule file.

use morpion_core::{Board, Oldest, Point, Start, Step, Stuck, Takes, names};
use thiserror::Error;

/// Invalid rules: the key, the value found, and the values that are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}: {found}, expected {expected}")]
pub struct RulesError {
    /// The key, by the name it has in a rule file.
    pub key: &'static str,
    /// The value found.
    pub found: String,
    /// The value that is allowed.
    pub expected: &'static str,
}

/// The rules of one game. A set of cells is a mask, bit `c` for cell `c`;
/// cells are numbered row by row from the top left. Begin with [`Rules::new`], in which every
/// optional rule is off.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// For each line the cells that extend it: whoever owns one of them has not made the line. In a game, empty if no line has such cells.
    /// With them the same cells may be a line more than once, and lines ascend together with the cells that extend them.
    pub prolongations: Vec<u64>,
    /// The names of the cells, lower-case letters and digits; empty if they are named after the board.
    pub names: Vec<String>,
    /// Coordinates at which each cell is drawn; empty if the board gives them.
    pub layout: Vec<Point>,
    /// When the oldest piece goes as a side that has all its pieces on the board places another one; `None` if pieces do not age.
    pub oldest: Option<Oldest>,
    /// The rules for lines that take pieces; `None` if a line ends the game.
    pub mills: Option<Mills>,
}

/// The rules of games in which a line takes a piece of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Default for Mills {
    /// Pieces outside lines are taken if there are some, two pieces are too few, and no piece flies.
    fn default() -> Mills {
        Mills { takes: Takes::OutsideFirst, least: 3, fly: 0, full: None, mixed: false }
    }
}

/// The movement phase. Begin with [`Movement::new`].
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Travel {
    /// To any empty cell.
    Any,
    /// To an empty cell, if other cells have what a step needs.
    Steps(Steps),
    /// A piece, own or new, from the border to another end of its row or column, which is pushed.
    Push,
}

/// Moves along links, some of which may need something of other cells than their target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The moves without jumps.
    pub to: To,
    /// The pieces over which a piece jumps; `None` if it does not.
    pub jump: Option<Jump>,
    /// The cells that a piece enters only if it is linked with a piece of the other side.
    pub beside: u64,
    /// The moves, ascending, each once.
    pub steps: Vec<Step>,
}

/// The cells to which a piece may go, as a rule file names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Any cell.
    Any,
    /// One step along row or column.
    Orthogonal,
    /// One step in any direction.
    King,
    /// One step along row or column, or along the diagonals of every other cell.
    Drawn,
    /// Along the steps that the file lists.
    Steps,
    /// Along the edges that the file lists.
    Edges,
    /// Pushes from the border.
    Push,
    /// Straight on until a piece or the border stops it.
    Slide,
    /// The same along row or column.
    SlideOrthogonal,
    /// Straight on over any number of empty cells.
    Queen,
}

names!(To {
    Any = "any",
    Orthogonal = "orthogonal",
    King = "king",
    Drawn = "drawn",
    Steps = "steps",
    Edges = "edges",
    Push = "push",
    Slide = "slide",
    SlideOrthogonal = "slide-orthogonal",
    Queen = "queen"
});

/// The pieces over which a piece jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// Pieces of its own side.
    Own,
    /// Pieces of the other side.
    Other,
    /// All pieces.
    Any,
}

names!(Jump { Own = "own", Other = "other", Any = "any" });

/// A restriction of the first placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Cells that may not be used; not empty.
    pub forbidden: u64,
    /// The placements that it restricts.
    pub during: During,
}

/// The placements to which an [`Opening`] applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
            oldest: None,
            mills: None,
        }
    }

    /// Returns true if pieces are pushed in from the border.
    pub(super) fn pushes(&self) -> bool {
        self.movement.as_ref().is_some_and(|movement| movement.to == Travel::Push)
    }

    /// The lines, each with the cells that extend it.
    pub fn lines_with_prolongations(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let prolongations = self.prolongations.iter().copied().chain(std::iter::repeat(0));
        self.lines.iter().copied().zip(prolongations)
    }
}
