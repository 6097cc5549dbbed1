//! Reports of small tables, compared with known numbers and words.

mod census;
mod diagram;
mod games;
mod geometry;
mod lesson;
mod phrases;
mod picture;
mod ranking;
mod rules;
mod sheet;

use morpion_core::Encoding;
use morpion_games::catalogue::{Table, standard_game};
use morpion_games::rules::parse;
use morpion_machine::progress::Unobserved;
use morpion_solver::table::{solve, solve_as};

/// The table of a standard game.
fn table(name: &str, encoding: Encoding) -> Table {
    let bytes = solve_as(&standard_game(name).unwrap(), encoding, &Unobserved).unwrap();
    Table::from_source(bytes.into()).unwrap()
}

/// The table of a game whose rule file continues with `board` after the line `[board]`.
fn own_table(board: &str) -> Table {
    let game = parse("t", &format!("name = \"t\"\n[board]\n{board}")).unwrap();
    Table::from_source(solve(&game, &Unobserved).unwrap().into()).unwrap()
}
