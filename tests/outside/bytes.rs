//! A table has the same bytes for every number of threads and every instruction set.

use morpion_core::{Game, Source, Sums, body_begins, census_range};
use morpion_games::catalogue;
use morpion_lookup::Table;
use morpion_machine::isa::Isa;
use morpion_machine::progress::Unobserved;
use morpion_solver::layout::Layout;
use morpion_tests::{build, built, contents, everyday_tables, solved};
use std::collections::BTreeMap;
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

/// The sums of maps, layers and census, which a change of the header must not change: XXH3 of their sums.
fn sum_of_body(table: &Table) -> String {
    let bytes = table.source().in_memory().unwrap();
    let begin = body_begins(u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize);
    let end = census_range(table.source(), table.raw().header().census).unwrap().end;
    let mut sums = Sums::default();
    sums.update(&bytes[begin as usize..end as usize]);
    let sums = sums.finish();
    format!("{:016x}", u64::from_le_bytes(*sums.last_chunk().unwrap()))
}

/// Compares the bodies of tables with `golden/bodies.csv`.
fn compare_bodies(tables: impl Iterator<Item = (String, Table)>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/bodies.csv");
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let known = text.lines().map(|line| line.split_once(',').unwrap());
    let mut known: BTreeMap<String, String> =
        known.map(|(name, sum)| (name.into(), sum.into())).collect();
    let found: BTreeMap<String, String> =
        tables.map(|(name, table)| (name, sum_of_body(&table))).collect();
    if std::env::var("MORPION_GOLDEN").is_ok_and(|value| value == "write") {
        known.extend(found.clone());
        let lines = known.iter().map(|(name, sum)| format!("{name},{sum}\n"));
        std::fs::write(&path, lines.collect::<String>()).unwrap();
    }
    let differ: Vec<_> = found.iter().filter(|(name, sum)| known.get(*name) != Some(sum)).collect();
    assert!(!found.is_empty() && differ.is_empty(), "{differ:?}");
}

#[test]
fn bodies_of_small_tables_keep_their_bytes() {
    compare_bodies(everyday_tables(|_| true));
}

#[test]
#[ignore = "long: solves tables of up to 200 million entries, about 20 seconds on two free cores"]
fn bodies_of_large_tables_keep_their_bytes() {
    let is_known = |game: &Game| {
        let layout = Layout::new(game, None, &Unobserved).unwrap();
        layout.entries() < 200_000_000
    };
    let games = catalogue::standard().filter(is_known);
    compare_bodies(games.map(|game| (game.name().to_owned(), solved(&game))));
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
