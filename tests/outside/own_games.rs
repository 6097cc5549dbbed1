//! Games that users describe: the page that explains rule files, the starter file, and games found in a folder.

use morpion_core::{DrawKind, Game, Over, Score};
use morpion_games::reach::walk::arrangements;
use morpion_games::rules::{self, PAGE};
use morpion_games::symmetry::group::group;
use morpion_machine::progress::Unobserved;
use morpion_tests::{built, morpion, solved};
use morpion_verify::{Hex, verify};
use serde_json::{Value, json};
use std::path::Path;

/// The code blocks of a language on the page. Each includes the text after it up to the second blank line.
fn blocks(kind: &str) -> Vec<(String, String)> {
    let mut parts = PAGE.split("```");
    let mut found = Vec::new();
    parts.next();
    while let (Some(block), Some(after)) = (parts.next(), parts.next()) {
        let (first, text) = block.split_once('\n').unwrap();
        if first == kind {
            let shown: Vec<&str> =
                after.lines().skip(2).take_while(|line| !line.is_empty()).map(str::trim).collect();
            found.push((text.to_owned(), shown.join(" ")));
        }
    }
    found
}

fn read(text: &str) -> Game {
    rules::parse("page", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn help_shows_the_page_about_rule_files() {
    let shown = morpion(["help", "rules"]).output().unwrap();
    assert!(shown.status.success());
    assert_eq!(String::from_utf8(shown.stdout).unwrap(), PAGE);
}

#[test]
fn the_examples_of_the_page_are_games_and_the_small_ones_are_solved_and_proved() {
    let examples = blocks("toml");
    assert!(examples.len() >= 6, "{}", examples.len());
    let mut proved = 0;
    for (text, _) in &examples {
        let game = read(text);
        if arrangements(&game) < 1_000_000 {
            let report = verify(&solved(&game), Hex([7; 32]), &Unobserved).unwrap();
            assert!(report.is_right(), "{report:?}\n{text}");
            proved += 1;
        }
    }
    assert!(proved >= 4, "{proved}");
    let cube = examples.iter().find(|(text, _)| text.contains("\"cube\"")).unwrap();
    let cube = read(&cube.0);
    // The cube has 48 rotations and reflections.
    assert_eq!(group(&cube, &Unobserved).unwrap().1.len(), 48);
    assert_eq!((cube.cells(), cube.lines().len()), (27, 49));
}

#[test]
fn in_tant_fant_a_row_wins_unless_it_is_at_home() {
    let (text, _) =
        blocks("toml").into_iter().find(|(text, _)| text.contains("tant-fant")).unwrap();
    let game = read(&text);
    let table = solved(&game);
    let worth = |position: &str| {
        let position = game.parse_position(position).unwrap().raw;
        (table.game().end_at(position), table.probe(position).unwrap())
    };
    // Both rows are at home, and nobody has won; play can continue forever.
    let (over, start) = worth("XXXX/...#/OOOO x");
    assert_eq!((over, start), (None, Score::Draw { kind: DrawKind::Cycle }));
    // X has moved back to its home row.
    assert_eq!(worth("XXXX/O..#/.OOO o").0, None);
    // X completes O's home row, then the middle row; O completes X's home row.
    for position in ["OO.X/O..#/XXXO o", ".O.X/XXX#/O.OO o", "OOOX/X..#/XX.O x"] {
        assert_eq!(
            worth(position),
            (Some(Over::Line), Score::Loss { plies: Some(0) }),
            "{position}"
        );
    }
    // The pieces outside the board stay there.
    let start = game.start().raw;
    assert!(game.moves_at(start).all(|mv| !game.format_move(mv).starts_with('x')));
}

/// The start need not be the first entry of its table.
#[test]
fn a_game_that_starts_with_pieces_is_reported_with_the_value_of_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shift.toml");
    let rules = "name = \"shift\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n\
                 [moves]\nto = \"king\"\n[opening]\nstart = \"XX./O.O/.XO o\"\n";
    std::fs::write(&file, rules).unwrap();
    let build = built(folder.path(), &[file.to_str().unwrap()]);
    // One move makes a line.
    assert_eq!(build[0]["start"], json!({ "value": "win", "plies": 1 }));
    let tables = folder.path().to_str().unwrap();
    let games = morpion(["games", "--json", "--tables", tables]).output().unwrap();
    assert!(games.status.success(), "{games:?}");
    let mut with_pieces = 0;
    for row in String::from_utf8(games.stdout).unwrap().lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        if row["start"].is_null() {
            continue;
        }
        let name = row["game"].as_str().unwrap();
        let line =
            morpion(["query", name, "--line", "--json", "--tables", tables]).output().unwrap();
        let line: Value = serde_json::from_slice(&line.stdout).unwrap();
        let start = line["positions"][0].as_str().unwrap();
        let asked = morpion(["query", name, start, "--json", "--tables", tables]).output().unwrap();
        let asked: Value = serde_json::from_slice(&asked.stdout).unwrap();
        assert_eq!(row["start"]["value"], asked["value"], "{name}");
        assert_eq!(row["start"]["plies"], asked["plies"], "{name}");
        with_pieces += u32::from(start.contains('X'));
    }
    assert!(with_pieces >= 2, "shift and shisima: {with_pieces}");
}

