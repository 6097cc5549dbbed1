//! The parts of the rules, each made from its table of the rule file.
//!
//! Reads names, moves and opening into the types of [`Rules`](super::data::Rules). Errors name the key that contradicts
//! another key or the board.

use super::board::Cells;
use super::conditions::{along_links, steps};
use super::data::{Mills, Movement, Opening, To};
use super::fault::{Faults, quoted};
use super::grid::{DIAGONAL, Grid, Run, STRAIGHT, Step, turned};
use super::shape::{Beside, CellKey, MillsTable, MovesTable, OpeningTable, PiecesTable, RuleFile};
use morpion_core::{Game, Stuck, Takes};
use std::collections::BTreeSet;
use toml::Spanned;

/// Reads the name, the title and the aliases of a game. The name and the aliases must be valid names, each of them different.
pub(super) fn names(file: &RuleFile, faults: &Faults) -> Option<(String, String, Vec<String>)> {
    const NAME: &str = "1 to 64 letters, digits, `-` or `_`";
    let aliases = file.aliases.clone().unwrap_or_default();
    if let Some(name) = &file.name {
        faults.when(!Game::is_name(name), "name", quoted(name), NAME);
    }
    let title = file.title.as_ref().or(file.name.as_ref())?;
    let is_long = title.len() > 1024 || title.contains(char::is_control);
    faults.when(is_long, "title", quoted(title), "one line of at most 1,024 bytes");
    let mut seen = BTreeSet::new();
    for alias in &aliases {
        let fault =
            |message: &str| faults.of::<()>("aliases", format!("{}{message}", quoted(alias)));
        if !Game::is_name(alias) {
            fault(&format!("; write {NAME}"));
        } else if Some(alias) == file.name.as_ref() {
            fault("; write names other than the game's own");
        } else if !seen.insert(alias) {
            fault(" twice; write each name once");
        }
    }
    Some((file.name.clone()?, title.clone(), aliases))
}

/// Reads the number of pieces.
pub(super) fn pieces(cells: &Cells, table: &PiecesTable, faults: &Faults) -> Option<u8> {
    let each = table.each?;
    let is_possible = each > 0 && 2 * u32::from(each) <= cells.board.cells();
    let remedy = "at least 1, and twice that no more than the cells";
    faults.when(!is_possible, "pieces.each", each, remedy).map(|()| each)
}

/// Checks that the keys of `[moves]` go together, whatever the board is.
pub(super) fn check_moves(table: &MovesTable, faults: &Faults) -> Option<()> {
    faults.unless_more(|| {
        let has_moves = faults.has("moves.to") || faults.has("moves.oldest");
        faults.when(!has_moves, "moves.to", "missing", "for example `to = \"king\"`");
        for (key, to) in [("edges", To::Edges), ("steps", To::Steps)] {
            let is_slide = to == To::Edges && table.to.is_some_and(To::is_far);
            let found = match (faults.has(&format!("moves.{key}")), table.to == Some(to)) {
                (true, false) if !is_slide => format!("`{key}` without `to = \"{key}\"`"),
                (false, true) => format!("no `{key}`"),
                _ => continue,
            };
            let message = format!("{found}; write `to = \"{key}\"` and `{key}` together");
            faults.of::<()>(&format!("moves.{key}"), message);
        }
        let has_links = !matches!(table.to.unwrap_or(To::Any), To::Any | To::Push);
        for key in ["moves.jump", "moves.beside"] {
            let remedy = "another `to` beside it, such as \"king\"";
            faults.when(faults.has(key) && !has_links, key, "cells without neighbours", remedy);
        }
    })
}

