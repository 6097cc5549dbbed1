//! The parts of the rules, each made from its table of the rule file.
//!
//! Reads names, moves, opening and start into the types of [`morpion_lookup::Rules`]. Errors name the key that contradicts
//! another key or the board.

use super::board::{cell, cell_set};
use super::fault::Faults;
use super::grid::{Form, Grid};
use super::shape::{CellKey, MovesTable, OpeningTable, RuleFile, To};
use morpion_lookup::{Game, Movement, Opening, Rules, Start, Travel};

/// Checks the aliases of a game: each is a valid name, and none occurs twice.
pub(super) fn aliases(file: &RuleFile, faults: &Faults) -> Option<Vec<String>> {
    let aliases = file.aliases.clone().unwrap_or_default();
    faults.unless_more(|| {
        for (index, alias) in aliases.iter().enumerate() {
            let shown: String = alias.chars().take(64).collect();
            let fault = |message| faults.of::<()>("aliases", format!("{shown:?}{message}"));
            if !Rules::is_name(alias) {
                fault("; write 1 to 64 letters, digits, `-` or `_`");
            } else if Some(alias) == file.name.as_ref() {
                fault("; write names other than the game's own");
            } else if aliases[..index].contains(alias) {
                fault(" twice; write each name once");
            }
        }
    })?;
    Some(aliases)
}

/// Checks that the keys of `[moves]` go together, whatever the board is.
pub(super) fn check_moves(table: &MovesTable, faults: &Faults) -> Option<()> {
    if (table.to == Some(To::Edges)) == table.edges.is_some() {
        return Some(());
    }
    let found =
        if table.edges.is_some() { "`edges` without `to = \"edges\"`" } else { "no `edges`" };
    faults.of("moves.edges", format!("{found}; write `to = \"edges\"` and `edges` together"))
}

/// Reads the rules of movement from a table whose keys go together. Only the board and the names of `rules` are used.
pub(super) fn movement(
    rules: &Rules,
    grid: Option<&Grid>,
    table: &MovesTable,
    faults: &Faults,
) -> Option<Movement> {
    let to = match table.to? {
        To::Any => Travel::Any,
        To::Edges => Travel::Links(edges(rules, table.edges.as_deref()?, faults)?),
        to => Travel::Links(links(rules, grid, to, faults)?),
    };
    let mut movement = Movement::new(to);
    movement.stay = table.stay.unwrap_or(false);
    movement.stuck = table.stuck.unwrap_or(movement.stuck);
    Some(movement)
}

/// The links that the file lists.
fn edges(rules: &Rules, edges: &[(CellKey, CellKey)], faults: &Faults) -> Option<Vec<(u8, u8)>> {
    let key = "moves.edges";
    let read = |(a, b): &(CellKey, CellKey)| {
        let (from, to) = (cell(rules, key, a, faults), cell(rules, key, b, faults));
        let link = (from?, to?);
        if link.0 == link.1 {
            return faults.at(a.place, key, format!("[{a}, {b}]; write two different cells"));
        }
        Some(link)
    };
    // All edges are read before the first that is wrong ends the reading.
    edges.iter().map(read).collect::<Vec<_>>().into_iter().collect()
}

/// The links between neighbours on a grid.
fn links(rules: &Rules, grid: Option<&Grid>, to: To, faults: &Faults) -> Option<Vec<(u8, u8)>> {
    let Some(grid) = grid else {
        let is_drawn = to == To::King && !rules.layout.is_empty();
        let remedy =
            if is_drawn { "`any`, `edges`, or `steps` in [board]" } else { "`any` or `edges`" };
        let message = "moves along rows and columns on a board without them";
        return faults.of("moves.to", format!("{message}; write {remedy}"));
    };
    if grid.form != Form::Rectangle && to != To::King {
        let remedy = "write `king`, one step in any direction, `any` or `edges`";
        let message = format!("moves along columns on a board without them; {remedy}");
        return faults.of("moves.to", message);
    }
    Some(match to {
        To::Drawn => {
            check_drawn(grid, faults)?;
            grid.links(|down, right, even| even || down.abs() + right.abs() == 1)
        }
        To::Orthogonal => grid.links(|down, right, _| down.abs() + right.abs() == 1),
        _ => grid.links(|_, _, _| true),
    })
}

/// If sides meet, the number of cells between them must be even: drawn diagonals start at every other cell.
fn check_drawn(grid: &Grid, faults: &Faults) -> Option<()> {
    let is_odd = |length: u8, wraps: bool| wraps && length % 2 == 1;
    if is_odd(grid.columns, grid.wraps_rows) || is_odd(grid.rows, grid.wraps_columns) {
        let found = format!("`drawn` with ends that meet on {} × {}", grid.rows, grid.columns);
        let remedy =
            "write an even number of cells from end to end: diagonals are drawn on every other";
        return faults.of("moves.to", format!("{found}; {remedy}"));
    }
    Some(())
}

/// Checks that the keys of `[opening]` and the other tables go together.
pub(super) fn check_opening(table: &OpeningTable, faults: &Faults) -> Option<()> {
    let (forbidden, start) = (table.forbidden.as_ref(), table.start.is_some());
    faults.unless_more(|| {
        if forbidden.is_some() && table.during.is_none() {
            let message = "nothing; write `first`, `each-first` or `placing`";
            faults.of::<()>("opening.during", message);
        }
        if forbidden.is_none() && table.during.is_some() {
            faults.of::<()>("opening.during", "`during` alone; write `forbidden` beside it");
        }
        if let Some(forbidden) = forbidden.filter(|_| start) {
            let named: Vec<String> = forbidden.iter().map(CellKey::to_string).collect();
            let found = format!("`start` and `forbidden` = [{}]", named.join(", "));
            let remedy = "write one of them: nothing is placed after `start`";
            faults.of::<()>("opening", format!("{found}; {remedy}"));
        }
        if start && !(faults.has("pieces") && faults.has("moves")) {
            let message = "a start; write `[pieces]` and `[moves]` beside it";
            faults.of::<()>("opening.start", message);
        }
    })
}

/// Reads the opening rule, if there is one. Only the board and the names of `rules` are used.
pub(super) fn restriction(rules: &Rules, table: &OpeningTable, faults: &Faults) -> Option<Opening> {
    let (forbidden, during) = table.forbidden.as_ref().zip(table.during)?;
    let forbidden = cell_set(rules, "opening.forbidden", forbidden, faults)?;
    Some(Opening { forbidden, during })
}

/// Reads a preset start. All other rules must be complete: the position is read as a position of the game without it.
pub(super) fn start(rules: &Rules, text: &str, faults: &Faults) -> Option<Start> {
    let game = faults.of_rules(Game::new(rules.clone()))?;
    match game.parse_position(text) {
        Ok(position) => {
            let (position, side) = position.parts();
            let (x, o) = position.sides(side);
            Some(Start { x, o, side })
        }
        Err(error) => faults.of("opening.start", error),
    }
}
