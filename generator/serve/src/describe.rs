//! A game as the interface describes it: rules, geometry, lines, links, census.

use super::geometry;
use morpion_lookup::raw::{Deepest, rank};
use morpion_lookup::{Board, Game, Position, ProbeError, Side, Table, TableError, Travel};
use morpion_report::answer::Answer;
use serde::Serialize;

/// One card of the list of games.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The game's name.
    pub game: String,
    /// One line for people.
    pub title: String,
    /// Number of cells.
    pub cells: u8,
    /// Pieces of each side; `None`: the board is filled.
    pub pieces: Option<u8>,
    /// Whether pieces move once they are placed.
    pub moving: bool,
    /// Entries of the table.
    pub entries: u64,
    /// Bytes of the table.
    pub bytes: u64,
    /// What the start is worth to the side that begins.
    pub start: Start,
}

/// The position a game begins from.
#[derive(Clone, Debug, Serialize)]
pub struct Start {
    /// As text.
    pub position: String,
    /// `win`, `draw` or `loss`.
    pub value: &'static str,
    /// Half-moves to the end.
    pub plies: Option<u16>,
    /// `end` or `cycle`, where the value is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<&'static str>,
}

/// Everything that a client needs to draw the board and to explain the game.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    #[serde(flatten)]
    summary: Summary,
    board: BoardShape,
    /// Cells of each line.
    lines: Vec<Vec<u8>>,
    /// Pairs of linked cells; `None` where nothing moves, or anywhere.
    links: Option<Vec<(u8, u8)>>,
    moves: Option<Moves>,
    opening: Option<Opening>,
    misere: bool,
    encoding: &'static str,
    fingerprint: String,
    /// Order of the group that folds the table.
    symmetries: usize,
    census: Census,
}

#[derive(Clone, Debug, Serialize)]
struct BoardShape {
    rows: Option<u8>,
    columns: Option<u8>,
    /// Of each cell: how it is written, and where it stands in cell widths from the left and from the top.
    cells: Vec<Cell>,
}

#[derive(Clone, Debug, Serialize)]
struct Cell {
    name: String,
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, Serialize)]
struct Moves {
    to: &'static str,
    stay: bool,
    stuck: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Opening {
    forbidden: Vec<u8>,
    during: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Census {
    layers: Vec<Layer>,
    longest_win: Option<Longest>,
    longest_loss: Option<Longest>,
}

#[derive(Clone, Debug, Serialize)]
struct Layer {
    mover: u8,
    waiter: u8,
    /// By plies; from a table without distances one number.
    wins: Vec<u64>,
    losses: Vec<u64>,
    draws_end: u64,
    draws_cycle: u64,
}

#[derive(Clone, Debug, Serialize)]
struct Longest {
    plies: u16,
    position: String,
}

impl Summary {
    /// Reads the start's value from the table.
    ///
    /// # Errors
    /// Where the table is damaged.
    pub fn of(table: &Table) -> Result<Summary, ProbeError> {
        let game = table.game();
        let rules = game.rules();
        let (position, side) = game.start();
        let answer = Answer::new(table, position, side)?;
        Ok(Summary {
            game: rules.name.clone(),
            title: rules.title.clone(),
            cells: game.cells(),
            pieces: rules.pieces,
            moving: rules.movement.is_some(),
            entries: table.raw().layers().iter().map(|layer| layer.entries()).sum(),
            bytes: table.size(),
            start: Start {
                position: answer.position,
                value: answer.value,
                plies: answer.plies,
                draw: answer.draw,
            },
        })
    }
}

impl Description {
    /// Reads everything from the table.
    ///
    /// # Errors
    /// Where its census is damaged.
    pub fn of(table: &Table, summary: Summary) -> Result<Description, TableError> {
        let game = table.game();
        let rules = game.rules();
        let (rows, columns) = match rules.board {
            Board::Grid { rows, columns } => (Some(rows), Some(columns)),
            Board::Plain { .. } => (None, None),
        };
        let points = geometry::points(game);
        let cells = (0..game.cells()).zip(points).map(|(cell, [x, y])| Cell {
            name: game.format_cell(cell),
            x,
            y,
        });
        let links = rules.movement.as_ref().and_then(|movement| match &movement.to {
            Travel::Links(links) => Some(links.clone()),
            _ => None,
        });
        Ok(Description {
            summary,
            board: BoardShape { rows, columns, cells: cells.collect() },
            lines: rules.lines.iter().map(|&line| rank::cells(line).collect()).collect(),
            moves: rules.movement.as_ref().map(|movement| Moves {
                to: movement.to.name(),
                stay: movement.stay,
                stuck: movement.stuck.name(),
            }),
            links,
            opening: rules.opening.map(|opening| Opening {
                forbidden: rank::cells(opening.forbidden).collect(),
                during: opening.during.name(),
            }),
            misere: rules.misere,
            encoding: table.raw().header().encoding.name(),
            fingerprint: format!("{:016x}", table.raw().header().fingerprint),
            symmetries: table.raw().header().symmetries.len(),
            census: census(table)?,
        })
    }
}

fn census(table: &Table) -> Result<Census, TableError> {
    let census = table.raw().census()?;
    let longest = |deepest: Option<Deepest>| {
        deepest.map(|deepest| Longest {
            plies: deepest.plies,
            position: position_text(
                table.game(),
                Position { mover: deepest.mover, waiter: deepest.waiter },
            ),
        })
    };
    let layers = table.raw().layers().iter().zip(census.layers).map(|(layer, census)| Layer {
        mover: layer.mover,
        waiter: layer.waiter,
        wins: census.wins,
        losses: census.losses,
        draws_end: census.draws_end,
        draws_cycle: census.draws_cycle,
    });
    Ok(Census {
        layers: layers.collect(),
        longest_win: longest(census.longest_win),
        longest_loss: longest(census.longest_loss),
    })
}

/// A position without colours as text: while placing the counts tell them, else X is to move.
fn position_text(game: &Game, position: Position) -> String {
    let placed_more = position.waiter.count_ones() > position.mover.count_ones();
    game.format_position(position, if placed_more { Side::O } else { Side::X })
}
