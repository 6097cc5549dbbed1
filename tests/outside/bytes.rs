//! A table has the same bytes for every number of threads and every instruction set.

use morpion_core::Source;
use morpion_machine::isa::Isa;
use morpion_tests::{build, built, contents};
use std::path::Path;

#[test]
fn shipped_tables_equal_built_ones() {
    let out = tempfile::tempdir().unwrap();
    let names: Vec<String> =
        morpion_lookup::Table::builtin_names().map(String::from).chain(["swap4".into()]).collect();
    let arguments: Vec<&str> = names.iter().map(String::as_str).collect();
    let facts = built(out.path(), &arguments);
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tables");
    let (mut together, mut classic) = (0, 0);
    for (name, fact) in names.iter().zip(&facts) {
        let file = format!("{name}.morpion");
        let fresh = std::fs::read(out.path().join(&file)).unwrap();
        assert!(
            fresh == std::fs::read(tables.join(&file)).unwrap(),
            "{name} differs from the shipped table"
        );
        assert_eq!(fact["bytes"], fresh.len());
        if let Ok(table) = morpion_lookup::Table::builtin(name) {
            assert!(
                table.source().in_memory().unwrap() == fresh,
                "{name} differs from the built-in table"
            );
            together += fresh.len();
        }
        if name == "classic" {
            classic = fresh.len();
        }
    }
    assert!(classic < 8_000 && together < 140_000, "{classic} {together}");
    assert_eq!(contents(out.path()).len(), names.len(), "only tables are left");
}

/// Builds games of every kind with this number of threads and this instruction set.
fn build_all(threads: &str, isa: &str) -> Vec<(String, Vec<u8>)> {
    let out = tempfile::tempdir().unwrap();
    let rules = rules("restricted", RESTRICTED, out.path());
    let standard = ["achi", "classic4", "beginner4", "swap4"];
    for arguments in [&standard[..], &[&rules, "--encoding", "wdl"]] {
        let mut build = build(out.path(), arguments);
        let output = build.args(["--threads", threads]).env("MORPION_ISA", isa).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let files = contents(out.path());
    assert_eq!(files.len(), standard.len() + 2, "a table of each, and the rule file");
    files
}

#[test]
fn threads_change_no_byte() {
    let one = build_all("1", "plain");
    for threads in ["2", "5"] {
        assert!(build_all(threads, "plain") == one, "{threads} threads");
    }
}

/// Compares tables made with this instruction set with tables made by plain instructions.
fn change_no_byte(isa: Isa, name: &str) {
    assert!(Isa::available().contains(&isa), "this processor does not have {name}");
    assert!(build_all("2", name) == build_all("2", "plain"), "{name}");
}

#[test]
#[cfg_attr(not(has_avx2), ignore = "needs a processor with AVX2 and BMI2")]
fn avx2_changes_no_byte() {
    change_no_byte(Isa::Avx2, "avx2");
}

#[test]
#[cfg_attr(not(has_avx512), ignore = "needs a processor with AVX-512")]
fn avx512_changes_no_byte() {
    change_no_byte(Isa::Avx512, "avx512");
}

/// Restricted placement with values only: 3×4 cells.
const RESTRICTED: &str = "[board]\nrows = 3\ncolumns = 4\n[lines]\nlength = 3\n[opening]\nforbidden = [0, 5]\nduring = \"placing\"";

fn rules(name: &str, body: &str, folder: &Path) -> String {
    let file = folder.join(format!("{name}.toml"));
    std::fs::write(&file, format!("name = \"{name}\"\n{body}")).unwrap();
    file.to_str().unwrap().into()
}
