//! The lines of a rule file, and the cells that extend them.
//!
//! Reads the table `[lines]` into sets of cells in any order, on the grid of the board if it has one. One set may still
//! contain another.

use super::board::cell_set;
use super::fault::RuleFault;
use super::grid::{Form, Grid};
use super::shape::{CellKey, LinesTable};
use morpion_lookup::raw::rank::{binomial, cells, subsets};
use morpion_lookup::{MAX_CELLS, Rules};

/// The maximum number of different lines before lines that contain another line are left out.
const MAX_LISTED: u64 = 1 << 16;

/// Each line with the cells that prolong it.
type Lines = Vec<(u64, u64)>;

/// Reads the lines, at least one. Only the board and the names of `rules` are used.
pub(super) fn lines(
    rules: &Rules,
    grid: Option<&Grid>,
    table: &LinesTable,
) -> Result<Lines, RuleFault> {
    if let Some(sets) = &table.sets {
        let others = [
            ("length", table.length.is_some()),
            ("within", table.within.is_some()),
            ("gaps", table.gaps.is_some()),
            ("exact", table.exact.is_some()),
            ("shapes", table.shapes.is_some()),
            ("add", table.add.is_some()),
        ];
        if let Some((other, _)) = others.iter().find(|(_, given)| *given) {
            return Err(RuleFault::of_key(
                "lines",
                format!("`sets` and `{other}`"),
                "one form: `sets`, or `length` and `shapes` with their options",
            ));
        }
        let lines = line_sets(rules, "lines.sets", sets)?;
        if lines.is_empty() {
            return Err(RuleFault::of_key("lines.sets", "no line at all", "at least one line"));
        }
        return Ok(lines);
    }
    if table.length.is_none() && table.shapes.is_none() {
        return Err(RuleFault::of_key("lines", "neither", "`length`, `shapes` or `sets`"));
    }
    let key = if table.length.is_some() { "length" } else { "shapes" };
    let Some(grid) = grid else {
        let found = format!("`{key}` on a board without rows and columns");
        let is_drawn = key == "length" && !rules.layout.is_empty();
        let expected = if is_drawn { "`sets`, or `steps` in [board]" } else { "`sets`" };
        return Err(RuleFault::of_key(&format!("lines.{key}"), found, expected));
    };
    if grid.form != Form::Rectangle {
        let options = [
            ("within", table.within.is_some()),
            ("gaps", table.gaps.is_some()),
            ("shapes", table.shapes.is_some()),
        ];
        if let Some((option, _)) = options.iter().find(|(_, given)| *given) {
            let found = format!("`{option}` on a board without columns");
            return Err(RuleFault::of_key("lines", found, "`length`, `exact`, `add` or `sets`"));
        }
    }
    let mut lines = match table.length {
        Some(length) => runs(grid, length, table)?,
        None => {
            let options = [
                ("within", table.within.is_some()),
                ("gaps", table.gaps.is_some()),
                ("exact", table.exact.is_some()),
            ];
            if let Some((option, _)) = options.iter().find(|(_, given)| *given) {
                let found = format!("`{option}` without `length`");
                return Err(RuleFault::of_key("lines", found, "`length` beside it"));
            }
            Vec::new()
        }
    };
    for shape in table.shapes.iter().flatten() {
        lines.extend(placed(grid, shape)?);
        check_number(lines.len() as u64)?;
    }
    if let Some(add) = &table.add {
        lines.extend(line_sets(rules, "lines.add", add)?);
    }
    if lines.is_empty() {
        return Err(RuleFault::of_key(
            "lines.shapes",
            "no shape",
            "at least one line on the board",
        ));
    }
    lines.sort_unstable();
    lines.dedup();
    Ok(lines)
}

