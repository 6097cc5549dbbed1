//! The cells of a rule file: the board with its squares, holes and names, and the sides that meet.
//!
//! Reads the table `[board]` into a board, the names and places of its cells, and the grid from which lines and links are
//! made. The drawing `a b` over `c` has 3 cells in 2 rows of 2 squares, of which the last is a hole.

use super::fault::{Faults, quoted};
use super::grid::{DIAGONAL, Grid, STRAIGHT, Step};
use super::shape::{BoardTable, CellKey, CellName, Hex, Wrap};
use morpion_core::{Board, MAX_CELLS, MAX_COLUMNS, Point, cell_name, cell_named};
use std::collections::BTreeSet;

/// The cells of a board.
pub(super) struct Cells {
    pub board: Board,
    /// The names of the cells; empty if they are named after the board.
    pub names: Vec<String>,
    /// Coordinates at which each cell is drawn; empty if the board gives them.
    pub layout: Vec<Point>,
    /// `None` for a board given by `cells`, and for a drawing without `steps`.
    pub grid: Option<Grid>,
}

/// Reads the board, of 1 to [`MAX_CELLS`] cells.
pub(super) fn board(table: &BoardTable, faults: &Faults) -> Option<Cells> {
    let cells = faults.unless_more(|| match (&table.layout, &table.hex) {
        (Some(layout), _) => drawn(layout, table, faults),
        _ if table.steps.is_some() => {
            faults.of("board.steps", "`steps` alone; write `layout` beside it")
        }
        (None, Some(hex)) => hexagonal(hex, faults),
        (None, None) => rectangle_or_cells(table, faults),
    })??;
    check(&cells, faults)?;
    Some(cells.normalised())
}

/// Checks the number of cells and their names: either no cell has a name, or each cell has a different name.
fn check(Cells { board, names, .. }: &Cells, faults: &Faults) -> Option<()> {
    let count = board.cells();
    let columns = board.grid().map_or(0, |(_, columns)| columns);
    let is_wide = columns > MAX_COLUMNS && names.is_empty();
    faults.when(is_wide, "board.columns", columns, "at most 26 columns")?;
    let is_possible = (1..=u32::from(MAX_CELLS)).contains(&count);
    faults.when(!is_possible, "board", format_args!("{count} cells"), "1 to 36 cells")?;
    // Checks the number of names first: a file may have more names than can be compared in time.
    let (key, named) = ("board.names", names.len());
    let found = format_args!("{named} names of {count} cells");
    faults.when(named != 0 && named != count as usize, key, found, "a name for each cell")?;
    let is_char = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_name =
        |name: &str| (1..=6).contains(&name.len()) && name.chars().all(is_char) && name != "pass";
    if let Some(name) = names.iter().find(|name| !is_name(name)) {
        let remedy = "write 1 to 6 lower-case letters or digits, and not \"pass\"";
        return faults.of(key, format!("{}; {remedy}", quoted(name)));
    }
    let twice = |index: &usize| names[..*index].contains(&names[*index]);
    let Some(index) = (0..names.len()).find(twice) else { return Some(()) };
    faults.of(key, format!("{:?} twice; write each name once", names[index]))
}

impl Cells {
    /// Cells without a grid, which are named after the board.
    pub fn plain(board: Board) -> Cells {
        Cells { board, names: Vec::new(), layout: Vec::new(), grid: None }
    }

    /// Removes the names if the board gives all cells the same names, which it does only with a letter for each column. Moves the drawing
    /// to its top left corner.
    fn normalised(mut self) -> Cells {
        let has_letters = self.board.grid().is_none_or(|(_, columns)| columns <= MAX_COLUMNS);
        let mut names = (0..).zip(&self.names);
        if has_letters && names.all(|(cell, name)| cell_name(self.board, cell) == *name) {
            self.names.clear();
        }
        let left = self.layout.iter().map(|point| point.x).min().unwrap_or(0);
        let top = self.layout.iter().map(|point| point.y).min().unwrap_or(0);
        for point in &mut self.layout {
            *point = Point { x: point.x - left, y: point.y - top };
        }
        self
    }

