//! The board of a rule file: its squares, holes and names, and the sides that meet.
//!
//! Reads the table `[board]` into a board, the names and places of its cells, and the grid from which lines and links are
//! made. The drawing `a b` over `c` has 3 cells in 2 rows of 2 squares, of which the last is a hole.

use super::data::Rules;
use super::fault::Faults;
use super::grid::{Form, Grid, KING, Step};
use super::shape::{BoardTable, CellKey, CellName, Hex, Wrap};
use morpion_core::{Board, MAX_CELLS, Point, cell_name, cell_named};
use std::collections::BTreeSet;

/// Content of `[board]`.
struct ReadBoard {
    board: Board,
    names: Vec<String>,
    layout: Vec<Point>,
    /// `None` for `cells`, and for a drawing without `steps`.
    grid: Option<Grid>,
}

/// Reads the board, of 1 to [`MAX_CELLS`] cells, into a game of one line, and the grid of its cells.
pub(super) fn board(table: &BoardTable, faults: &Faults) -> Option<(Rules, Option<Grid>)> {
    let read = faults.unless_more(|| match (&table.layout, &table.hex) {
        (Some(layout), _) => drawn(layout, table, faults),
        _ if table.steps.is_some() => {
            faults.of("board.steps", "`steps` alone; write `layout` beside it")
        }
        (None, Some(hex)) => hexagonal(hex, faults),
        (None, None) => rectangle_or_cells(table, faults),
    })??;
    let mut rules = Rules::new("board", read.board, vec![1]);
    (rules.names, rules.layout) = (read.names, read.layout);
    faults.of_rules(rules.clone().canonical()).map(|_| (rules, read.grid))
}

/// The board of rows and columns, or of a number of cells.
fn rectangle_or_cells(table: &BoardTable, faults: &Faults) -> Option<ReadBoard> {
    let fault = |message| faults.of("board", message);
    let board = match (table.rows, table.columns, table.cells) {
        (Some(rows), Some(columns), None) => grid_board(rows, columns, table, faults)?,
        (None, None, Some(cells)) => Board::Plain { cells: narrow("board.cells", cells, faults)? },
        (None, None, None) => {
            return fault("no cells; write `rows` and `columns`, `hex`, `cells`, or `layout`");
        }
        (_, _, Some(_)) => {
            return fault("`cells` beside `rows` or `columns`; write one or the other");
        }
        (None, ..) => return fault("`columns` alone; write `rows` beside it"),
        (_, None, _) => return fault("`rows` alone; write `columns` beside it"),
    };
    let wraps =
        |sides: Wrap| matches!(table.wrap, Some(wrap) if wrap == sides || wrap == Wrap::Both);
    let grid = board.grid().map(|(rows, columns)| Grid {
        form: Form::Rectangle,
        places: (0..board.cells() as u8)
            .filter_map(|cell| board.square(cell))
            .map(|(row, column)| (row.into(), column.into()))
            .collect(),
        steps: KING.to_vec(),
        rows,
        columns,
        wraps_rows: wraps(Wrap::Rows),
        wraps_columns: wraps(Wrap::Columns),
    });
    if grid.is_none() {
        let message = "`{}` beside `cells`; write `rows` and `columns`";
        faults.refuse("board", &["blocked", "wrap"], message)?;
    }
    let names = table.names.clone().unwrap_or_default();
    Some(ReadBoard { board, names, layout: Vec::new(), grid })
}

/// Converts a number of a rule file to the type of the rules.
pub(super) fn narrow(key: &str, number: u64, faults: &Faults) -> Option<u8> {
    let narrow = u8::try_from(number).ok();
    narrow.or_else(|| faults.of(key, format!("{number}; write a number below 256")))
}

/// The maximum number of squares of a grid with holes, since [`Board::of_squares`] has a bit for each.
const SQUARES: u32 = u128::BITS;

/// The remedy for a larger board.
const FITTING: &str = "at most 128 squares, cells and holes";

/// The rows and columns without the blocked squares.
fn grid_board(rows: u64, columns: u64, table: &BoardTable, faults: &Faults) -> Option<Board> {
    let sides = (narrow("board.rows", rows, faults), narrow("board.columns", columns, faults));
    let whole = Board::Grid { rows: sides.0?, columns: sides.1? };
    let Some(blocked) = table.blocked.as_ref().filter(|blocked| !blocked.is_empty()) else {
        return Some(whole);
    };
    let count = whole.cells();
    if count > SQUARES {
        return faults.of("board", format!("{count} squares; write {FITTING}"));
    }
    let unnamed = Rules::new("", whole, Vec::new());
    let closed = squares(&unnamed, "board.blocked", blocked, faults)?;
    let all = u128::MAX.checked_shr(SQUARES - count).unwrap_or(0);
    let (rows, columns) = whole.grid().unwrap_or_default();
    Some(Board::of_squares(rows, columns, all & !closed))
}

