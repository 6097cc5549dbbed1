//! Compares the small tables that the tests of all languages read with the rule files next to them.

use morpion_builder::folders::read_rules;
use morpion_core::{Encoding, Source};
use morpion_lookup::{Bytes, Packed, Table};
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use morpion_solver::values::Values;
use morpion_tests::contents;
use std::path::Path;

#[test]
fn the_tables_of_the_conformance_tests_equal_built_ones() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("lookup/conformance");
    let mut built: Vec<(String, Vec<u8>)> = [
        ("six", Encoding::Plies8),
        ("fano", Encoding::Plies8),
        ("ring", Encoding::Plies8),
        ("wheel", Encoding::Plies8),
        ("mill", Encoding::Plies8),
        ("double", Encoding::Plies8),
        ("full", Encoding::Plies8),
        ("classic-wdl", Encoding::Wdl),
        ("classic-16", Encoding::Plies16),
    ]
    .map(|(name, encoding)| {
        let game = read_rules(&root.join(format!("rules/{name}.toml"))).unwrap().game;
        let bytes = table::solve_as(&game, encoding, &Unobserved).unwrap();
        (format!("{name}.morpion"), bytes)
    })
    .into();
    let swap = read_rules(&root.join("rules/swap-wdl.toml")).unwrap().game;
    let table = Table::from_source(Bytes::from(table::solve(&swap, &Unobserved).unwrap())).unwrap();
    let values = Values::of(&table).unwrap().write(Vec::new(), &Unobserved).unwrap();
    built.push(("swap-wdl.morpion".into(), values));
    built.sort();
    let kept = contents(&root.join("tables"));
    let names = |tables: &[(String, Vec<u8>)]| -> Vec<String> {
        tables.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&kept), names(&built));
    for ((name, kept), (_, built)) in kept.iter().zip(&built) {
        assert!(kept == built, "{name} differs from the built table");
    }
}

#[test]
fn the_packed_tables_of_the_conformance_tests_unpack_to_the_plain_ones() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("lookup/conformance");
    let plain = contents(&root.join("tables"));
    let packed = contents(&root.join("packed"));
    assert!(packed.len() > plain.len());
    for (file, bytes) in packed {
        let packed = Packed::open(&bytes[..]).unwrap();
        assert!(packed.frame_count() > 2, "{file}");
        let mut unpacked = vec![0; packed.size() as usize];
        packed.read_at(0, &mut unpacked).unwrap();
        let name = file.strip_suffix(".zst").unwrap();
        let expected = match plain.iter().find(|(plain, _)| plain == name) {
            Some((_, bytes)) => bytes.clone(),
            None => std::fs::read(root.join("../builtin").join(name)).unwrap(),
        };
        assert!(unpacked == expected, "{file} is another table");
    }
}
