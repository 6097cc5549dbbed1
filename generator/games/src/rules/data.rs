//! The rules of a game as data: the contents of a rule file.

use morpion_core::{Oldest, Start, Step, Stuck, Takes, names};

/// The rules of one game, apart from its board and lines. A set of cells is a mask, bit `c` for cell `c`. By default every optional
/// rule is off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Pieces each side has; `None`: the sides place until the board is full.
    pub pieces: Option<u8>,
    /// The movement phase after all pieces are placed; `None` if the game is over then.
    pub movement: Option<Movement>,
    /// Cells on which the opening may not place.
    pub opening: Option<Opening>,
    /// Position at which the game begins, with all pieces on the board; `None` for the empty board.
    pub start: Option<Start>,
    /// True if making a line loses.
    pub misere: bool,
    /// The moment at which a side that places one more piece loses its oldest piece; `None` if pieces do not age.
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
    /// Maximum number of pieces on the board with which a side without pieces in hand flies: its pieces go to any empty cell. 0 if no piece
    /// flies.
    pub fly: u8,
    /// The result for the side to move if the board is full; `None` if this is the result of a blocked side.
    pub full: Option<Stuck>,
    /// True if a side may move a piece while it has others in hand.
    pub mixed: bool,
}

/// The movement phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// The cells to which a piece may go, apart from jumps.
    pub to: To,
    /// The pieces over which a piece jumps; `None` if pieces do not jump.
    pub jump: Option<Jump>,
    /// The cells that a piece enters only if it is linked with a piece of the other side.
    pub beside: u64,
    /// The moves along links, ascending, each once. Empty if pieces go to any cell, or are pushed.
    pub steps: Vec<Step>,
    /// True if a lifted piece may go back to its own cell, which is a pass.
    pub stay: bool,
    /// The result for a side to move without a legal move.
    pub stuck: Stuck,
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
    /// Straight on along row or column until a piece or the border stops it.
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
    /// The placements to which the restriction applies.
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
    /// Number of plies from the start of the game in which placements are restricted. May exceed the number of placements.
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
    /// Returns true if pieces are pushed in from the border.
    pub(super) fn pushes(&self) -> bool {
        self.movement.as_ref().is_some_and(|movement| movement.to == To::Push)
    }
}
