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
    let built = contents(&root.join("rules")).into_iter().map(|(file, _)| {
        let game = read_rules(&root.join("rules").join(&file)).unwrap().game;
        let bytes = match game.name() {
            "classic-wdl" => table::solve_as(&game, Encoding::Wdl, &Unobserved).unwrap(),
            "classic-16" => table::solve_as(&game, Encoding::Plies16, &Unobserved).unwrap(),
            "swap-wdl" => {
                let bytes = Bytes::from(table::solve(&game, &Unobserved).unwrap());
                let table = Table::from_source(bytes).unwrap();
                let values = Values::of(&table).unwrap();
                values.write(Vec::new(), &Unobserved).unwrap()
            }
            _ => table::solve_as(&game, Encoding::Plies8, &Unobserved).unwrap(),
        };
        (format!("{}.morpion", game.name()), bytes)
    });
    let mut built: Vec<(String, Vec<u8>)> = built.collect();
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
