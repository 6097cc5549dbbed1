//! A game as a table describes it: its name, its board, its moves, its start and its end.
//!
//! The core computes the moves and the end of a game. This file adds what people see, and the position in which it begins.

use crate::position::{Position, of_sides};
use crate::{Move, Over, PositionError, TableError};
use alloc::string::String;
use alloc::vec::Vec;
use morpion_core::{self as raw, About, Board, Start};
use xxhash_rust::xxh3::xxh3_64;

/// A game: its name, its board, its moves and its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    about: About,
    fingerprint: u64,
    game: morpion_core::Game,
}

/// For programs that write tables, on `morpion-core`.
#[doc(hidden)]
impl Game {
    /// The game of these parts.
    ///
    /// # Errors
    /// If they contradict each other. Whether they follow from the text of the rules is not checked.
    pub fn new(about: About, game: morpion_core::Game) -> Result<Game, TableError> {
        let fingerprint = xxh3_64(about.rules.as_bytes());
        let game = Game { about, fingerprint, game };
        match game.contradiction() {
            Some(message) => Err(TableError::header(message)),
            None => Ok(game),
        }
    }

    /// The first contradiction of what people see.
    fn contradiction(&self) -> Option<&'static str> {
        let About { name, title, board, names, layout, start, .. } = &self.about;
        let cells = usize::from(self.cells());
        let is_name = |name: &String| {
            let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
            (1..=6).contains(&name.len()) && name.chars().all(allowed) && name != "pass"
        };
        let is_whole = |length: usize, each_once: bool| length == 0 || length == cells && each_once;
        let checks = [
            (Game::is_name(name), "a name that is not 1 to 64 letters, digits, - or _"),
            (title.len() <= 1024 && !title.chars().any(char::is_control), "a title of many lines"),
            (board.is_valid(!names.is_empty()), "a board that cannot be written"),
            (board.cells() as usize == cells, "a board of another number of cells"),
            (is_whole(names.len(), is_each_once(names)), "names of the cells"),
            (names.iter().all(is_name), "a name of a cell that is not 1 to 6 letters and digits"),
            (is_whole(layout.len(), is_each_once(layout)), "places of the cells"),
            (
                self.raw().check(of_sides(start.x, start.o, start.side)).is_ok(),
                "an impossible start",
            ),
        ];
        checks.into_iter().find_map(|(is_right, message)| (!is_right).then_some(message))
    }

    /// The lines and the layers with their moves, from which the core computes.
    #[inline]
    pub fn raw(&self) -> &morpion_core::Game {
        &self.game
    }

    /// Names, title and drawing for people, and the start.
    #[inline]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Returns whether a text may name a game: 1 to 64 letters, digits, `-` or `_`.
    pub fn is_name(text: &str) -> bool {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (1..=64).contains(&text.len()) && text.chars().all(allowed)
    }
}

impl Game {
    /// Number of cells, 1 to [`MAX_CELLS`](crate::MAX_CELLS).
    #[inline]
    pub fn cells(&self) -> u8 {
        self.game.cells()
    }

    /// The lines, each a set of cells.
    #[inline]
    pub fn lines(&self) -> &[u64] {
        self.game.lines()
    }

    /// Returns the reason if the game is over; `None` if the side to move has a move.
    ///
    /// # Errors
    /// If the game does not have the position.
    pub fn over(&self, position: impl Into<raw::Position>) -> Result<Option<Over>, PositionError> {
        let position = position.into();
        self.game.check(position)?;
        Ok(self.game.over(position))
    }

    /// The moves of the side to move: placements by their cell, moves of pieces by origin, then target, then the piece taken, the pass
    /// last. None if the game is over or does not have the position. Nothing is allocated.
    pub fn legal_moves(&self, position: impl Into<raw::Position>) -> impl Iterator<Item = Move> {
        let position = position.into();
        let continues = self.game.check(position).is_ok() && self.game.over(position).is_none();
        continues.then(|| self.game.legal_moves(position)).into_iter().flatten()
    }

    /// The name of the game and of its table.
    #[inline]
    pub fn name(&self) -> &str {
        &self.about.name
    }

    /// One line for people.
    pub fn title(&self) -> &str {
        &self.about.title
    }

    /// The shape of the board.
    #[inline]
    pub fn board_shape(&self) -> Board {
        self.about.board
    }

    /// The fingerprint of the rules: xxh3-64 of their text in canonical form, without name and title.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The position in which the game begins.
    pub fn start(&self) -> Position {
        let Start { x, o, side } = self.about.start;
        Position { board: self.about.board, raw: of_sides(x, o, side), side }
    }

    /// The position after `mv`, with the other side to move. The move should be legal here; after one that is not, the answer
    /// may not be a position of the game. [`Game::play`](crate::Game::play) checks the move.
    #[must_use]
    pub fn after(&self, position: Position, mv: Move) -> Position {
        Position { raw: self.raw().apply(position, mv), side: position.side.other(), ..position }
    }
}

/// Returns true if no two items are equal.
fn is_each_once<T: Ord>(items: &[T]) -> bool {
    let mut sorted: Vec<&T> = items.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;
    use crate::table::Table;
    use morpion_core::{Counts, Layer, LayerGraph, Step, Stuck, Value};

    impl Game {
        /// A game with these names of cells, in which the sides place pieces until the board is full.
        pub(crate) fn placing(board: Board, names: &[&str], lines: Vec<u64>) -> Game {
            let cells = board.cells() as u8;
            let layer = |ply: u8| Layer {
                counts: Counts { mover: ply / 2, waiter: ply.div_ceil(2) },
                hands: Counts::default(),
                phase: u8::from(ply == cells),
                next: (ply < cells).then(|| u16::from(ply) + 1),
                turn: Some(if ply.is_multiple_of(2) { Side::X } else { Side::O }),
                ended: false,
            };
            let graph = LayerGraph {
                phases: Vec::from([Vec::from([Step::place((1 << cells) - 1)]), Vec::new()]),
                layers: (0..=cells).map(layer).collect(),
                line: Value::Loss,
                blocked: Stuck::Draw,
                blocked_reason: Over::Full,
                full: None,
                takes: None,
                own_lines: false,
            };
            let about = About {
                name: "placing".into(),
                title: String::new(),
                rules: String::new(),
                board,
                names: names.iter().copied().map(String::from).collect(),
                layout: Vec::new(),
                start: Start { x: 0, o: 0, side: Side::X },
            };
            let core = morpion_core::Game::new(cells, lines, Vec::new(), graph).unwrap();
            Game::new(about, core).unwrap()
        }
    }

    #[test]
    fn piece_counts_tell_the_side_to_move_until_all_are_placed() {
        for (game, text, side) in [
            ("classic", ".../.../...", Some(Side::X)),
            ("classic", "X../.../...", Some(Side::O)),
            ("classic", "XOX/XOO/OXX", Some(Side::O)),
            ("swap", "XX./OO./...", Some(Side::X)),
            ("swap", "XX./OO./X..", Some(Side::O)),
            ("swap", "XX./OO./XO. x", None),
            ("swap", "XX./OO./XO. o", None),
            ("shisima", "XXX/.../OOO o", None),
        ] {
            let table = Table::builtin(game).unwrap();
            let position = table.game().parse_position(text).unwrap();
            assert_eq!(table.game().raw().turn(position), side, "{game} {text}");
            assert!(side.is_none_or(|side| side == position.side), "{game} {text}");
        }
    }
}