/// The other forms of a board, and the keys that do not go with a drawing.
const OTHER_KEYS: [&str; 7] = ["rows", "columns", "cells", "blocked", "wrap", "names", "hex"];

/// The length of each row of a hexagonal board.
fn row_lengths(hex: &Hex, faults: &Faults) -> Option<Vec<u64>> {
    let key = "board.hex";
    let lengths: Vec<u64> = match hex {
        Hex::Side(side) if (1..=3).contains(side) => {
            (*side..2 * side).chain((*side..2 * side - 1).rev()).collect()
        }
        Hex::Side(side) => {
            let remedy = "write a side of 1 to 3, which has 19 cells, or a list of rows";
            return faults.of(key, format!("{side}; {remedy}"));
        }
        Hex::Rows(rows) => rows.clone(),
    };
    let cells = lengths.iter().fold(0u64, |sum, length| sum.saturating_add(*length));
    if cells > u64::from(MAX_CELLS) || lengths.is_empty() || lengths.contains(&0) {
        let shown = &lengths[..lengths.len().min(MAX_CELLS.into())];
        let remedy = format!("write 1 to {MAX_CELLS} cells in rows of at least one");
        return faults.of(key, format!("rows of {shown:?} cells; {remedy}"));
    }
    if let Some(pair) = lengths.windows(2).find(|pair| pair[0] % 2 == pair[1] % 2) {
        let remedy = "write neighbouring rows whose lengths differ by an odd number: cells lie between those of the next row";
        return faults.of(key, format!("rows of {} and {} cells; {remedy}", pair[0], pair[1]));
    }
    Some(lengths)
}

/// A hexagonal board: a grid in which each row is shifted by half a square. The neighbours of a square lie to the
/// right, below, and below to the right: `hex = 2` has the rows `..#`, `...` and `#..`.
fn hexagonal(hex: &Hex, faults: &Faults) -> Option<ReadBoard> {
    faults.refuse("board", &OTHER_KEYS[..6], "`hex` and `{}`; write `hex` alone")?;
    let lengths = row_lengths(hex, faults)?;
    let longest = lengths.iter().max().copied().unwrap_or_default();
    // Places as drawn: half cells to the right, and lines down.
    let drawn: Vec<(i32, i32)> = (0..)
        .zip(&lengths)
        .flat_map(|(row, length)| {
            (0..*length).map(move |cell| (row, (longest - length + 2 * cell) as i32))
        })
        .collect();
    let shift = drawn.iter().map(|(row, x)| row + x).min().unwrap_or_default();
    let places: Vec<Step> = drawn.iter().map(|(row, x)| (*row, (row + x - shift) / 2)).collect();
    let columns = places.iter().map(|place| place.1 + 1).max().unwrap_or_default();
    let rows = lengths.len() as i32;
    if rows * columns > SQUARES as i32 {
        let message = format!("{rows} rows in {columns} columns; write {FITTING}");
        return faults.of("board.hex", message);
    }
    let open =
        places.iter().fold(0u128, |open, (row, column)| open | 1 << (row * columns + column));
    let board = Board::of_squares(rows as u8, columns as u8, open);
    let layout = drawn.iter().map(|&(row, x)| Point { x: 2 * x as u16, y: 4 * row as u16 });
    let grid = Grid {
        form: Form::Hexagonal,
        places,
        steps: vec![(0, 1), (1, 0), (1, 1)],
        rows: rows as u8,
        columns: columns as u8,
        ..Grid::default()
    };
    Some(ReadBoard { board, names: Vec::new(), layout: layout.collect(), grid: Some(grid) })
}

