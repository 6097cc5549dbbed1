//! The lines of a rule file, and the cells that extend them.
//!
//! Reads the table `[lines]` into sets of cells, on the grid of the board if it has a grid. Then leaves out sets that contain another set.

use super::board::Cells;
use super::fault::{Faults, quoted};
use super::grid::Grid;
use super::shape::{CellKey, LinesTable};
use morpion_core::{
    MAX_CELLS,
    rank::{binomial, cells, subsets},
};
use toml::Spanned;

/// The maximum number of different lines before lines that contain another line are left out.
const MAX_LINES: u64 = 4096;

/// The maximum number of lines that are listed. Listed lines may be equal.
const MAX_LISTED: u64 = 1 << 16;

/// Each line with the cells that prolong it.
pub(super) type Lines = Vec<(u64, u64)>;

/// Checks that the keys of the table go together, whatever the board is.
pub(super) fn check_keys(table: &LinesTable, faults: &Faults) -> Option<()> {
    if table.sets.is_some() {
        let others = ["length", "within", "gaps", "exact", "shapes", "add"];
        let message =
            "`sets` and `{}`; write one form: `sets`, or `length` and `shapes` with their options";
        return faults.refuse("lines", &others, message);
    }
    let is_empty = table.length.is_none() && table.shapes.is_none();
    faults.when(is_empty, "lines", "no lines", "`length`, `shapes` or `sets`")?;
    if table.length.is_none() {
        let message = "`{}` without `length`; write `length` beside it";
        return faults.refuse("lines", &["within", "gaps", "exact"], message);
    }
    faults.when(table.length == Some(0), "lines.length", "0, an empty line", "at least 1")?;
    let has_gaps = table.gaps == Some(true);
    let remedy = "`within = \"full\"` beside it";
    faults.when(has_gaps && table.within.is_none(), "lines.gaps", "`gaps` alone", remedy)?;
    let remedy = "one of them: nothing prolongs a line with gaps";
    faults.when(has_gaps && table.exact == Some(true), "lines", "`gaps` and `exact`", remedy)
}

/// Reads the lines from a table whose keys go together, ascending, each once.
pub(super) fn lines(cells: &Cells, table: &LinesTable, faults: &Faults) -> Option<Lines> {
    let mut lines = if let Some(sets) = &table.sets {
        line_sets(cells, "lines.sets", sets, faults)?
    } else {
        let grid = grid_of_lines(cells, table, faults)?;
        let of_length = |length| runs(grid, length, table, faults);
        let runs = table.length.map_or(Some(Vec::new()), of_length);
        let shapes = shapes(grid, table.shapes.as_deref().unwrap_or_default(), faults);
        let added = table.add.as_deref().unwrap_or_default();
        let added = line_sets(cells, "lines.add", added, faults);
        [runs?, shapes?, added?].concat()
    };
    let is_empty = lines.is_empty() && table.sets.is_none();
    faults.when(is_empty, "lines.shapes", "no line at all", "at least one line on the board")?;
    lines.sort_unstable();
    lines.dedup();
    check_number(lines.len() as u64, MAX_LINES, faults)?;
    Some(lines)
}

/// Leaves out lines that are made whenever another line is made. Compares every line with every smaller line.
pub(super) fn normalised(lines: &Lines) -> Lines {
    let mut kept = Lines::with_capacity(lines.len());
    let longest = lines.iter().map(|line| line.0.count_ones()).max().unwrap_or(0);
    for length in 0..=longest {
        let smaller = kept.len();
        for &(line, prolongation) in lines.iter().filter(|line| line.0.count_ones() == length) {
            // Two kinds of lines can lie within this line: smaller lines, and lines of the same cells with fewer cells that extend them.
            let same = kept[smaller..].iter().rev().take_while(|kept| kept.0 == line);
            let is_within =
                |kept: &(u64, u64)| kept.0 & line == kept.0 && kept.1 & prolongation == kept.1;
            if !kept[..smaller].iter().chain(same).any(is_within) {
                kept.push((line, prolongation));
            }
        }
    }
    kept.sort_unstable();
    kept
}

