//! A table is the same bytes whatever made it: threads, instruction sets, operators.

use morpion_games::catalogue;
use morpion_games::progress::Unobserved;
use morpion_lookup::raw::Encoding;
use morpion_solver::build::table;
use morpion_solver::solve::operator::Operator;
use morpion_tests::{build, built, contents, morpion};
use serde_json::Value;
use std::path::Path;

#[test]
fn shipped_tables_are_what_the_program_builds() {
    let out = tempfile::tempdir().unwrap();
    let names: Vec<String> =
        morpion_lookup::builtin_names().map(String::from).chain(["swap4".into()]).collect();
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
        if let Some(table) = morpion_lookup::builtin(name) {
            assert!(table.source().as_slice() == fresh, "{name} differs from the built-in table");
            together += fresh.len();
        }
        if name == "classic" {
            classic = fresh.len();
        }
    }
    assert!(classic < 8_000 && together < 64_000, "{classic} {together}");
    assert_eq!(contents(out.path()).len(), names.len(), "only tables are left");
}

#[test]
fn threads_and_instruction_sets_change_no_byte() {
    let reference = tempfile::tempdir().unwrap();
    let games = ["achi", "classic4", "beginner4", "swap4"];
    built(reference.path(), &games);
    built(
        reference.path(),
        &["--rules", &rules("restricted", RESTRICTED, reference.path()), "--encoding", "wdl"],
    );
    for (threads, isa) in [("1", "avx512"), ("2", "plain"), ("5", "avx2"), ("3", "plain")] {
        let out = tempfile::tempdir().unwrap();
        let rules = rules("restricted", RESTRICTED, out.path());
        for arguments in [games.to_vec(), vec!["--rules", &rules, "--encoding", "wdl"]] {
            let output = build(out.path(), &arguments)
                .args(["--threads", threads])
                .env("MORPION_ISA", isa)
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert!(contents(out.path()) == contents(reference.path()), "{threads} threads, {isa}");
    }
}

/// Restricted placement of values only: 3×4 cells.
const RESTRICTED: &str = "[board]\nrows = 3\ncolumns = 4\n[lines]\nlength = 3\n[opening]\nforbidden = [0, 5]\nduring = \"placing\"";

fn rules(name: &str, body: &str, folder: &Path) -> String {
    let file = folder.join(format!("{name}.toml"));
    std::fs::write(&file, format!("name = \"{name}\"\n{body}")).unwrap();
    file.to_str().unwrap().into()
}

#[test]
fn both_operators_make_the_same_tables() {
    for name in
        ["classic", "swap-pass", "picaria", "achi", "shisima", "classic4", "swap4", "beginner4"]
    {
        let game = catalogue::standard_game(name).unwrap();
        let encodings: &[Encoding] = match game.rules().movement {
            Some(_) => &[Encoding::Plies8, Encoding::Plies16],
            None => &[Encoding::Plies8, Encoding::Plies16, Encoding::Wdl],
        };
        for &encoding in encodings {
            let [row, sliced] = [Operator::Row, Operator::Sliced]
                .map(|operator| table::solve_as(&game, encoding, operator, &Unobserved).unwrap());
            assert!(row == sliced, "{name} {encoding:?}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_with_the_planned_figure() {
    let out = tempfile::tempdir().unwrap();
    let plan = morpion(["plan", "classic5k5", "--json"]).output().unwrap();
    let plan: Value = serde_json::from_slice(&plan.stdout).unwrap();
    assert_eq!(plan["entries"], 5_299_650_904_u64);
    assert!(plan["seconds"].as_f64().unwrap() > 0.0);
    let refused = build(out.path(), &["classic5k5", "--memory", "100M"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8_lossy(&refused.stderr);
    let figure = indicatif::BinaryBytes(plan["memory"].as_u64().unwrap()).to_string();
    assert!(error.contains(&figure) && error.contains("100.00 MiB"), "{error} {figure}");
    assert!(contents(out.path()).is_empty());
    // What was planned is enough, and not far too much.
    for fact in built(out.path(), &["teeko", "swap5"]) {
        let plan = morpion(["plan", fact["game"].as_str().unwrap(), "--json"]).output().unwrap();
        let plan: Value = serde_json::from_slice(&plan.stdout).unwrap();
        let (planned, taken) =
            (plan["memory"].as_u64().unwrap(), fact["peak_memory"].as_u64().unwrap());
        assert!(planned >= taken && planned < 4 * taken + (64 << 20), "{plan} {fact}");
        assert_eq!(plan["entries"], fact["entries"]);
    }
}
