//! The part of a game that people see: its names, its rule file, and its board as it is drawn.
//!
//! Readers of a table do not need it to answer. Names of cells, texts and drawings follow from it.

use crate::board::Board;
use crate::position::Side;
use alloc::string::String;
use alloc::vec::Vec;
use xxhash_rust::xxh3::xxh3_64;

/// The part of a game that people see, and its start. The order of the fields is the file format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Name of the game and of its table: 1 to 64 letters, digits, `-`, `_`.
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
    /// Distance from the left edge, in characters.
    pub x: u16,
    /// Distance from the top edge, in half lines.
    pub y: u16,
}

fields!(Point { x, y });

impl About {
    /// The fingerprint of the rules: see [`Game::fingerprint`](crate::Game::fingerprint).
    pub(crate) fn fingerprint(&self) -> u64 {
        xxh3_64(self.rules.as_bytes())
    }

    /// The first contradiction in these fields. The start is not checked here: that needs the whole game.
    pub(crate) fn contradiction(&self) -> Option<&'static str> {
        let About { name, title, board, names, layout, .. } = self;
        let cells = board.cells() as usize;
        let is_name = |name: &String| {
            let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
            (1..=6).contains(&name.len()) && name.chars().all(allowed) && name != "pass"
        };
        let is_whole = |length: usize, each_once: bool| length == 0 || length == cells && each_once;
        let is_at_zero = |side: fn(&Point) -> u16| layout.iter().map(side).min() == Some(0);
        let checks = [
            (is_name_of_game(name), "a name that is not 1 to 64 letters, digits, - or _"),
            (title.len() <= 1024 && !title.chars().any(char::is_control), "a title of many lines"),
            (board.is_valid(!names.is_empty()), "a board that cannot be written"),
            (is_whole(names.len(), is_each_once(names)), "names of the cells"),
            (names.iter().all(is_name), "a name of a cell that is not 1 to 6 letters and digits"),
            (is_whole(layout.len(), is_each_once(layout)), "places of the cells"),
            (
                layout.is_empty() || is_at_zero(|point| point.x) && is_at_zero(|point| point.y),
                "a drawing that does not begin at 0",
            ),
        ];
        checks.into_iter().find_map(|(is_right, message)| (!is_right).then_some(message))
    }
}

/// Returns whether a text may name a game: 1 to 64 letters, digits, `-` or `_`.
pub(crate) fn is_name_of_game(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=64).contains(&text.len()) && text.chars().all(allowed)
}

/// Returns true if no two items are equal.
fn is_each_once<T: Ord>(items: &[T]) -> bool {
    let mut sorted: Vec<&T> = items.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}
