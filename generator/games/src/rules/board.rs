//! The board of a rule file: its squares, holes and names, and the sides that meet.
//!
//! Reads the table `[board]` into a board, the names and places of its cells, and the grid from which lines and links are
//! made. The drawing `a b` over `c` has 3 cells in 2 rows of 2 squares, of which the last is a hole.

use super::fault::RuleFault;
use super::grid::{Form, Grid, KING, Step};
use super::shape::{BoardTable, CellKey, Hex, Wrap};
use morpion_lookup::raw::{cell_name, cell_named};
use morpion_lookup::{Board, MAX_CELLS, Point, Rules};
use std::collections::BTreeSet;

/// Content of `[board]`.
pub(super) struct ReadBoard {
    pub board: Board,
    pub names: Vec<String>,
    pub layout: Vec<Point>,
    /// `None` for `cells`, and for a drawing without `steps`.
    pub grid: Option<Grid>,
}

/// Reads the board, of 1 to [`MAX_CELLS`] cells.
pub(super) fn board(table: &BoardTable) -> Result<ReadBoard, RuleFault> {
    if let Some(layout) = &table.layout {
        return drawn(layout, table);
    }
    if table.steps.is_some() {
        return Err(RuleFault::of_key("board", "`steps` alone", "`layout` beside it"));
    }
    if let Some(hex) = &table.hex {
        return hexagonal(hex, table);
    }
    let board = match (table.rows, table.columns, table.cells) {
        (Some(rows), Some(columns), None) => grid_board(rows, columns, table)?,
        (None, None, Some(cells)) => Board::plain(narrow("board.cells", cells)?),
        (None, None, None) => {
            let expected = "`rows` and `columns`, `hex`, `cells`, or `layout`";
            return Err(RuleFault::of_key("board", "none of them", expected));
        }
        (_, _, Some(_)) => {
            let found = "`cells` beside `rows` or `columns`";
            return Err(RuleFault::of_key("board", found, "one or the other"));
        }
        (None, ..) => {
            return Err(RuleFault::of_key("board", "`columns` alone", "`rows` beside it"));
        }
        (_, None, _) => {
            return Err(RuleFault::of_key("board", "`rows` alone", "`columns` beside it"));
        }
    };
    let cells = board.cells();
    if cells == 0 || cells > u32::from(MAX_CELLS) {
        let expected = format!("1 to {MAX_CELLS} cells");
        return Err(RuleFault::of_key("board", format!("{cells} cells"), expected));
    }
    let wraps =
        |sides: Wrap| matches!(table.wrap, Some(wrap) if wrap == sides || wrap == Wrap::Both);
    let grid = board.grid().map(|(rows, columns)| Grid {
        form: Form::Rectangle,
        places: (0..cells as u8)
            .filter_map(|cell| board.square(cell))
            .map(|(row, column)| (row.into(), column.into()))
            .collect(),
        steps: KING.to_vec(),
        rows,
        columns,
        wraps_rows: wraps(Wrap::Rows),
        wraps_columns: wraps(Wrap::Columns),
    });
    for (key, is_given) in [("blocked", table.blocked.is_some()), ("wrap", table.wrap.is_some())] {
        if is_given && grid.is_none() {
            let found = format!("`{key}` beside `cells`");
            return Err(RuleFault::of_key("board", found, "`rows` and `columns`"));
        }
    }
    let names = table.names.clone().unwrap_or_default();
    Ok(ReadBoard { board, names, layout: Vec::new(), grid })
}

/// Converts a number of a rule file to the type of the rules.
pub(super) fn narrow(key: &str, number: u64) -> Result<u8, RuleFault> {
    u8::try_from(number)
        .map_err(|_| RuleFault::of_key(key, number.to_string(), "a number below 256"))
}

/// The maximum number of squares of a grid with holes, since [`Board::of_squares`] has a bit for each.
const SQUARES: u32 = u128::BITS;

