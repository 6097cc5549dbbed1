//! Parts of a proof, which are stored as JSON and added up.

use crate::proof::{CLASSIC, SWAP, games, proof, solved};
use morpion_games::catalogue::Table;
use morpion_lookup::Source;
use morpion_machine::progress::Unobserved;
use morpion_verify::{Key, Part, PartialProof, Report, sum, verify_part};

/// Proves a table in parts. Each is written as JSON and read again.
fn parts(table: &Table, of: u32, key: Key) -> Vec<PartialProof> {
    let part = |number| {
        let part = verify_part(table, Part { number, of }, key, &Unobserved).unwrap();
        serde_json::from_str(&serde_json::to_string(&part).unwrap()).unwrap()
    };
    (1..=of).map(part).collect()
}

fn key() -> Key {
    Key::fresh().unwrap()
}

/// A game whose header has fields of version 2 of the format.
const NAMED: &str =
    "[board]\nrows = 1\ncolumns = 3\nnames = [\"l\", \"m\", \"r\"]\n[lines]\nlength = 2";

#[test]
fn the_parts_of_a_proof_add_up_to_the_proof() {
    for body in games().chain([NAMED]) {
        let table = solved(body);
        let Report { entries, checked, faults, first, .. } = proof(&table);
        for of in [1, 2, 7] {
            let sum = sum(parts(&table, of, key())).unwrap();
            assert_eq!((sum.entries, sum.checked), (entries, checked), "{body} {of}");
            assert_eq!((sum.faults, &sum.first), (faults, &first), "{body} {of}");
        }
    }
}

/// The table with one other entry. Its checksums do not fit, which is reported as a separate fault.
fn wrong(table: &Table, layer: usize) -> Table {
    let mut bytes = table.source().in_memory().unwrap().to_vec();
    bytes[table.raw().header().layers[layer].offset as usize] ^= 1;
    Table::from_source(bytes.into()).unwrap()
}

#[test]
fn parts_of_a_wrong_table_add_up_to_sums_that_differ() {
    let table = solved(SWAP);
    for layer in 0..table.raw().header().layers.len() {
        let parts = parts(&wrong(&table, layer), 3, key());
        let sum = sum(parts).unwrap();
        let counts = table.raw().header().layers[layer].counts;
        let expected = format!("sums of layer ({}, {})", counts.mover, counts.waiter);
        assert!(sum.first.iter().any(|fault| fault.at == expected), "{expected} {sum:?}");
    }
}

#[test]
fn parts_of_different_proofs_are_refused() {
    let (swap, classic, shared) = (solved(SWAP), solved(CLASSIC), key());
    let right = parts(&swap, 3, shared);
    let refused = |parts: Vec<PartialProof>, expected: &str| {
        let error = sum(parts).unwrap_err().to_string();
        assert_eq!(error, expected);
    };
    let with = |at: usize, other: &PartialProof| {
        let mut parts = right.clone();
        parts[at] = other.clone();
        parts
    };
    refused(Vec::new(), "no part of a proof");
    refused(right[..2].to_vec(), "part 3 of 3 is missing");
    refused(with(2, &right[0]), "part 1 of 3 occurs twice");
    refused(with(1, &parts(&swap, 3, key())[1]), "parts 1 and 2 differ in the key");
    refused(with(1, &parts(&swap, 4, shared)[1]), "parts 1 and 2 differ in the number of parts");
    refused(with(1, &parts(&classic, 3, shared)[1]), "parts 1 and 2 differ in the table");
    let shorter = PartialProof { checked: right[1].checked - 1, ..right[1].clone() };
    refused(with(1, &shorter), "the parts have 885 entries, the table has 886");
    let other = PartialProof { part: 9, ..right[0].clone() };
    refused([right.clone(), vec![other]].concat(), "a part is not one of 1 to 3");
    let without = PartialProof { layers: Vec::new(), ..right[1].clone() };
    refused(with(1, &without), "part 2 does not have the layers of the game");
}
