//! The part of a game that people see: its names, its rule file, and its board as it is drawn.
//!
//! Readers of a table do not need it to answer. Names of cells, texts and drawings follow from it.

use crate::board::Board;
use crate::position::Side;
use alloc::string::String;
use alloc::vec::Vec;

/// The part of a game that people see, and its start. The order of the fields is the file format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Names the game and its table: 1 to 64 letters, digits, `-`, `_`.
    pub name: String,
    /// One line for people, of at most 1,024 bytes.
    pub title: String,
    /// The rule file in canonical form, without name and title. Readers do not interpret it.
    pub rules: String,
    /// The shape of the board.
    pub board: Board,
    /// The names of the cells; empty if they are named after the board.
    pub names: Vec<String>,
    /// Places at which the cells are drawn; empty if the board gives them.
    pub layout: Vec<Point>,
    /// The position in which the game begins.
    pub start: Start,
}

/// The position in which a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Word of X.
    pub x: u64,
    /// Word of O.
    pub o: u64,
    /// The side to move.
    pub side: Side,
}

fields!(Start { x, o, side });
fields!(About { name, title, rules, board, names, layout, start });

/// A place on a drawing of the board, right and down from its top left corner. A character is 1 wide, a line of text 2 high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// To the right.
    pub x: u16,
    /// Down.
    pub y: u16,
}

fields!(Point { x, y });