/// The rows and columns without the blocked squares.
fn grid_board(rows: u64, columns: u64, table: &BoardTable) -> Result<Board, RuleFault> {
    if columns > 26 && table.names.is_none() {
        let found = columns.to_string();
        return Err(RuleFault::of_key("board.columns", found, "at most 26 columns"));
    }
    let whole = Board::new(narrow("board.rows", rows)?, narrow("board.columns", columns)?);
    let Some(blocked) = table.blocked.as_ref().filter(|blocked| !blocked.is_empty()) else {
        return Ok(whole);
    };
    let squares = whole.cells();
    if squares > SQUARES {
        let expected = format!("at most {SQUARES} squares, cells and holes");
        return Err(RuleFault::of_key("board", format!("{squares} squares"), expected));
    }
    let unnamed = Rules::new("", whole, Vec::new());
    let mut open = u128::MAX.checked_shr(SQUARES - squares).unwrap_or(0);
    for key in blocked {
        let square = cell(&unnamed, "board.blocked", key)?;
        if open >> square & 1 == 0 {
            let found = format!("{key} twice");
            return Err(RuleFault::of_key("board.blocked", found, "each square once"));
        }
        open &= !(1 << square);
    }
    let (rows, columns) = whole.grid().unwrap_or_default();
    Ok(Board::of_squares(rows, columns, open))
}

/// Refuses other keys next to a key that describes the whole board.
fn refuse_other_keys(key: &str, table: &BoardTable, expected: &str) -> Result<(), RuleFault> {
    let others = [
        ("rows", table.rows.is_some()),
        ("columns", table.columns.is_some()),
        ("cells", table.cells.is_some()),
        ("blocked", table.blocked.is_some()),
        ("wrap", table.wrap.is_some()),
        ("names", table.names.is_some()),
        ("hex", table.hex.is_some() && key != "hex"),
    ];
    match others.iter().find(|(_, given)| *given) {
        Some((other, _)) => {
            Err(RuleFault::of_key("board", format!("`{key}` and `{other}`"), expected))
        }
        None => Ok(()),
    }
}

/// A hexagonal board: a grid in which each row is shifted by half a square. The neighbours of a square lie to the
/// right, below, and below to the right: `hex = 2` has the rows `..#`, `...` and `#..`.
fn hexagonal(hex: &Hex, table: &BoardTable) -> Result<ReadBoard, RuleFault> {
    refuse_other_keys("hex", table, "`hex` alone")?;
    let fault = |found: String, expected: &str| {
        Err(RuleFault::of_key("board.hex", found, expected.to_string()))
    };
    let most = u64::from(MAX_CELLS);
    let lengths: Vec<u64> = match hex {
        Hex::Side(side) if (1..=3).contains(side) => {
            (*side..2 * side).chain((*side..2 * side - 1).rev()).collect()
        }
        Hex::Side(side) => {
            return fault(
                side.to_string(),
                "a side of 1 to 3, which has 19 cells, or a list of rows",
            );
        }
        Hex::Rows(rows) => rows.clone(),
    };
    let cells = lengths.iter().fold(0u64, |sum, length| sum.saturating_add(*length));
    if cells > most || lengths.is_empty() || lengths.contains(&0) {
        let expected = format!("1 to {MAX_CELLS} cells in rows of at least one");
        return fault(format!("rows of {lengths:?} cells"), &expected);
    }
    if let Some(pair) = lengths.windows(2).find(|pair| pair[0] % 2 == pair[1] % 2) {
        let found = format!("rows of {} and {} cells", pair[0], pair[1]);
        return fault(
            found,
            "neighbouring rows whose lengths differ by an odd number: cells lie between those of the next row",
        );
    }
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
        let expected = format!("at most {SQUARES} squares, cells and holes");
        return fault(format!("{rows} rows in {columns} columns"), &expected);
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
        wraps_rows: false,
        wraps_columns: false,
    };
    Ok(ReadBoard { board, names: Vec::new(), layout: layout.collect(), grid: Some(grid) })
}

