//! A game for clients that draw and explain it: rules, geometry, lines, links and census. The keys of the JSON form are
//! part of the interface.

use crate::census::ByLayer;
use crate::error::ReportError;
use crate::geometry;
use crate::phrases;
use crate::worth::Worth;
use morpion_core::{Game, Position, ProbeError, Side, rank};
use morpion_games::catalogue::{Table, short_title, standard_rules};
use morpion_games::rules::rules_of;
use serde::Serialize;

/// One entry of the list of games.
#[derive(Clone, Serialize)]
pub struct Summary {
    /// The game's name.
    pub game: String,
    /// One-line description.
    pub title: String,
    /// Title for menus, at most a few words.
    pub short_title: String,
    /// Number of cells.
    pub cells: u8,
    /// Pieces of each side; `null` if play ends when the board is full.
    pub pieces: Option<u8>,
    /// `true` if pieces move after they are placed.
    pub moving: bool,
    /// Entries of the table.
    pub entries: u64,
    /// Bytes of the table.
    pub bytes: u64,
    /// Value of the start for the side that begins.
    pub start: Start,
    /// `true` if the interface has the rule file.
    pub rule_file: bool,
    /// Fingerprint of the rules, which is equal in every table of the same game.
    pub fingerprint: String,
}

/// The first position of a game.
#[derive(Clone, Serialize)]
pub struct Start {
    /// The position as text.
    pub position: String,
    /// The worth of the position.
    #[serde(flatten)]
    pub worth: Worth,
}

/// Data from which a client draws the board and explains the rules.
#[derive(Clone, Serialize)]
pub struct Shape {
    /// The rules in sentences.
    sentences: String,
    board: BoardShape,
    /// The cells of each line.
    lines: Vec<Vec<u8>>,
    /// For each line the cells that prolong it. A line does not count if its owner has a piece on such a cell. Empty if
    /// every line counts.
    prolongations: Vec<Vec<u8>>,
    /// Pairs of linked cells; `null` if pieces do not move, or move to any cell.
    links: Option<Vec<(u8, u8)>>,
    /// For each link that wraps around an edge, its step from the first cell, right and down; `null` for a link inside
    /// the board. `null` if `links` is `null`.
    wraps: Option<Vec<Option<(i16, i16)>>>,
    /// `true` if the side that makes a line loses.
    misere: bool,
    /// `true` if a line takes a piece instead of ending the game.
    mills: bool,
    /// `true` if pieces age, and the oldest piece of a side leaves the board.
    ages: bool,
}

/// Everything about a game with a table.
#[derive(Clone, Serialize)]
pub struct Description {
    /// Entry for the list of games.
    #[serde(flatten)]
    pub summary: Summary,
    #[serde(flatten)]
    shape: Shape,
    /// Encoding of the table's entries.
    encoding: &'static str,
    /// Order of the group that folds the table.
    symmetries: usize,
    /// The image of each cell under each symmetry of the group that folds the table, the identity first.
    images: Vec<Vec<u8>>,
    census: ByLayer,
}

#[derive(Clone, Serialize)]
struct BoardShape {
    /// `null` if the board is not a grid.
    rows: Option<u8>,
    /// `null` if the board is not a grid.
    columns: Option<u8>,
    /// The empty board as text: `.` for a cell, `/` between rows, `#` for a hole.
    text: String,
    /// Name and place of each cell, in cell widths right and down from the top left. The smallest distance is one or,
    /// on a wheel, a little more.
    cells: Vec<Cell>,
}

#[derive(Clone, Serialize)]
struct Cell {
    name: String,
    x: f64,
    y: f64,
}

impl Summary {
    /// Reads the value of the start from the table.
    ///
    /// # Errors
    /// If the table is damaged.
    fn of(table: &Table) -> Result<Summary, ProbeError> {
        let game = table.game();
        let rules = rules_of(game);
        let start = game.start();
        Ok(Summary {
            game: game.name().into(),
            title: game.title().into(),
            short_title: short_title(game).into(),
            cells: game.cells(),
            pieces: rules.as_ref().and_then(|rules| rules.pieces),
            moving: rules.is_some_and(|rules| rules.movement.is_some()),
            entries: table.raw().header().entries(),
            bytes: table.size(),
            start: Start { position: start.to_string(), worth: table.probe(start)?.into() },
            rule_file: standard_rules(table).is_some(),
            fingerprint: format!("{:016x}", game.fingerprint()),
        })
    }
}

impl Shape {
    /// Describes the rules.
    pub fn of(game: &Game) -> Shape {
        let (rows, columns) = game.board_shape().grid().unzip();
        let raw = Position { mover: 0, waiter: 0 };
        let empty = game.situation(raw, Some(Side::X)).to_string();
        let text = empty.trim_end_matches(" x").to_owned();
        let points = geometry::points(game);
        let cells = (0..game.cells()).zip(points).map(|(cell, [x, y])| Cell {
            name: game.format_cell(cell),
            x,
            y,
        });
        let links = game.links();
        Shape {
            sentences: phrases::rules(game),
            board: BoardShape { rows, columns, text, cells: cells.collect() },
            lines: sets(game.lines()),
            prolongations: sets(game.prolongations()),
            wraps: links.as_ref().map(|links| geometry::wraps(game, links)),
            links,
            misere: rules_of(game).is_some_and(|rules| rules.misere),
            mills: !game.graph().lines_end(),
            ages: game.has_ages(),
        }
    }
}

impl Description {
    /// Reads the description from the table.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn of(table: &Table) -> Result<Description, ReportError> {
        let header = table.raw().header();
        Ok(Description {
            summary: Summary::of(table)?,
            shape: Shape::of(table.game()),
            encoding: header.encoding.name(),
            symmetries: header.symmetries.len(),
            images: header.symmetries.iter().map(|symmetry| symmetry.images().to_vec()).collect(),
            census: ByLayer::new(table, &table.raw().census()?),
        })
    }
}

fn sets(sets: &[u64]) -> Vec<Vec<u8>> {
    sets.iter().map(|&set| rank::cells(set).collect()).collect()
}
