//! The proof accepts the tables that the solver makes: of small games, of the standard games, and the shipped ones.

use crate::proof::{GAMES, proof, solved};
use morpion_games::arrangements::arrangements;
use morpion_games::catalogue::Table;
use morpion_lookup::Bytes;
use morpion_machine::progress::Unobserved;
use morpion_verify::{Extent, verify};

#[test]
fn tables_of_the_solver_are_right() {
    for body in GAMES {
        let table = solved(body);
        let report = proof(&table);
        assert!(report.is_right(), "{body}\n{report:?}");
        assert_eq!(report.checked, report.entries);
        let sample = verify(&table, Extent::Sample { entries: 500, seed: 7 }, &Unobserved).unwrap();
        assert!(sample.is_right() && sample.checked == 500, "{body}\n{sample:?}");
    }
}

/// Arrangements of a game above which only a sample of its table is checked. swap6 was proved completely when it was added.
const PROVED: u128 = 1_000_000_000_000;

/// Proves these tables. Returns their number.
fn prove(tables: impl Iterator<Item = (String, Table)>) -> usize {
    let mut proved = 0;
    for (name, table) in tables {
        let is_sampled = arrangements(table.game()) > PROVED;
        let extent =
            if is_sampled { Extent::Sample { entries: 100_000, seed: 6 } } else { Extent::Whole };
        let report = verify(&table, extent, &Unobserved).unwrap();
        assert!(report.is_right(), "{name}\n{report:?}");
        assert_eq!(report.checked, if is_sampled { 100_000 } else { report.entries });
        proved += 1;
    }
    proved
}

#[test]
fn the_tables_of_the_standard_games_are_right() {
    assert_eq!(prove(morpion_tests::everyday_tables()), 15);
}

#[test]
#[ignore = "long: 26 billion entries, about 120 minutes, and 15 for the builds where no table is found"]
fn the_tables_of_the_large_standard_games_are_right() {
    assert_eq!(prove(morpion_tests::large_tables()), 7);
}

/// The tables in the repository.
#[test]
fn the_shipped_tables_are_right() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
    let shipped = morpion_lookup::Table::builtin_names().chain(["swap4"]).map(|name| {
        let file = folder.join(format!("{name}.morpion"));
        (name.to_string(), Table::from_source(Bytes::open(&file).unwrap()).unwrap())
    });
    assert_eq!(prove(shipped), morpion_lookup::Table::builtin_names().count() + 1);
}
