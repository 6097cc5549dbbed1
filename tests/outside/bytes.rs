//! A table has the same bytes for every number of threads and every instruction set.

use crate::dying::Dying;
use crate::interrupted::scratch;
use morpion_builder::plan::Plan;
use morpion_core::{Game, Source, Sums, body_begins, census_range};
use morpion_games::catalogue;
use morpion_lookup::Table;
use morpion_machine::isa::Isa;
use morpion_machine::progress::Unobserved;
use morpion_solver::layout::lay_out;
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
    let end = census_range(table.source(), table.raw().header()).unwrap().end;
    let mut sums = Sums::default();
    sums.update(&bytes[begin as usize..end as usize]);
    let sums = sums.finish();
    format!("{:016x}", u64::from_le_bytes(*sums.last_chunk().unwrap()))
}

/// The file of the recorded sums of bodies.
const BODIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/bodies.csv");

/// The recorded sums of bodies, by game.
fn recorded() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(BODIES).unwrap_or_default();
    let sums = text.lines().map(|line| line.split_once(',').unwrap());
    sums.map(|(name, sum)| (name.into(), sum.into())).collect()
}

/// Compares the bodies of tables with [`BODIES`].
fn compare_bodies(tables: impl Iterator<Item = (String, Table)>) {
    let mut known = recorded();
    let found: BTreeMap<String, String> =
        tables.map(|(name, table)| (name, sum_of_body(&table))).collect();
    if std::env::var("MORPION_GOLDEN").is_ok_and(|value| value == "write") {
        known.extend(found.clone());
        let lines = known.iter().map(|(name, sum)| format!("{name},{sum}\n"));
        std::fs::write(BODIES, lines.collect::<String>()).unwrap();
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
    compare_bodies(recorded_games().map(|plan| {
        let game = catalogue::standard_game(&plan.game).unwrap();
        (plan.game, solved(&game))
    }));
}

/// The plans of the standard games whose bodies are recorded, the smallest first.
fn recorded_games() -> impl Iterator<Item = Plan> {
    let plan = |game: Game| Plan::of(&lay_out(&game, None, &Unobserved).unwrap());
    let mut plans: Vec<Plan> = catalogue::standard().map(plan).collect();
    plans.retain(|plan| plan.entries < 200_000_000);
    plans.sort_by_key(|plan| plan.entries);
    plans.into_iter()
}

#[test]
#[ignore = "long: every standard game of up to 200 million entries five times, about 10 minutes on two free cores"]
fn bodies_depend_on_neither_threads_nor_memory_nor_kills() {
    let recorded = recorded();
    // By default, the others have values alone, but distances are recorded.
    for Plan { game: name, bounds, .. } in recorded_games().filter(|plan| plan.encoding == "plies")
    {
        let folder = scratch();
        let out = folder.path();
        let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tables/{name}.toml"));
        let (file, least) = (rules.to_str().unwrap(), bounds.least_memory.to_string());
        let check = |way: &[&str]| {
            built(out, &[&[file], way].concat());
            let path = out.join(format!("{name}.morpion"));
            let table = morpion_lookup::Table::open(&path).unwrap().loaded().unwrap();
            assert_eq!(sum_of_body(&table), recorded[&name], "{name} {way:?}");
            std::fs::remove_file(path).unwrap();
        };
        check(&["--threads", "1"]);
        check(&["--threads", "3"]);
        check(&["--threads", "1", "--memory", &least]);
        let mut kills = 0;
        for memory in [None, Some(bounds.least_memory)] {
            let kept = &out.join(format!(".{name}.rows/worker-0.state"));
            for later in [0, 40, 600] {
                let dying = Dying { rules: &rules, out, memory, packed: false, kept, later };
                kills += usize::from(dying.build());
            }
            match memory {
                None => check(&[]),
                Some(_) => check(&["--memory", &least]),
            }
        }
        println!("{name}: {kills} kills");
    }
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
    assert!(isa <= Isa::best(), "this processor does not have {name}");
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
