//! The stored WebAssembly module of the page. It makes the bytes of the native solver, so that an old module fails here.

use crate::odd;
use morpion_builder::folders::read_rules;
use morpion_games::catalogue::{standard, standard_text};
use morpion_games::reach::walk::arrangements;
use morpion_games::rules::parse;
use morpion_machine::progress::Unobserved;
use morpion_solver::table::solve;
use morpion_tests::{contents, needs, repository, run};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const AGAIN: &str = "build the module again: .ci/module";

/// Maximum number of arrangements of a standard game that the module solves here.
const SMALL: u128 = 3_000_000;

/// Names and texts of rule files of all kinds.
fn rule_files() -> Vec<(String, String)> {
    let small = standard().filter(|game| arrangements(game) <= SMALL);
    let mut files: Vec<(String, String)> = small
        .map(|game| (game.name().to_owned(), standard_text(game.name()).unwrap().to_owned()))
        .collect();
    let named =
        |(at, body): (usize, &&str)| (format!("odd-{at}"), format!("name = \"odd-{at}\"\n{body}"));
    files.extend(odd::ODD.iter().enumerate().map(named));
    for (name, text) in contents(&repository().join("lookup/conformance/rules")) {
        let name = name.trim_end_matches(".toml").to_owned();
        let text = String::from_utf8(text).unwrap();
        if parse(&name, &text).is_ok() && !files.iter().any(|(other, _)| *other == name) {
            files.push((name, text));
        }
    }
    files
}

/// Asks the module these questions in one session, in Node. Returns the answers.
fn ask(folder: &Path, questions: &[Value]) -> Vec<Value> {
    std::fs::write(folder.join("questions.json"), Value::from(questions).to_string()).unwrap();
    let script = repository().join("tests/packages/module.mjs");
    let output = run(Command::new("node").arg(script).current_dir(folder));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
#[cfg_attr(not(all(has_node, has_module)), ignore = "needs node, and the module of .ci/module")]
fn the_module_makes_the_bytes_of_the_solver() {
    needs(&["node", "module"]);
    let folder = tempfile::tempdir().unwrap();
    let files = rule_files();
    assert!(files.len() >= 30, "{}", files.len());
    let solve_all = files.iter().map(|(_, rules)| json!({ "ask": "solve", "rules": rules }));
    let answers = ask(folder.path(), &solve_all.collect::<Vec<_>>());
    for (at, (name, rules)) in files.iter().enumerate() {
        let made = std::fs::read(folder.path().join(format!("{at}.morpion")));
        let made = made.unwrap_or_else(|_| panic!("{name}: {}, {AGAIN}", answers[at]));
        let native = solve(&parse(name, rules).unwrap(), &Unobserved).unwrap();
        assert!(made == native, "{name}: {AGAIN}");
        assert_eq!(answers[at]["answer"]["game"], name.as_str());
    }
}

#[test]
#[cfg_attr(not(all(has_node, has_module)), ignore = "needs node, and the module of .ci/module")]
fn the_module_answers_as_the_program_does() {
    needs(&["node", "module"]);
    let folder = tempfile::tempdir().unwrap();
    let tapatan = standard_text("tapatan").unwrap();
    let worth = |value: &str, plies: Option<u16>| json!({ "value": value, "plies": plies });
    let answers = ask(
        folder.path(),
        &[
            json!({ "ask": "count", "symmetry": "none" }),
            json!({ "ask": "describe", "rules": tapatan.replace("each = 3", "eech = 3") }),
            json!({ "ask": "describe", "rules": tapatan }),
            json!({ "ask": "solve", "rules": tapatan }),
            json!({ "ask": "count", "symmetry": "board" }),
            json!({ "ask": "judge", "games": 20 }),
            json!({ "ask": "lesson", "for": "x" }),
            json!({ "ask": "lesson", "for": "x", "page": true }),
            json!({ "ask": "puzzle", "number": 7 }),
            json!({ "ask": "turn", "rules": tapatan, "position": "XX./OO./... x", "player": "child" }),
            json!({ "ask": "review", "moves": [
                { "side": "x", "best": worth("win", Some(5)), "chosen": worth("draw", None) },
                { "side": "o", "best": worth("draw", None), "chosen": worth("loss", Some(4)) },
                { "side": "x", "best": worth("win", Some(5)), "chosen": worth("win", Some(9)) },
            ] }),
            json!({ "ask": "review", "moves": [
                { "side": "z", "best": worth("win", Some(5)), "chosen": worth("draw", None) },
            ] }),
            json!({ "ask": "review", "moves": [
                { "side": "x", "best": worth("none", None), "chosen": worth("draw", None) },
            ] }),
        ],
    );
    let error =
        |at: usize| answers[at]["error"].as_str().unwrap_or_else(|| panic!("{}", answers[at]));
    assert_eq!(error(0), "no table: solve a game or open a table");
    let faults = parse("rules", &tapatan.replace("each = 3", "eech = 3")).unwrap_err().to_string();
    assert!(error(1) == faults && faults.lines().count() > 1, "{faults}");
    let outline = &answers[2]["answer"];
    assert_eq!((&outline["entries"], &outline["cells"]), (&886.into(), &9.into()), "{AGAIN}");
    assert!(outline["memory"].as_u64().unwrap() > 886);
    assert!(answers[3]["progress"].as_u64().unwrap() > 0, "{}", answers[3]);
    let program = |arguments: &[&str]| -> Value {
        let output = run(&mut morpion_tests::morpion(arguments));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let count = program(&["count", "tapatan", "--symmetry", "board", "--json"]);
    assert_eq!(answers[4]["answer"]["positions"], count["positions"]);
    // JavaScript writes 9.0 as 9.
    let plain = |answer: &Value| answer.to_string().replace(".0,", ",").replace(".0}", "}");
    let judged = program(&["judge", "tapatan", "--games", "20", "--json"]);
    assert_eq!(plain(&answers[5]["answer"]), plain(&judged));
    assert_eq!(answers[6]["answer"]["plies"], 9);
    assert!(answers[7]["answer"].as_str().unwrap().starts_with("<header>"));
    assert_eq!(answers[8]["answer"]["game"], "tapatan");
    assert_eq!(answers[9]["answer"]["chosen"], "c1");
    let review = &answers[10]["answer"];
    assert_eq!(
        review["moves"],
        json!([{ "steps": 1, "plies": -5 }, { "steps": 1, "plies": -4 }, { "steps": 0, "plies": 4 }])
    );
    assert_eq!(review["thrown"], json!({ "x": 1, "o": 1 }));
    assert_eq!(error(11), "not a side: use x or o");
    assert_eq!(error(12), "not a value: use win, draw or loss");
    let rules = read_rules(&repository().join("tables/tapatan.toml")).unwrap();
    assert_eq!(outline["fingerprint"], format!("{:016x}", rules.game.fingerprint()));
}
