//! Small games that together cover every rule, their tables, and the proof of a table.

#[path = "../../../games/tests/odd/mod.rs"]
mod odd;

pub use odd::BLOCKED;

use morpion_builder::packer::{Packer, Packing};
use morpion_core::{Game, Source};
use morpion_games::catalogue::Table;
use morpion_games::rules;
use morpion_lookup::Bytes;
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use morpion_verify::{Hex, Key, Report, verify};
use odd::ODD;
use std::io::Write;

/// The key of all proofs.
pub const KEY: Key = Hex([7; 32]);

pub const CLASSIC: &str = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3";
pub const SWAP: &str = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"any\"";

/// Slides along rows and columns. As on a chess board, every move changes the colour of one piece's cell.
pub const NINE_HOLES: &str = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n\
    [moves]\nto = \"orthogonal\"\n[opening]\nstart = \"XX./O.X/.OO x\"";

/// Two rows. A side that is blocked draws.
pub const TWO_ROWS: &str = "[board]\nrows = 2\ncolumns = 3\n[lines]\nsets = [[0, 1, 2], [3, 4, 5]]\n[pieces]\neach = 2\n\
    [moves]\nto = \"king\"\nstuck = \"draw\"";

/// Games that together cover every rule.
pub fn games() -> impl Iterator<Item = &'static str> {
    [GAMES, ODD].into_iter().flatten().copied()
}

const GAMES: &[&str] = &[
    CLASSIC,
    SWAP,
    NINE_HOLES,
    "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[goal]\nmisere = true",
    "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"any\"\nstay = true",
    "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 4\n[moves]\nto = \"drawn\"\nstuck = \"loss\"",
    "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"orthogonal\"\n[opening]\nforbidden = [0, 4]\nduring = \"each-first\"",
    "[board]\nrows = 2\ncolumns = 3\n[lines]\nsets = [[0, 1, 2], [3, 4, 5]]",
    "[board]\nrows = 4\ncolumns = 4\n[lines]\nlength = 4\n[pieces]\neach = 2\n[moves]\nto = \"any\"",
    "[board]\nrows = 3\ncolumns = 4\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"king\"\nstuck = \"draw\"",
];

pub fn game(body: &str) -> Game {
    rules::parse("t", &format!("name = \"t\"\n{body}")).unwrap()
}

pub fn solved(body: &str) -> Table {
    Table::from_source(table::solve(&game(body), &Unobserved).unwrap().into()).unwrap()
}

/// The table in short frames, so that rows and maps begin at any offset in a frame.
fn packed(table: &Table) -> Table {
    let packing = Packing { level: Some(1), frame: Some(1 << 10) };
    let mut packer = Packer::new(Vec::new(), table.raw().header(), packing);
    packer.write_all(table.source().in_memory().unwrap()).unwrap();
    let bytes = Bytes::detect(packer.finish().unwrap().into()).unwrap();
    assert!(bytes.packed().is_some());
    Table::from_source(bytes).unwrap()
}

/// Proves a table, plain and packed, and checks that both proofs find the same.
pub fn proof(table: &Table) -> Report {
    let [plain, packed] =
        [table, &packed(table)].map(|table| verify(table, KEY, &Unobserved).unwrap());
    let found = |report: &Report| (report.faults, report.first.clone(), report.checked);
    assert_eq!(found(&plain), found(&packed));
    plain
}