/// Reads the rules of movement from a table whose keys go together.
pub(super) fn movement(cells: &Cells, table: &MovesTable, faults: &Faults) -> Option<Movement> {
    // Only pieces that age have no `to`: a new piece goes to any cell.
    let (to, jump) = (table.to.unwrap_or(To::Any), table.jump);
    let (mut beside, mut moves) = (0, Vec::new());
    if !matches!(to, To::Any | To::Push) {
        let rays = rays(cells, to, table, faults);
        beside = match &table.beside {
            None => 0,
            Some(Beside::Other) => u64::MAX >> (64 - cells.board.cells()),
            Some(Beside::Into(named)) => cells.set("moves.beside", named, faults)?,
        };
        moves = steps(&rays?, to, jump, beside);
    }
    let (stay, stuck) = (table.stay.unwrap_or(false), table.stuck.unwrap_or(Stuck::Loss));
    Some(Movement { to, jump, beside, steps: moves, stay, stuck })
}

/// The cells that lie straight ahead of each cell, in each direction in which pieces move.
fn rays(cells: &Cells, to: To, table: &MovesTable, faults: &Faults) -> Option<Vec<Run>> {
    if let Some(listed) = &table.edges {
        let links = edges(cells, listed, faults)?;
        let drawn = cells.layout.iter().map(|point| (i32::from(point.y), i32::from(point.x)));
        let places =
            cells.grid.as_ref().map_or_else(|| drawn.collect(), |grid| grid.places.clone());
        let needs_places = to.is_far() || table.jump.is_some();
        let key = if to.is_far() { "moves.to" } else { "moves.jump" };
        let found = "no cell lies behind another on a board without places";
        let remedy = "`layout`, or rows and columns";
        faults.when(needs_places && places.is_empty(), key, found, remedy)?;
        return Some(along_links(&links, &places));
    }
    let grid = grid_to_move_on(cells, to, faults)?;
    Some(match to.step() {
        To::Steps => grid.rays(&along(grid, table.steps.as_deref()?, faults)?),
        To::Orthogonal => grid.rays(&STRAIGHT),
        To::Drawn => {
            check_drawn(grid, faults)?;
            let diagonals =
                grid.rays(&DIAGONAL).into_iter().filter(|ray| grid.is_even(ray.cells[0]));
            grid.rays(&STRAIGHT).into_iter().chain(diagonals).collect()
        }
        _ => grid.rays(&grid.steps),
    })
}

/// The links that the file lists.
fn edges(cells: &Cells, edges: &[(CellKey, CellKey)], faults: &Faults) -> Option<Vec<(u8, u8)>> {
    let key = "moves.edges";
    let read = |(a, b): &(CellKey, CellKey)| {
        let (from, to) = (cells.cell(key, a, faults), cells.cell(key, b, faults));
        let link = (from?, to?);
        if link.0 == link.1 {
            return faults.at(a.place, key, format!("[{a}, {b}]; write two different cells"));
        }
        Some(link)
    };
    // All edges are read first, so that every wrong edge is reported.
    let links: Option<Vec<_>> = edges.iter().map(read).collect::<Vec<_>>().into_iter().collect();
    let links = links?;
    // If some links are written in both directions, the author means that the other links lead one way.
    let all: BTreeSet<&(u8, u8)> = links.iter().collect();
    let is_once = |&(a, b): &(u8, u8)| !all.contains(&(b, a));
    let once = links.iter().position(is_once);
    if let Some((a, b)) = once.filter(|_| !links.iter().all(is_once)).map(|one| &edges[one]) {
        let remedy = "write each link once: it leads both ways, and one-way links are out of scope";
        let message = format!("[{a}, {b}] in one direction, and others in both; {remedy}");
        return faults.at(a.place, key, message);
    }
    Some(links)
}

/// The grid, if pieces can move on it in this way.
fn grid_to_move_on<'c>(cells: &'c Cells, to: To, faults: &Faults) -> Option<&'c Grid> {
    let is_king = to.step() == To::King;
    let (lacking, remedy) = match &cells.grid {
        Some(grid) if is_king || grid.is_rectangle() => return Some(grid),
        Some(_) => ("columns", "`king`, one step in any direction, `any` or `edges`"),
        None if to.is_far() => ("rows and columns", "`edges` beside it, along which pieces slide"),
        None if is_king && !cells.layout.is_empty() => {
            ("rows and columns", "`any`, `edges`, or `steps` in [board]")
        }
        None => ("rows and columns", "`any` or `edges`"),
    };
    let message = format!("moves along {lacking} on a board without them; write {remedy}");
    faults.of("moves.to", message)
}