/// The lines of a given length.
fn runs(grid: &Grid, length: u64, table: &LinesTable) -> Result<Lines, RuleFault> {
    let (gaps, exact) = (table.gaps.unwrap_or(false), table.exact.unwrap_or(false));
    if gaps && table.within.is_none() {
        let expected = "`within = \"full\"` beside it";
        return Err(RuleFault::of_key("lines.gaps", "`gaps` alone", expected));
    }
    if gaps && exact {
        let expected = "one of them: nothing prolongs a line with gaps";
        return Err(RuleFault::of_key("lines", "`gaps` and `exact`", expected));
    }
    if length == 0 {
        return Err(RuleFault::of_key("lines.length", "0, an empty line", "at least 1"));
    }
    let size = length.min(u64::from(MAX_CELLS) + 1) as usize;
    let runs = grid.runs(table.within.is_some());
    if gaps {
        // Counted before they are listed: one row of 36 cells has 9,075,135,300 sets of 18 cells.
        let of = |count: usize| binomial(count as u32, size as u32);
        check_number(runs.iter().map(|run| of(run.cells.len())).sum())?;
    }
    let mut lines = Vec::new();
    for run in runs {
        if gaps {
            let count = run.cells.len() as u32;
            let set = |chosen| cells(chosen).fold(0, |set, at| set | 1 << run.cells[at as usize]);
            lines.extend(subsets(count, size as u32).map(|chosen| (set(chosen), 0)));
        } else {
            let windows = run.windows(size).into_iter();
            lines.extend(windows.map(|(line, around)| (line, if exact { around } else { 0 })));
        }
    }
    if lines.is_empty() {
        let board = match grid.form {
            Form::Rectangle => {
                format!("a board of {} rows and {} columns", grid.rows, grid.columns)
            }
            Form::Hexagonal | Form::Drawing => "the board".into(),
        };
        let found = format!("{length}, longer than every row of {board}");
        return Err(RuleFault::of_key("lines.length", found, "a length that fits"));
    }
    Ok(lines)
}

/// The lines that a shape such as `XX/XX` describes.
fn placed(grid: &Grid, shape: &str) -> Result<Lines, RuleFault> {
    let shown: String = shape.chars().take(64).collect();
    let fault = |expected: &str| {
        Err(RuleFault::of_key("lines.shapes", format!("{shown:?}"), expected.to_string()))
    };
    let rows: Vec<Vec<char>> = shape.split('/').map(|row| row.chars().collect()).collect();
    let most = usize::from(MAX_CELLS);
    if rows.len() > most || rows.iter().any(|row| row.len() > most || row.len() != rows[0].len()) {
        return fault("rows of one length with `/` between them, like \"XX/XX\"");
    }
    if rows.iter().flatten().any(|&square| !matches!(square, 'X' | '.')) {
        return fault("X for a cell of the line, . for any other");
    }
    let mut squares = Vec::new();
    for (row, squares_of) in (0..).zip(&rows) {
        let cells = (0..).zip(squares_of).filter(|(_, square)| **square == 'X');
        squares.extend(cells.map(|(column, _)| (row, column)));
    }
    if squares.is_empty() {
        return fault("a shape of at least one X");
    }
    let places = grid.places(&squares);
    if places.is_empty() {
        return fault("a shape that fits on the board");
    }
    Ok(places.into_iter().map(|line| (line, 0)).collect())
}

/// The lines that the rule file lists as sets of cells.
fn line_sets(rules: &Rules, key: &str, sets: &[Vec<CellKey>]) -> Result<Lines, RuleFault> {
    let line = |named: &Vec<CellKey>| {
        if named.is_empty() {
            return Err(RuleFault::of_key(key, "an empty line", "lines of at least one cell"));
        }
        cell_set(rules, key, named).map(|line| (line, 0))
    };
    let mut lines = sets.iter().map(line).collect::<Result<Lines, RuleFault>>()?;
    lines.sort_unstable();
    lines.dedup();
    check_number(lines.len() as u64)?;
    Ok(lines)
}

/// Refuses more lines than the search for lines inside other lines can handle.
fn check_number(lines: u64) -> Result<(), RuleFault> {
    if lines > MAX_LISTED {
        return Err(RuleFault::of_key("lines", format!("{lines} lines"), "at most 4,096 lines"));
    }
    Ok(())
}
