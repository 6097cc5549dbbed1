//! Puzzles in the terminal.

use morpion_builder::folders::Folders;
use morpion_games::catalogue::Table;
use morpion_play::puzzles::{Filter, puzzle};
use morpion_tests::server::tables;
use morpion_tests::{morpion, repository, run};
use serde_json::Value;
use std::cmp::Reverse;
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
fn a_year_of_puzzles_has_the_published_grades() {
    let folder = Folders::only(tables());
    let all: Vec<Table> =
        folder.names().iter().filter_map(|name| Some(folder.open(name).ok()?.0)).collect();
    let all: Vec<&Table> = all.iter().collect();
    let mut rows: BTreeMap<String, [u64; 6]> = BTreeMap::new();
    let mut lengths: BTreeMap<u32, u64> = BTreeMap::new();
    for number in 20454..20454 + 366 {
        let (found, _) = puzzle(&all, number, Filter::default()).unwrap().unwrap();
        assert!(found.plies.is_none_or(|plies| plies <= 9), "{found:?}");
        for game in [&*found.game, "**all**"] {
            let row = rows.entry(game.into()).or_default();
            row[usize::from(found.grade) - 1] += 1;
            row[5] += 1;
        }
        *lengths.entry(found.length).or_default() += 1;
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|(game, row)| (game.starts_with('*'), Reverse(row[5])));
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let row = |(game, row): &(String, [u64; 6])| {
        let mark = if game.starts_with('*') { "**" } else { "" };
        let numbers = row.iter().map(|number| format!("{mark}{number}{mark}"));
        line([game.clone()].into_iter().chain(numbers).collect())
    };
    let lengths: Vec<_> = lengths.into_iter().collect();
    let found = |name: &str, of: &dyn Fn(&(u32, u64)) -> String| {
        line([name.into()].into_iter().chain(lengths.iter().map(of)).collect())
    };
    let made = rows.iter().map(row).collect::<String>()
        + "\n"
        + &found("moves to find", &|(length, _)| length.to_string())
        + &found("---", &|_| "---".into())
        + &found("puzzles", &|(_, count)| count.to_string());
    let file = repository().join("generator/play/PUZZLES.md");
    let page = std::fs::read_to_string(&file).unwrap();
    let (before, _) = page.split_once("|---|---|---|---|---|---|---|\n").unwrap();
    let made = format!("{before}|---|---|---|---|---|---|---|\n{made}");
    if std::env::var_os("MORPION_WRITE").is_some() {
        return std::fs::write(file, &made).unwrap();
    }
    assert_eq!(page, made, "make it anew with MORPION_WRITE=1");
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
    // A hint says more than the task.
    assert!(solved(&number, "hint\nquit\n").contains("Place a piece in row 2."));
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

#[test]
fn a_rule_file_has_puzzles_before_its_table_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "name = \"mine\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3")
        .unwrap();
    let found = listed(&[file.to_str().unwrap(), "--number", "1"]);
    assert_eq!((found.len(), &found[0]["game"]), (1, &Value::from("mine")));
}
