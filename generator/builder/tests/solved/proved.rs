//! The proof accepts the solver's tables of small and standard games, and the shipped tables.

use crate::proof::KEY;
use crate::proof::{games, proof, solved};
use morpion_core::Game;
use morpion_games::catalogue::{self, Table};
use morpion_games::reach::walk::arrangements;
use morpion_lookup::Bytes;
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use morpion_verify::{verify, verify_sample};

#[test]
fn tables_of_the_solver_are_right() {
    for body in games() {
        let table = solved(body);
        let report = proof(&table);
        assert!(report.is_right(), "{body}\n{report:?}");
        assert_eq!(report.checked, report.entries);
        let sample = verify_sample(&table, 500, 7, &Unobserved).unwrap();
        assert!(sample.is_right() && sample.checked == 500, "{body}\n{sample:?}");
    }
}

/// Proves a table completely.
fn prove(name: &str, table: &Table) {
    let report = verify(table, KEY, &Unobserved).unwrap();
    assert!(report.is_right(), "{name}\n{report:?}");
    assert_eq!(report.checked, report.entries, "{name}");
}

/// Maximum number of arrangements of a game that these tests solve.
const EVERYDAY: u128 = 40_000_000;

#[test]
fn the_tables_of_the_standard_games_are_right() {
    let games: Vec<_> =
        catalogue::standard().filter(|game| arrangements(game) <= EVERYDAY).collect();
    let is_plain = |game: &&Game| game.has_children_in_one_row();
    assert_eq!(games.iter().filter(is_plain).count(), 21);
    assert!(games.len() >= 20);
    for game in games {
        let bytes = table::solve(&game, &Unobserved).unwrap();
        prove(game.name(), &Table::from_source(bytes.into()).unwrap());
    }
}

/// The tables in the repository.
#[test]
fn the_shipped_tables_are_right() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tables");
    for name in morpion_lookup::Table::builtin_names().chain(["swap4"]) {
        let file = folder.join(format!("{name}.morpion"));
        prove(name, &Table::from_source(Bytes::open(&file).unwrap()).unwrap());
    }
}