    /// Finds a name that consists of another name, an x and more text. It would be ambiguous: `axb` would be a cell, and also the cell `a`
    /// with the piece on `b` that is taken.
    pub fn name_with_x(&self) -> Option<&String> {
        let rest_of = |name: &String, start: &String| {
            name.strip_prefix(start.as_str()).is_some_and(|rest| rest.starts_with('x'))
        };
        self.names.iter().find(|name| self.names.iter().any(|start| rest_of(name, start)))
    }
}

/// The board of rows and columns, or of a number of cells.
fn rectangle_or_cells(table: &BoardTable, faults: &Faults) -> Option<Cells> {
    let fault = |message| faults.of("board", message);
    let board = match (table.rows, table.columns, table.cells) {
        (Some(rows), Some(columns), None) => grid_board(rows, columns, table, faults)?,
        (None, None, Some(cells)) => Board::Plain { cells },
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
    let squares = (0..board.cells() as u8).filter_map(|cell| board.square(cell));
    let grid = board.grid().map(|(rows, columns)| Grid {
        places: squares.map(|(row, column)| (row.into(), column.into())).collect(),
        steps: [STRAIGHT, DIAGONAL].concat(),
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
    Some(Cells { names, grid, ..Cells::plain(board) })
}

/// The maximum number of squares of a grid with holes, since [`Board::of_squares`] has a bit for each.
const SQUARES: u32 = u128::BITS;

/// The remedy for a larger board.
const FITTING: &str = "at most 128 squares, cells and holes";

/// The rows and columns without the blocked squares.
fn grid_board(rows: u8, columns: u8, table: &BoardTable, faults: &Faults) -> Option<Board> {
    let whole = Board::Grid { rows, columns };
    let Some(blocked) = table.blocked.as_ref().filter(|blocked| !blocked.is_empty()) else {
        return Some(whole);
    };
    let count = whole.cells();
    faults.when(count > SQUARES, "board", format_args!("{count} squares"), FITTING)?;
    let closed = squares(&Cells::plain(whole), "board.blocked", blocked, faults)?;
    let all = u128::MAX.checked_shr(SQUARES - count).unwrap_or(0);
    Some(Board::of_squares(rows, columns, all & !closed))
}

/// Keys of other forms of a board, and of details that do not go with a drawing.
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
    let is_possible = (1..=u64::from(MAX_CELLS)).contains(&cells) && !lengths.contains(&0);
    let shown = &lengths[..lengths.len().min(MAX_CELLS.into())];
    let remedy = format!("1 to {MAX_CELLS} cells in rows of at least one");
    faults.when(!is_possible, key, format_args!("rows of {shown:?} cells"), &remedy)?;
    if let Some(pair) = lengths.windows(2).find(|pair| pair[0] % 2 == pair[1] % 2) {
        let remedy = "write neighbouring rows whose lengths differ by an odd number: cells lie between those of the next row";
        return faults.of(key, format!("rows of {} and {} cells; {remedy}", pair[0], pair[1]));
    }
    Some(lengths)
}

/// A hexagonal board: a grid in which each row is shifted by half a square. The neighbours of a square lie to the
/// right, below, and below to the right: `hex = 2` has the rows `..#`, `...` and `#..`.
fn hexagonal(hex: &Hex, faults: &Faults) -> Option<Cells> {
    faults.refuse("board", &OTHER_KEYS[..6], "`hex` and `{}`; write `hex` alone")?;
    let lengths = row_lengths(hex, faults)?;
    let longest = lengths.iter().max().copied().unwrap_or_default();
    // Places as drawn: half cells to the right, and lines down.
    let row = |(row, length): (i32, &u64)| {
        let first = longest - length;
        (0..*length).map(move |cell| (row, (first + 2 * cell) as i32))
    };
    let drawn: Vec<(i32, i32)> = (0..).zip(&lengths).flat_map(row).collect();
    let shift = drawn.iter().map(|(row, x)| row + x).min().unwrap_or_default();
    let places: Vec<Step> = drawn.iter().map(|(row, x)| (*row, (row + x - shift) / 2)).collect();
    let columns = places.iter().map(|place| place.1 + 1).max().unwrap_or_default();
    let rows = lengths.len() as i32;
    let found = format_args!("{rows} rows in {columns} columns");
    faults.when(rows * columns > SQUARES as i32, "board.hex", found, FITTING)?;
    let open =
        places.iter().fold(0u128, |open, (row, column)| open | 1 << (row * columns + column));
    let board = Board::of_squares(rows as u8, columns as u8, open);
    let layout = drawn.iter().map(|&(row, x)| Point { x: 2 * x as u16, y: 4 * row as u16 });
    let grid = Grid { places, steps: vec![(0, 1), (1, 0), (1, 1)], ..Grid::default() };
    Some(Cells { layout: layout.collect(), grid: Some(grid), ..Cells::plain(board) })
}

/// A drawing, in which each word names a cell and marks its place.
fn drawn(layout: &str, table: &BoardTable, faults: &Faults) -> Option<Cells> {
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
    faults.when(names.is_empty(), key, "no name", "a name for each cell")?;
    let columns: BTreeSet<u16> = layout_of.iter().map(|point| point.x).collect();
    let rows: BTreeSet<u16> = layout_of.iter().map(|point| point.y).collect();
    let (lines, across, squares) = (rows.len(), columns.len(), rows.len() * columns.len());
    let found = format_args!(
        "names in {lines} lines that begin at {across} places across, {squares} squares"
    );
    let remedy = format!("{FITTING}: names below each other");
    faults.when(squares > SQUARES as usize, key, found, &remedy)?;
    let square = |point: &Point| {
        let row = rows.range(..point.y).count();
        row * columns.len() + columns.range(..point.x).count()
    };
    let open = layout_of.iter().fold(0u128, |open, point| open | 1 << square(point));
    let board = Board::of_squares(rows.len() as u8, columns.len() as u8, open);
    let grid = table.steps.as_ref().map(|steps| drawn_grid(steps, &layout_of, faults));
    Some(Cells { board, names, layout: layout_of, grid })
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
    Grid { places, steps: steps.to_vec(), ..Grid::default() }
}

/// The words of a line, each with its column in characters.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(|word| {
        let bytes = word.as_ptr() as usize - line.as_ptr() as usize;
        (line[..bytes].chars().count(), word)
    })
}