#[test]
fn the_errors_on_the_page_are_the_real_messages() {
    let refused = blocks("toml refused");
    assert!(refused.len() >= 3);
    for (text, message) in refused {
        let name = text.split('"').nth(1).unwrap();
        let error = rules::parse(&format!("{name}.toml"), &text).expect_err(&text);
        assert_eq!(error.to_string().replace('\n', " "), message, "{text}");
    }
}

#[test]
fn the_warnings_on_the_page_are_the_real_messages_and_other_games_have_none() {
    let odd = blocks("toml odd");
    assert!(!odd.is_empty());
    for (text, message) in odd {
        let name = text.split('"').nth(1).unwrap();
        let named = rules::parse_named(&format!("{name}.toml"), &text).unwrap();
        assert_eq!(named.warnings().join(" "), message, "{text}");
    }
    for (text, _) in blocks("toml") {
        let warnings = rules::parse_named("page", &text).unwrap().warnings();
        assert!(warnings.is_empty() || text.contains("\"cube\""), "{warnings:?}");
    }
}

#[test]
fn what_is_odd_in_a_rule_file_is_noted_once_by_the_commands_that_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text =
        "name = \"few\"\n[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 2\n";
    std::fs::write(folder.join("few.toml"), text).unwrap();
    let warning = "few.toml:5: lines: no line can be made";
    for arguments in [
        &["plan", "few.toml"][..],
        &["build", "few.toml", "--out", "."],
        &["info", "few", "--tables", "."],
        &["query", "few.toml", "X../... o"],
        &["count", "few", "--tables", "."],
        &["play", "few.toml", "--x", "random", "--o", "random"],
    ] {
        let output = morpion(arguments).current_dir(folder).output().unwrap();
        let notes = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {notes}");
        assert_eq!(notes.matches(warning).count(), 1, "{arguments:?}: {notes}");
        assert!(notes.contains("morpion: warning: "), "{notes}");
        assert!(!String::from_utf8(output.stdout).unwrap().contains("warning"));
    }
}

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = morpion(arguments);
    let output = command.current_dir(folder).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn a_new_game_is_written_listed_built_and_proved_and_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("tables")).unwrap();
    let (code, text) = run(folder, &["new", "mine"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("morpion build ./mine.toml"), "{text}");
    let file = folder.join("mine.toml");
    std::fs::write(&file, std::fs::read_to_string(&file).unwrap() + "# changed\n").unwrap();
    let (code, text) = run(folder, &["new", "mine"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.ends_with("mine.toml: exists already: edit it, or choose another name\n"),
        "{text}"
    );
    assert!(std::fs::read_to_string(&file).unwrap().ends_with("# changed\n"));
    for (arguments, expected) in [
        (&["build", "./mine.toml"][..], "mine"),
        (&["verify", "mine"], "proved"),
        (&["games"], "mine.morpion"),
    ] {
        let (code, text) = run(folder, arguments);
        assert!(code == Some(0) && text.contains(expected), "{arguments:?}: {text}");
    }
    for (name, expected) in
        [("classic", "a standard game"), ("tic-tac-toe", "(classic)"), ("a b", "not a valid name")]
    {
        let (code, text) = run(folder, &["new", name]);
        assert!(code == Some(2) && text.contains(expected), "{name}: {text}");
    }
}

#[test]
fn a_board_with_names_and_holes_uses_them_in_questions_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (text, _) in blocks("toml") {
        let game = read(&text);
        std::fs::write(folder.join(format!("{}.toml", game.name())), text).unwrap();
    }
    let (code, text) = run(folder, &["query", "star.toml", "#.#/X.O/#.# x", "--json"]);
    assert_eq!(code, Some(0), "{text}");
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    let moves: Vec<&str> =
        answer["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap()).collect();
    assert_eq!((moves, &answer["best"]), (vec!["n", "hub", "s"], &serde_json::json!(["hub"])));
    let (code, text) = run(folder, &["query", "hole.toml", "...../..#../....."]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = run(folder, &["query", "hole.toml", "...../...../....."]);
    assert!(code == Some(2) && text.contains("row 2 has 5 cells, expected 4"), "{text}");
    let (code, text) = run(folder, &["plan", "cube.toml"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("cube") && text.contains("30,354,125,188"), "{text}");
}