/// A drawing, in which each word names a cell and marks its place.
fn drawn(layout: &str, table: &BoardTable) -> Result<ReadBoard, RuleFault> {
    refuse_other_keys(
        "layout",
        table,
        "`layout` alone: its words are the cells, by name and place",
    )?;
    let fault = |found: String, expected: &str| {
        Err(RuleFault::of_key("board.layout", found, expected.to_string()))
    };
    if let Some(character) = layout.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r')) {
        return fault(format!("{character:?}"), "names, spaces and line ends");
    }
    let (mut names, mut layout_of) = (Vec::new(), Vec::new());
    for (line, text) in layout.lines().enumerate() {
        for (x, name) in words(text) {
            let place = u16::try_from(x).ok().zip(u16::try_from(2 * line).ok());
            let Some((x, y)) = place.filter(|_| names.len() < usize::from(MAX_CELLS)) else {
                let found = "more cells, or a cell farther out";
                return fault(found.into(), "at most 36 cells, and 65,535 characters a line");
            };
            names.push(name.to_owned());
            layout_of.push(Point { x, y });
        }
    }
    if names.is_empty() {
        return fault("no name".into(), "a name for each cell");
    }
    let columns: BTreeSet<u16> = layout_of.iter().map(|point| point.x).collect();
    let rows: BTreeSet<u16> = layout_of.iter().map(|point| point.y).collect();
    let squares = rows.len() * columns.len();
    if squares > SQUARES as usize {
        let found = format!(
            "names in {} lines that begin at {} places across, {squares} squares",
            rows.len(),
            columns.len()
        );
        let expected =
            format!("at most {SQUARES} squares, cells and holes: names below each other");
        return fault(found, &expected);
    }
    let square = |point: &Point| {
        let row = rows.range(..point.y).count();
        row * columns.len() + columns.range(..point.x).count()
    };
    let open = layout_of.iter().fold(0u128, |open, point| open | 1 << square(point));
    let board = Board::of_squares(rows.len() as u8, columns.len() as u8, open);
    let grid = table.steps.as_ref().map(|steps| drawn_grid(steps, &layout_of)).transpose()?;
    Ok(ReadBoard { board, names, layout: layout_of, grid })
}

/// The grid of a drawing. The directions `steps` count lines down and characters to the right.
fn drawn_grid(steps: &[Step], layout: &[Point]) -> Result<Grid, RuleFault> {
    let fault = |found: String, expected: &str| {
        Err(RuleFault::of_key("board.steps", found, expected.to_string()))
    };
    for (index, &(down, right)) in steps.iter().enumerate() {
        if (down, right) == (0, 0) {
            return fault("[0, 0]".into(), "a direction");
        }
        if steps[..index].iter().any(|&one| one == (down, right) || one == (-down, -right)) {
            return fault(
                format!("[{down}, {right}] twice"),
                "each direction once: steps lead both ways",
            );
        }
        let far = i32::from(u16::MAX);
        if down.unsigned_abs().max(right.unsigned_abs()) > far.unsigned_abs() {
            return fault(format!("[{down}, {right}]"), "steps that lead to another cell");
        }
    }
    let places: Vec<Step> =
        layout.iter().map(|point| (i32::from(point.y) / 2, point.x.into())).collect();
    Ok(Grid {
        form: Form::Drawing,
        places,
        steps: steps.to_vec(),
        rows: 0,
        columns: 0,
        wraps_rows: false,
        wraps_columns: false,
    })
}

/// The words of a line, each with its column in characters.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(|word| {
        let bytes = word.as_ptr() as usize - line.as_ptr() as usize;
        (line[..bytes].chars().count(), word)
    })
}

/// The cell that a key names.
pub(super) fn cell(rules: &Rules, key: &str, named: &CellKey) -> Result<u8, RuleFault> {
    let last = rules.board.cells().saturating_sub(1);
    match named {
        CellKey::Number(number) => match u8::try_from(*number) {
            Ok(cell) if u32::from(cell) <= last => Ok(cell),
            _ => {
                let expected = format!("cells of the board, 0 to {last}");
                Err(RuleFault::of_key(key, format!("cell {number}"), expected))
            }
        },
        CellKey::Name(name) => {
            cell_named(rules, name).filter(|&cell| u32::from(cell) <= last).ok_or_else(|| {
                let names = [0, last as u8].map(|cell| match rules.names.get(usize::from(cell)) {
                    Some(name) => name.clone(),
                    None => cell_name(rules.board, cell),
                });
                let expected = format!("cells of the board, {} to {}", names[0], names[1]);
                RuleFault::of_key(key, format!("cell {named}"), expected)
            })
        }
    }
}

/// The set of the named cells, each of which must be named once.
pub(super) fn cell_set(rules: &Rules, key: &str, named: &[CellKey]) -> Result<u64, RuleFault> {
    let mut set = 0u64;
    for one in named {
        let bit = 1u64 << cell(rules, key, one)?;
        if set & bit != 0 {
            let shown: Vec<String> =
                named.iter().take(usize::from(MAX_CELLS)).map(CellKey::to_string).collect();
            let found = format!("cell {one} twice in [{}]", shown.join(", "));
            return Err(RuleFault::of_key(key, found, "each cell once"));
        }
        set |= bit;
    }
    Ok(set)
}
