//! The parts of the rules, each made from its table of the rule file.
//!
//! Reads names, moves, opening and start into the types of [`morpion_lookup::Rules`]. Errors name the key that contradicts
//! another key or the board.

use super::board::{cell, cell_set};
use super::fault::RuleFault;
use super::grid::{Form, Grid};
use super::shape::{CellKey, MovesTable, OpeningTable, To};
use morpion_lookup::{Game, Movement, Opening, Rules, Start, Travel};

/// Checks the aliases of a game: each is a valid name, and none occurs twice.
pub(super) fn aliases(name: &str, aliases: Vec<String>) -> Result<Vec<String>, RuleFault> {
    for (index, alias) in aliases.iter().enumerate() {
        let shown: String = alias.chars().take(64).collect();
        if !Rules::is_name(alias) {
            let expected = "1 to 64 letters, digits, `-` or `_`";
            return Err(RuleFault::of_key("aliases", format!("{shown:?}"), expected));
        }
        if alias == name {
            let expected = "names other than the game's own";
            return Err(RuleFault::of_key("aliases", format!("{shown:?}"), expected));
        }
        if aliases[..index].contains(alias) {
            return Err(RuleFault::of_key("aliases", format!("{shown:?} twice"), "each name once"));
        }
    }
    Ok(aliases)
}

/// Reads the rules of movement. Only the board and the names of `rules` are used.
pub(super) fn movement(
    rules: &Rules,
    grid: Option<&Grid>,
    table: &MovesTable,
) -> Result<Movement, RuleFault> {
    if (table.to == To::Edges) != table.edges.is_some() {
        let found =
            if table.edges.is_some() { "`edges` without `to = \"edges\"`" } else { "no `edges`" };
        let expected = "`to = \"edges\"` and `edges` together";
        return Err(RuleFault::of_key("moves.edges", found, expected));
    }
    let links = |keep: fn(i32, i32, bool) -> bool| match grid {
        Some(grid) if grid.form != Form::Rectangle && table.to != To::King => {
            let found = "moves along columns on a board without them";
            Err(RuleFault::of_key(
                "moves.to",
                found,
                "`king`, one step in any direction, `any` or `edges`",
            ))
        }
        Some(grid) => Ok(Travel::Links(grid.links(keep))),
        None => {
            let found = "moves along rows and columns on a board without them";
            let is_drawn = table.to == To::King && !rules.layout.is_empty();
            let expected =
                if is_drawn { "`any`, `edges`, or `steps` in [board]" } else { "`any` or `edges`" };
            Err(RuleFault::of_key("moves.to", found, expected))
        }
    };
    let to = match table.to {
        To::Any => Travel::Any,
        To::Orthogonal => links(|down, right, _| down.abs() + right.abs() == 1)?,
        To::King => links(|_, _, _| true)?,
        To::Drawn => {
            check_drawn(grid)?;
            links(|down, right, even| even || down.abs() + right.abs() == 1)?
        }
        To::Edges => {
            let read = |(a, b): &(CellKey, CellKey)| {
                let link = (cell(rules, "moves.edges", a)?, cell(rules, "moves.edges", b)?);
                if link.0 == link.1 {
                    let found = format!("[{a}, {b}]");
                    return Err(RuleFault::of_key("moves.edges", found, "two different cells"));
                }
                Ok(link)
            };
            Travel::Links(table.edges.iter().flatten().map(read).collect::<Result<_, _>>()?)
        }
    };
    let mut movement = Movement::new(to);
    movement.stay = table.stay.unwrap_or(false);
    movement.stuck = table.stuck.unwrap_or(movement.stuck);
    Ok(movement)
}

/// If sides meet, the number of cells between them must be even: drawn diagonals start at every other cell.
fn check_drawn(grid: Option<&Grid>) -> Result<(), RuleFault> {
    let Some(grid) = grid else { return Ok(()) };
    let is_odd = |length: u8, wraps: bool| wraps && length % 2 == 1;
    if is_odd(grid.columns, grid.wraps_rows) || is_odd(grid.rows, grid.wraps_columns) {
        let found = format!("`drawn` with ends that meet on {} × {}", grid.rows, grid.columns);
        let expected =
            "an even number of cells from end to end: diagonals are drawn on every other";
        return Err(RuleFault::of_key("moves.to", found, expected));
    }
    Ok(())
}

/// Reads the opening rule, if there is one. Only the board and the names of `rules` are used.
pub(super) fn restriction(
    rules: &Rules,
    table: &OpeningTable,
) -> Result<Option<Opening>, RuleFault> {
    let (forbidden, during) = match (&table.forbidden, table.during) {
        (Some(forbidden), Some(during)) => (forbidden, during),
        (None, None) => return Ok(None),
        (Some(_), None) => {
            return Err(RuleFault::of_key(
                "opening.during",
                "nothing",
                "`first`, `each-first` or `placing`",
            ));
        }
        (None, Some(_)) => {
            return Err(RuleFault::of_key(
                "opening.during",
                "`during` alone",
                "`forbidden` beside it",
            ));
        }
    };
    Ok(Some(Opening { forbidden: cell_set(rules, "opening.forbidden", forbidden)?, during }))
}

/// Reads a preset start. All other rules must be complete: the position is read as a position of the game without it.
pub(super) fn preset(rules: &Rules, text: &str) -> Result<Start, RuleFault> {
    let game = Game::new(rules.clone())?;
    let (position, side) = game.parse_position(text)?.parts();
    let (x, o) = position.sides(side);
    Ok(Start { x, o, side })
}
