//! The rules of a game as plain data, and what makes them sound.
//!
//! In comes what a rule file says, out go rules in canonical form, or which key is wrong. A table's header holds them as
//! serde writes them: the order of fields and of variants is the file format, and something new stands last.

use crate::error::RulesError;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The largest number of cells of a board; larger boards are refused.
pub const MAX_CELLS: u8 = 36;

/// The largest number of columns: a column is a letter.
pub(crate) const MAX_COLUMNS: u8 = 26;

/// The rules of one game, canonical where a [`Game`](crate::Game) holds them. A set of cells is a mask, bit `c` for cell `c`;
/// cells are numbered row by row from the top left. Begin with [`Rules::new`]; rules that are added later have a value there
/// that leaves a game as it is.
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
    /// What happens once all pieces are placed; `None`: the game is over then.
    pub movement: Option<Movement>,
    /// Cells on which the opening may not place.
    pub opening: Option<Opening>,
    /// Begin from here, all pieces on the board; `None`: begin from the empty board.
    pub start: Option<Start>,
    /// Whether making a line loses.
    pub misere: bool,
}

/// The shape of the board. It fixes how positions and moves are written, not how the game is played.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Board {
    /// Rows and columns; a cell is written as column letter and row number from the top.
    Grid {
        /// Rows, at least 1.
        rows: u8,
        /// Columns, 1 to 26.
        columns: u8,
    },
    /// Cells that form no grid; a cell is written as its number.
    Plain {
        /// Cells, 1 to [`MAX_CELLS`].
        cells: u8,
    },
}

impl Board {
    /// Number of cells, which may exceed [`MAX_CELLS`] as long as the rules are unchecked.
    #[must_use]
    pub fn cells(self) -> u32 {
        match self {
            Board::Grid { rows, columns } => u32::from(rows) * u32::from(columns),
            Board::Plain { cells } => u32::from(cells),
        }
    }
}

/// How pieces move once they are all placed. Begin with [`Movement::new`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Movement {
    /// Where a piece may go.
    pub to: Travel,
    /// Whether a lifted piece may go back to its own cell, which is a pass.
    pub stay: bool,
    /// What it is for the mover to have no legal move.
    pub stuck: Value,
}

impl Movement {
    /// Pieces go where `to` says, may not go back to their own cell, and who cannot move loses.
    #[must_use]
    pub fn new(to: Travel) -> Movement {
        Movement { to, stay: false, stuck: Value::Loss }
    }
}

/// Where a piece may go in the movement phase.
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
    /// `any` or `links`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Travel::Any => "any",
            Travel::Links(_) => "links",
        }
    }
}

/// A restriction of the first placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Cells that may not be used; not empty.
    pub forbidden: u64,
    /// For which placements.
    pub during: During,
}

/// The placements to which an [`Opening`] applies.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// `first`, `each-first` or `placing`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            During::First => "first",
            During::EachFirst => "each-first",
            During::Placing => "placing",
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
    /// The other one.
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