impl Cells {
    /// The cell that a key names.
    pub fn cell(&self, key: &str, named: &CellKey, faults: &Faults) -> Option<u8> {
        let count = self.board.cells();
        let cell = match &named.name {
            CellName::Number(number) => u8::try_from(*number).ok(),
            CellName::Name(name) => cell_named(self.board, &self.names, name),
        };
        cell.filter(|&cell| u32::from(cell) < count).or_else(|| {
            let [from, to] = [0, count.saturating_sub(1) as u8].map(|end| match &named.name {
                CellName::Number(_) => end.to_string(),
                CellName::Name(_) => {
                    let name = self.names.get(usize::from(end)).cloned();
                    name.unwrap_or_else(|| cell_name(self.board, end))
                }
            });
            let message = format!("cell {named}; write cells of the board, {from} to {to}");
            faults.at(named.place, key, message)
        })
    }

    /// The set of the named cells, each of which must be named once.
    pub fn set(&self, key: &str, named: &[CellKey], faults: &Faults) -> Option<u64> {
        squares(self, key, named, faults).map(|set| set as u64)
    }
}

/// The set of the named squares of a board that may be larger than [`MAX_CELLS`].
fn squares(cells: &Cells, key: &str, named: &[CellKey], faults: &Faults) -> Option<u128> {
    let mut set = 0u128;
    faults.unless_more(|| {
        for one in named {
            let Some(cell) = cells.cell(key, one, faults) else { continue };
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