/// The grid, if the keys of the table are allowed on it.
fn grid_of_lines<'c>(cells: &'c Cells, table: &LinesTable, faults: &Faults) -> Option<&'c Grid> {
    let Some(grid) = &cells.grid else {
        let key = if table.length.is_some() { "length" } else { "shapes" };
        let is_drawn = key == "length" && !cells.layout.is_empty();
        let more = if is_drawn { ", or `steps` in [board]" } else { "" };
        let message = format!("`{key}` on a board without rows and columns; write `sets`{more}");
        return faults.of(&format!("lines.{key}"), message);
    };
    if !grid.is_rectangle() {
        let message = "`{}` on a board without columns; write `length`, `exact`, `add` or `sets`";
        faults.refuse("lines", &["within", "gaps", "shapes"], message)?;
    }
    Some(grid)
}

/// The lines of a given length.
fn runs(grid: &Grid, length: u64, table: &LinesTable, faults: &Faults) -> Option<Lines> {
    let (gaps, exact) = (table.gaps.unwrap_or(false), table.exact.unwrap_or(false));
    let size = length.min(u64::from(MAX_CELLS) + 1) as usize;
    let runs = grid.runs(table.within.is_some());
    if gaps {
        // Sets are counted before they are listed: one row of 36 cells has 9,075,135,300 sets of 18 cells.
        let of = |count: usize| binomial(count as u32, size as u32);
        check_number(runs.iter().map(|run| of(run.cells.len())).sum(), MAX_LISTED, faults)?;
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
    let sides = format!("a board of {} rows and {} columns", grid.rows, grid.columns);
    let board = if grid.is_rectangle() { &sides } else { "the board" };
    let found = format_args!("{length}, longer than every row of {board}");
    faults.when(lines.is_empty(), "lines.length", found, "a length that fits").map(|()| lines)
}

/// The lines of all shapes.
fn shapes(grid: &Grid, shapes: &[Spanned<String>], faults: &Faults) -> Option<Lines> {
    let mut lines = Lines::new();
    faults.unless_more(|| {
        for shape in shapes {
            match placed(grid, shape.get_ref()) {
                Ok(placed) => lines.extend(placed.into_iter().map(|line| (line, 0))),
                Err(remedy) => {
                    let message = format!("{}; write {remedy}", quoted(shape.get_ref()));
                    faults.at::<()>(shape.span().start, "lines.shapes", message);
                }
            }
            check_number(lines.len() as u64, MAX_LISTED, faults)?;
        }
        Some(lines)
    })?
}

/// The sets of cells that a shape such as `XX/XX` describes, or what to write instead of the shape.
fn placed(grid: &Grid, shape: &str) -> Result<Vec<u64>, &'static str> {
    let rows: Vec<Vec<char>> = shape.split('/').map(|row| row.chars().collect()).collect();
    let most = usize::from(MAX_CELLS);
    if rows.len() > most || rows.iter().any(|row| row.len() > most || row.len() != rows[0].len()) {
        return Err("rows of one length with `/` between them, like \"XX/XX\"");
    }
    if rows.iter().flatten().any(|&square| !matches!(square, 'X' | '.')) {
        return Err("X for a cell of the line, . for any other");
    }
    let mut squares = Vec::new();
    for (row, squares_of) in (0..).zip(&rows) {
        let cells = (0..).zip(squares_of).filter(|(_, square)| **square == 'X');
        squares.extend(cells.map(|(column, _)| (row, column)));
    }
    if squares.is_empty() {
        return Err("a shape of at least one X");
    }
    let places = grid.places(&squares);
    if places.is_empty() { Err("a shape that fits on the board") } else { Ok(places) }
}

/// The lines that the rule file lists as sets of cells.
fn line_sets(
    cells: &Cells,
    key: &str,
    sets: &[Spanned<Vec<CellKey>>],
    faults: &Faults,
) -> Option<Lines> {
    let line = |named: &Spanned<Vec<CellKey>>| {
        if named.get_ref().is_empty() {
            let message = "an empty line; write lines of at least one cell";
            return faults.at(named.span().start, key, message);
        }
        cells.set(key, named.get_ref(), faults).map(|line| (line, 0))
    };
    // Every line is read, so that every fault is found.
    sets.iter().map(line).collect::<Vec<_>>().into_iter().collect()
}

/// Refuses more lines than `most`.
fn check_number(lines: u64, most: u64, faults: &Faults) -> Option<()> {
    faults.when(lines > most, "lines", format_args!("{lines} lines"), "at most 4,096 lines")
}
