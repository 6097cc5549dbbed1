//! Puzzles in the terminal and in the HTTP interface.

use morpion_tests::server::{Server, tables};
use morpion_tests::{morpion, repository, run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

/// The facts about puzzles with the shipped tables.
fn listed(arguments: &[&str]) -> Vec<Value> {
    let mut command = morpion(["puzzle", "--json", "--tables"]);
    let output = run(command.arg(tables()).args(arguments).stdout(Stdio::piped()));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Solves the puzzle with these lines of input.
fn solved(number: &str, input: impl AsRef<[u8]>) -> String {
    let mut child = morpion(["puzzle", "classic", "--number", number])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_ref()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_interface_has_the_puzzles_of_the_terminal() {
    let server = Server::start(&["--tables", tables().to_str().unwrap()]);
    for (arguments, query) in [
        (&["--number", "20454"][..], "20454"),
        (&["teeko", "--number", "3"], "3?game=teeko"),
        (&["--grade", "4", "--number", "5"], "5?grade=4"),
    ] {
        let response = server.get(&format!("/api/v1/puzzles/{query}"));
        assert_eq!(listed(arguments), [response.json()], "{query}");
    }
    for query in ["1?grade=0", "1?grade=6", "1?level=2"] {
        assert_eq!(server.get(&format!("/api/v1/puzzles/{query}")).status, 400, "{query}");
    }
    assert_eq!(server.get("/api/v1/puzzles/1?game=chess").status, 404);
}

#[test]
fn a_year_of_puzzles_has_the_published_grades() {
    let mut found: BTreeMap<String, [u64; 5]> = BTreeMap::new();
    for puzzle in listed(&["--number", "20454", "--list", "366"]) {
        let grade = puzzle["grade"].as_u64().unwrap() as usize;
        found.entry(puzzle["game"].as_str().unwrap().into()).or_default()[grade - 1] += 1;
    }
    let page = std::fs::read_to_string(repository().join("generator/play/PUZZLES.md")).unwrap();
    let (_, table) = page.split_once("| game | grade 1 |").unwrap();
    let rows = table.lines().skip(2).take_while(|row| !row.starts_with("| **all**"));
    let published: BTreeMap<String, [u64; 5]> = rows
        .map(|row| {
            let fields: Vec<&str> = row.split('|').map(str::trim).collect();
            (fields[1].into(), std::array::from_fn(|grade| fields[grade + 2].parse().unwrap()))
        })
        .collect();
    assert_eq!(found, published);
}

#[test]
fn a_wrong_move_is_refuted_and_the_right_one_is_shown() {
    // The only good answer to a corner is the centre, and the answer to a second corner is opposite to it.
    let number = (0..).map(|number: u64| number.to_string());
    let number = number
        .take(100)
        .find(|number| listed(&["classic", "--number", number])[0]["position"] == "X../.../... o");
    let number = number.expect("one of 100 puzzles is the answer to a corner");
    let text = solved(&number, "a1\nb1\nshow\nquit\n");
    for expected in [
        "o to move and keep the draw: find the only move.",
        "a1 is not legal here",
        "b1: loss in 6 plies for o; try another move.\nx answers: ",
        "The move is b2.\nx answers ",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let shown = "show\n".repeat(8);
    assert!(solved(&number, &shown).contains("Done, with help. Solved in a row: 0"));
    assert!(solved(&number, "b2\nquit\n").contains("Right: b2."));
    // Words at the prompt after a puzzle do not leave the program.
    let text = solved(&number, b"skip\nb2\nhint\n\xff\n\nquit\n");
    let advice = "This puzzle is over: press Enter for the next one, or type: quit";
    assert_eq!(text.matches(advice).count(), 2, "{text}");
    assert_eq!(
        (text.matches("Puzzle ").count(), text.matches("not UTF-8").count()),
        (2, 1),
        "{text}"
    );
    assert_eq!(solved(&number, "skip\nquit\n\n").matches("Puzzle ").count(), 1);
}
