//! Parts of a proof, which are stored as JSON and added up.

use crate::faults::closed;
use crate::proof::{CLASSIC, KEY, SWAP, games, proof, solved};
use morpion_core::Source;
use morpion_games::catalogue::{Table, standard_game};
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use morpion_verify::{Hex, Key, Part, PartialProof, Report, sum, verify, verify_part};

/// Proves one part of a table. The part is written as JSON and read again.
fn part(table: &Table, number: u32, of: u32, key: Key) -> PartialProof {
    let part = verify_part(table, Part { number, of }, key, &Unobserved).unwrap();
    serde_json::from_str(&serde_json::to_string(&part).unwrap()).unwrap()
}

/// Proves a table in parts.
fn parts(table: &Table, of: u32, key: Key) -> Vec<PartialProof> {
    (1..=of).map(|number| part(table, number, of, key)).collect()
}

/// A game whose header has fields of version 2 of the format.
const NAMED: &str =
    "[board]\nrows = 1\ncolumns = 3\nnames = [\"l\", \"m\", \"r\"]\n[lines]\nlength = 2";

#[test]
fn the_parts_of_a_proof_add_up_to_the_proof() {
    for body in games().chain([NAMED]) {
        let table = solved(body);
        let Report { entries, checked, faults, first, blake3, fingerprint, .. } = proof(&table);
        for of in [1, 2, 7] {
            let sum = sum(parts(&table, of, KEY)).unwrap();
            assert_eq!((sum.entries, sum.checked), (entries, checked), "{body} {of}");
            assert_eq!((sum.faults, &sum.first), (faults, &first), "{body} {of}");
            assert_eq!((sum.blake3, &sum.fingerprint), (blake3, &fingerprint), "{body} {of}");
            let condition = sum.certainty.unwrap().condition;
            assert!(blake3.is_some() && condition.is_some(), "{body} {of}");
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
        let parts = parts(&wrong(&table, layer), 3, KEY);
        let sum = sum(parts).unwrap();
        let counts = table.raw().header().layers[layer].counts;
        let expected = format!("sums of layer ({}, {})", counts.mover, counts.waiter);
        assert!(sum.first.iter().any(|fault| fault.at == expected), "{expected} {sum:?}");
    }
}

/// Adds up parts of which one is replaced, and returns the reason of the refusal.
fn refusal(parts: &[PartialProof], at: usize, other: PartialProof) -> String {
    let mut parts = parts.to_vec();
    parts[at] = other;
    sum(parts).unwrap_err().to_string()
}

#[test]
fn parts_of_different_proofs_are_refused() {
    let (swap, classic, shared) = (solved(SWAP), solved(CLASSIC), KEY);
    let right = parts(&swap, 3, shared);
    let error = |parts: &[PartialProof]| sum(parts.to_vec()).unwrap_err().to_string();
    assert_eq!(error(&[]), "no part of a proof");
    assert_eq!(error(&right[..2]), "part 3 of 3 is missing");
    let ninth = PartialProof { part: 9, ..right[0].clone() };
    assert_eq!(error(&[right.clone(), vec![ninth]].concat()), "a part is not one of 1 to 3");
    assert_eq!(refusal(&right, 2, right[0].clone()), "part 1 of 3 occurs twice");

    let opening = solved(&format!("{SWAP}\n[opening]\nforbidden = [4]\nduring = \"first\""));
    for (other, expected) in [
        (part(&swap, 2, 3, Hex([8; 32])), "key"),
        (part(&swap, 2, 4, shared), "number of parts"),
        (part(&classic, 2, 3, shared), "header"),
        (part(&opening, 2, 3, shared), "header"),
        (PartialProof { census: right[1].header.clone(), ..right[1].clone() }, "census"),
    ] {
        let expected = format!(
            "parts 1 and 2 differ in the {expected}: prove the same file with the same key"
        );
        assert_eq!(refusal(&right, 1, other), expected);
    }
}

/// Changes all parts in the same way, so that they still agree with each other.
fn agreeing(parts: &[PartialProof], change: impl Fn(&mut PartialProof)) -> String {
    let mut parts = parts.to_vec();
    parts.iter_mut().for_each(change);
    sum(parts).unwrap_err().to_string()
}

#[test]
fn parts_that_contradict_themselves_are_refused() {
    let right = parts(&solved(SWAP), 3, KEY);
    let second = |change: &dyn Fn(&mut PartialProof)| {
        let mut part = right[1].clone();
        change(&mut part);
        refusal(&right, 1, part)
    };
    let layers = "part 2 does not have the layers of the game: prove it again";
    assert_eq!(second(&|part| part.layers.clear()), layers);
    assert_eq!(second(&|part| part.layers.reverse()), layers);
    assert_eq!(second(&|part| part.layers[0].required = None), layers);
    let large = "part 2 has sums that are too large: prove it again";
    assert_eq!(second(&|part| part.layers[0].stored = [0, u64::MAX]), large);
    let faults =
        "part 2 has a number of faults that differs from its list of faults: prove it again";
    assert_eq!(second(&|part| part.faults = 1), faults);

    let digests = "does not have the digests of the bytes that it has to read: prove it again";
    let none = |part: &mut PartialProof| part.digests.clear();
    assert_eq!(second(&none), format!("part 2 {digests}"));
    assert_eq!(agreeing(&right, none), format!("part 1 {digests}"));
    let more = |part: &mut PartialProof| {
        part.digests.insert(2, part.digests[&0]);
    };
    assert_eq!(second(&more), format!("part 2 {digests}"));
    let digest = |part: &mut PartialProof| *part.digests.get_mut(&0).unwrap() = Hex([0; 32]);
    let other = "parts 1 and 2 have read other bytes in MiB 0 of the table: prove the same file";
    assert_eq!(second(&digest), other);

    let header = "the header of the table is invalid";
    assert_eq!(agreeing(&right, |part| part.header.0.truncate(20)), header);
    assert_eq!(agreeing(&right, |part| part.header.0.push(0)), header);
    let census = "the census of the table is invalid";
    assert_eq!(agreeing(&right, |part| part.census.0.truncate(20)), census);
    assert_eq!(agreeing(&right, |part| part.census.0.push(0)), census);
    let text = serde_json::to_string(&right[0]).unwrap();
    for (right, wrong) in [("\"key\":\"07", "\"key\":\""), ("{\"0\":\"", "{\"0\":\"zz")] {
        let read = serde_json::from_str::<PartialProof>(&text.replacen(right, wrong, 1));
        let error = read.unwrap_err().to_string();
        assert!(error.contains("expected hexadecimal digits"), "{error}");
    }
}

/// All files are tables of teeko, which has several MiB and so has MiB that not every part reads.
#[test]
fn parts_of_different_files_of_one_game_are_refused() {
    let bytes = table::solve(&standard_game("teeko").unwrap(), &Unobserved).unwrap();
    let open = |bytes: &[u8]| Table::from_source(bytes.to_vec().into()).unwrap();
    let (right, shared) = (open(&bytes), KEY);
    let all = parts(&right, 3, shared);
    let digest = verify(&right, KEY, &Unobserved).unwrap().blake3;
    let proved = sum(all.clone()).unwrap();
    assert!(proved.is_right() && proved.blake3 == digest, "{proved:?}");
    let differ = "have read other bytes in MiB";

    // An entry that only the last part reads, with checksums that fit.
    let (header, at) = (right.raw().header(), 10 << 20);
    let mut wrong = bytes.clone();
    wrong[at] ^= 1;
    let wrong = closed(&wrong[..header.census as usize], &right.raw().census().unwrap());
    let of_wrong = parts(&wrong, 3, shared);
    assert_eq!(of_wrong[1].faults, 0);
    assert!(refusal(&all, 1, of_wrong[1].clone()).contains(differ));
    assert!(refusal(&of_wrong, 1, all[1].clone()).contains(differ));

    // The right table, which ends like the wrong one.
    let mut tail = bytes.clone();
    let end = tail.len() - 8;
    tail[end..].copy_from_slice(&wrong.source().in_memory().unwrap()[end..]);
    let of_tail = part(&open(&tail), 2, 3, shared);
    assert_eq!(of_tail.first[0].at, "checksums", "{:?}", of_tail.first);
    assert!(refusal(&of_wrong, 1, of_tail).contains(differ));

    // The wrong table with the checksums of the right one: the part that reads the entry finds it.
    let mut unsummed = bytes.clone();
    unsummed[at] ^= 1;
    let changed = part(&open(&unsummed), 3, 3, shared);
    assert_eq!(changed.first[0].at, "checksums", "{:?}", changed.first);
    let report = sum([all[..2].to_vec(), vec![changed.clone()]].concat()).unwrap();
    assert!(!report.is_right() && report.blake3 != digest, "{report:?}");

    // If the checksums collided, the digests would still show which bytes were read.
    let collided = PartialProof { faults: 0, first: Vec::new(), ..changed };
    let report = sum([all[..2].to_vec(), vec![collided]].concat()).unwrap();
    assert!(!report.is_right() && report.blake3 != digest, "{report:?}");
    let mut other = all[1].clone();
    *other.digests.values_mut().last().unwrap() = Hex([0x11; 32]);
    assert!(refusal(&all, 1, other).contains(differ));
}