/// What a position is worth to the side to move under perfect play.
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
    /// `win`, `draw` or `loss`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Value::Win => "win",
            Value::Draw => "draw",
            Value::Loss => "loss",
        }
    }

    /// The same, seen from the other side.
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
        }
    }

    /// Brings sound rules into canonical form: lines ascending, without duplicates and without lines that contain
    /// another; links with the lower cell first, ascending, each once; a restriction of no cell removed.
    /// Compares every line with every smaller one.
    pub(crate) fn normalise(&mut self) {
        let mut lines = core::mem::take(&mut self.lines);
        lines.sort_unstable_by_key(|line| (line.count_ones(), *line));
        lines.dedup();
        let mut smaller = 0;
        for line in lines {
            // Only a smaller line can lie within this one.
            while self.lines.get(smaller).is_some_and(|kept| kept.count_ones() < line.count_ones())
            {
                smaller += 1;
            }
            if !self.lines[..smaller].iter().any(|kept| kept & line == *kept) {
                self.lines.push(line);
            }
        }
        self.lines.sort_unstable();
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
    }

    /// Whether a text may name a game: 1 to 64 letters, digits, `-` or `_`.
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (1..=64).contains(&text.len()) && text.chars().all(allowed)
    }

    /// Whether the rules are sound.
    ///
    /// # Errors
    /// The first thing that is wrong, by the name it has in a rule file.
    pub(crate) fn check(&self) -> Result<(), RulesError> {
        let fault = |key, found: String, expected| Err(RulesError { key, found, expected });
        if !Rules::is_name(&self.name) {
            return fault("name", quoted(&self.name), "1 to 64 letters, digits, `-` or `_`");
        }
        if self.title.len() > 1024 || self.title.chars().any(char::is_control) {
            return fault("title", quoted(&self.title), "one line of at most 1,024 bytes");
        }
        let cells = self.board.cells();
        if let Board::Grid { columns, .. } = self.board
            && columns > MAX_COLUMNS
        {
            return fault("board.columns", number(columns), "at most 26 columns");
        }
        if cells == 0 || cells > u32::from(MAX_CELLS) {
            return fault("board", alloc::format!("{cells} cells"), "1 to 36 cells");
        }
        let full = (1u64 << cells) - 1;
        if self.lines.is_empty() {
            return fault("lines", "no line at all".into(), "at least one line on the board");
        }
        if self.lines.iter().any(|&line| line == 0 || line & !full != 0) {
            return fault(
                "lines",
                "an empty line or one off the board".into(),
                "lines of cells of the board",
            );
        }
        if self.lines.len() > 4096 {
            return fault(
                "lines",
                alloc::format!("{} lines", self.lines.len()),
                "at most 4,096 lines",
            );
        }
        if let Some(pieces) = self.pieces
            && (pieces == 0 || 2 * u32::from(pieces) > cells)
        {
            return fault(
                "pieces.each",
                number(pieces),
                "at least 1, and twice that no more than the cells",
            );
        }
        if let Some(movement) = &self.movement {
            if self.pieces.is_none() {
                return fault(
                    "moves",
                    "moves without pieces".into(),
                    "`[pieces]` with `each` beside `[moves]`",
                );
            }
            if let Travel::Links(links) = &movement.to
                && links.iter().any(|&(a, b)| a == b || u32::from(a.max(b)) >= cells)
            {
                return fault(
                    "moves.edges",
                    "a link off the board or to its own cell".into(),
                    "pairs of two cells",
                );
            }
        }
        if let Some(opening) = self.opening {
            if opening.forbidden & !full != 0 {
                return fault(
                    "opening.forbidden",
                    "a cell off the board".into(),
                    "cells of the board",
                );
            }
            if self.start.is_some() {
                return fault(
                    "opening",
                    "`forbidden` and `start`".into(),
                    "one of them: nothing is placed after `start`",
                );
            }
        }
        if let Some(start) = self.start {
            let Some(pieces) = self.pieces.filter(|_| self.movement.is_some()) else {
                return fault(
                    "opening.start",
                    "a start".into(),
                    "`[pieces]` and `[moves]` beside it",
                );
            };
            let each = [start.x, start.o]
                .iter()
                .all(|set| set.count_ones() == u32::from(pieces) && set & !full == 0);
            if !each || start.x & start.o != 0 {
                let found =
                    alloc::format!("{} X and {} O", start.x.count_ones(), start.o.count_ones());
                return fault("opening.start", found, "all pieces of both sides on the board");
            }
            if self.lines.iter().any(|&line| line & start.x == line || line & start.o == line) {
                return fault(
                    "opening.start",
                    "a line already made".into(),
                    "a position in which nobody has a line",
                );
            }
        }
        Ok(())
    }
}

fn quoted(text: &str) -> String {
    let short: String = text.chars().take(64).collect();
    alloc::format!("{short:?}")
}

fn number(value: u8) -> String {
    alloc::format!("{value}")
}