/// A drawing, in which each word names a cell and marks its place.
fn drawn(layout: &str, table: &BoardTable, faults: &Faults) -> Option<ReadBoard> {
    let message =
        "`layout` and `{}`; write `layout` alone: its words are the cells, by name and place";
    faults.refuse("board", &OTHER_KEYS, message)?;
    let key = "board.layout";
    if let Some(character) = layout.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r')) {
        return faults.of(key, format!("{character:?}; write names, spaces and line ends"));
    }
    let (mut names, mut layout_of) = (Vec::new(), Vec::new());
    for (line, text) in layout.lines().enumerate() {
        for (x, name) in words(text) {
            let place = u16::try_from(x).ok().zip(u16::try_from(2 * line).ok());
            let Some((x, y)) = place.filter(|_| names.len() < usize::from(MAX_CELLS)) else {
                let remedy = "write at most 36 cells, and 65,535 characters a line";
                return faults.of(key, format!("more cells, or a cell farther out; {remedy}"));
            };
            names.push(name.to_owned());
            layout_of.push(Point { x, y });
        }
    }
    if names.is_empty() {
        return faults.of(key, "no name; write a name for each cell");
    }
    let columns: BTreeSet<u16> = layout_of.iter().map(|point| point.x).collect();
    let rows: BTreeSet<u16> = layout_of.iter().map(|point| point.y).collect();
    let squares = rows.len() * columns.len();
    if squares > SQUARES as usize {
        let (lines, across) = (rows.len(), columns.len());
        let found = format!(
            "names in {lines} lines that begin at {across} places across, {squares} squares"
        );
        return faults.of(key, format!("{found}; write {FITTING}: names below each other"));
    }
    let square = |point: &Point| {
        let row = rows.range(..point.y).count();
        row * columns.len() + columns.range(..point.x).count()
    };
    let open = layout_of.iter().fold(0u128, |open, point| open | 1 << square(point));
    let board = Board::of_squares(rows.len() as u8, columns.len() as u8, open);
    let grid = table.steps.as_ref().map(|steps| drawn_grid(steps, &layout_of, faults));
    Some(ReadBoard { board, names, layout: layout_of, grid })
}

/// The grid of a drawing. The directions `steps` count lines down and characters to the right.
fn drawn_grid(steps: &[Step], layout: &[Point], faults: &Faults) -> Grid {
    let fault = |step: &Step, message| {
        faults.of::<()>("board.steps", format!("[{}, {}]{message}", step.0, step.1));
    };
    let (far, mut seen) = (u32::from(u16::MAX), BTreeSet::new());
    for step in steps {
        if *step == (0, 0) {
            fault(step, "; write a direction");
        } else if step.0.unsigned_abs().max(step.1.unsigned_abs()) > far {
            fault(step, "; write steps that lead to another cell");
        } else if !seen.insert((*step).max((-step.0, -step.1))) {
            fault(step, " twice; write each direction once: steps lead both ways");
        }
    }
    let places: Vec<Step> =
        layout.iter().map(|point| (i32::from(point.y) / 2, point.x.into())).collect();
    Grid { form: Form::Drawing, places, steps: steps.to_vec(), ..Grid::default() }
}

/// The words of a line, each with its column in characters.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(|word| {
        let bytes = word.as_ptr() as usize - line.as_ptr() as usize;
        (line[..bytes].chars().count(), word)
    })
}

/// The cell that a key names.
pub(super) fn cell(rules: &Rules, key: &str, named: &CellKey, faults: &Faults) -> Option<u8> {
    let cells = rules.board.cells();
    let last = cells.saturating_sub(1) as u8;
    let (cell, [from, to]) = match &named.name {
        CellName::Number(number) => (u8::try_from(*number).ok(), [0, last].map(|n| n.to_string())),
        CellName::Name(name) => {
            let name_of = |cell| rules.names.get(usize::from(cell)).cloned();
            let ends = [0, last];
            let ends =
                ends.map(|cell| name_of(cell).unwrap_or_else(|| cell_name(rules.board, cell)));
            (cell_named(rules.board, &rules.names, name), ends)
        }
    };
    cell.filter(|&cell| u32::from(cell) < cells).or_else(|| {
        let message = format!("cell {named}; write cells of the board, {from} to {to}");
        faults.at(named.place, key, message)
    })
}

/// The set of the named cells, each of which must be named once.
pub(super) fn cell_set(
    rules: &Rules,
    key: &str,
    named: &[CellKey],
    faults: &Faults,
) -> Option<u64> {
    squares(rules, key, named, faults).map(|set| set as u64)
}

/// The set of the named squares of a board that may be larger than [`MAX_CELLS`].
fn squares(rules: &Rules, key: &str, named: &[CellKey], faults: &Faults) -> Option<u128> {
    let mut set = 0u128;
    faults.unless_more(|| {
        for one in named {
            let Some(cell) = cell(rules, key, one, faults) else { continue };
            if set >> cell & 1 == 1 {
                let shown: Vec<String> =
                    named.iter().take(usize::from(MAX_CELLS)).map(CellKey::to_string).collect();
                let list = shown.join(", ");
                let message = format!("cell {one} twice in [{list}]; write each cell once");
                faults.at::<()>(one.place, key, message);
            }
            set |= 1 << cell;
        }
        set
    })
}