/// Turns and mirrors the steps in every way. Each listed step must differ from the other steps, and lead to another cell.
fn along(grid: &Grid, steps: &[Spanned<Step>], faults: &Faults) -> Option<Vec<Step>> {
    let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
    let far = u32::from(grid.rows.max(grid.columns));
    faults.when(steps.is_empty(), "moves.steps", "no step", "at least one, such as [1, 2]")?;
    faults.unless_more(|| {
        for step in steps {
            let (down, right) = *step.get_ref();
            let (a, b) = (down.unsigned_abs(), right.unsigned_abs());
            let fault = |remedy| {
                let message = format!("[{down}, {right}]{remedy}");
                faults.at::<()>(step.span().start, "moves.steps", message)
            };
            if !seen.insert((a.min(b), a.max(b))) {
                fault(" twice; write each step once: it is turned and mirrored in every way");
                continue;
            }
            let steps = if a.max(b) < far { &turned((down, right))[..] } else { &[] };
            let rays = grid.rays(steps);
            if rays.iter().all(|ray| ray.cells.len() < 2) {
                fault("; write steps to another cell, as rows down and columns to the right");
            }
            all.extend(steps);
        }
        all
    })
}

/// If sides meet, the number of cells between them must be even: drawn diagonals start at every other cell.
fn check_drawn(grid: &Grid, faults: &Faults) -> Option<()> {
    let is_odd = |length: u8, wraps: bool| wraps && length % 2 == 1;
    let is_odd = is_odd(grid.columns, grid.wraps_rows) || is_odd(grid.rows, grid.wraps_columns);
    let found = format_args!("`drawn` with ends that meet on {} × {}", grid.rows, grid.columns);
    let remedy = "an even number of cells from end to end: diagonals are drawn on every other";
    faults.when(is_odd, "moves.to", found, remedy)
}

/// Reads the rules of lines that take. By default, pieces outside lines are taken if there are some, two pieces are too few, and no piece
/// flies.
pub(super) fn mills(table: &MillsTable) -> Mills {
    Mills {
        takes: table.takes.unwrap_or(Takes::OutsideFirst),
        least: table.least.unwrap_or(3),
        fly: table.fly.unwrap_or(0),
        full: table.full,
        mixed: table.mixed.unwrap_or(false),
    }
}

/// Checks that the keys of `[opening]` and the other tables go together.
pub(super) fn check_opening(table: &OpeningTable, faults: &Faults) -> Option<()> {
    let has_during = table.during.is_some();
    let has_forbidden = table.forbidden.is_some();
    let has_start = table.start.is_some();
    faults.unless_more(|| {
        let (key, remedy) = ("opening.during", "`first`, `each-first` or `placing`");
        faults.when(has_forbidden && !has_during, key, "nothing", remedy);
        let remedy = "`forbidden` beside it";
        faults.when(has_during && !has_forbidden, key, "`during` alone", remedy);
        let remedy = "one of them: nothing is placed after `start`";
        faults.when(has_start && has_forbidden, "opening", "`start` and `forbidden`", remedy);
        let has_moves = faults.has("pieces") && faults.has("moves");
        let remedy = "`[pieces]` and `[moves]` beside it";
        faults.when(has_start && !has_moves, "opening.start", "a start", remedy);
    })
}

/// Reads the opening rule, if there is one.
pub(super) fn restriction(cells: &Cells, table: &OpeningTable, faults: &Faults) -> Option<Opening> {
    let (forbidden, during) = table.forbidden.as_ref().zip(table.during)?;
    let forbidden = cells.set("opening.forbidden", forbidden, faults)?;
    Some(Opening { forbidden, during })
}
