//! `morpion strategy` and `morpion query --line`, as users call them.

use morpion_games::catalogue;
use morpion_games::catalogue::Table;
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use morpion_tests::{morpion, run};
use serde_json::Value as Json;

fn json(arguments: &[&str]) -> Json {
    serde_json::from_slice(&run(&mut morpion(arguments)).stdout).unwrap()
}

fn table(name: &str) -> Table {
    let game = catalogue::standard_game(name).unwrap();
    Table::from_source(table::solve(&game, &Unobserved).unwrap().into()).unwrap()
}

fn strings(value: &Json) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn a_lesson_is_printed_and_written_as_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = morpion(["strategy", "achi", "--html", "achi.html"]);
    let output = run(command.current_dir(&folder));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("\n43 positions, 23 moves to know. No lesson of perfect moves has fewer")
    );
    assert!(text.lines().count() < 40, "{text}");
    let written = std::fs::read_to_string(folder.path().join("achi.html")).unwrap();
    assert!(written.starts_with("<!doctype html>") && written.contains("X b2"), "{written}");
}

#[test]
fn the_json_is_the_lesson_with_its_game() {
    let lesson = json(&["strategy", "tapatan", "--json"]);
    assert_eq!((&lesson["game"], &lesson["for"]), (&"tapatan".into(), &"x".into()));
    assert_eq!((&lesson["positions"], &lesson["at_least"]), (&50.into(), &50.into()));
    assert_eq!(lesson["steps"][0]["move"], "b2");
    assert_eq!(lesson["steps"][0]["replies"][0]["step"], 2);
    assert!(lesson.get("first_plies").is_none());
    assert_eq!(json(&["strategy", "swap4", "--json"])["first_plies"], 5);
}

#[test]
fn a_lesson_is_for_the_side_that_wins() {
    // O is to move, and loses.
    let lesson = json(&["strategy", "tapatan", ".../.X./... o", "--json"]);
    assert_eq!((&lesson["for"], &lesson["value"]), (&"x".into(), &"win".into()));
    assert_eq!(lesson["replies"].as_array().unwrap().len(), 2);
    let output = morpion(["strategy", "tapatan", "--for", "o"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("o loses here") && error.contains("--for x"), "{error}");
}

#[test]
fn a_bad_position_is_named_and_refused() {
    for arguments in [
        &["strategy", "classic", "XXX/.../... x"][..],
        &["query", "classic", "X../..X/... x", "--line"],
        &["query", "swap", "XXO/OOX/... ", "--line"],
        &["query", "nothing", "--line"],
        &["verify", "nothing"],
    ] {
        let output = morpion(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// Every move of a line is perfect. The line ends after its distance, or its cycle leads back to the stated position.
#[test]
fn lines_are_perfect_to_their_end() {
    for name in morpion_lookup::Table::builtin_names() {
        let table = table(name);
        let answer = json(&["query", name, "--line", "--json"]);
        let positions: Vec<_> = strings(&answer["positions"])
            .iter()
            .map(|text| table.game().parse_position(text).unwrap())
            .collect();
        let moves = strings(&answer["moves"]);
        assert_eq!(positions.len(), moves.len() + 1);
        assert_eq!(positions[0], table.game().start());
        for (step, mv) in moves.iter().enumerate() {
            let mv = table.game().parse_move(mv).unwrap();
            let ranked = table.ranked_moves(positions[step]).unwrap();
            assert!(ranked.best().iter().any(|best| best.mv == mv), "{name} {step}");
            assert_eq!(positions[step + 1], table.game().after(positions[step], mv));
        }
        let last = positions.last().unwrap();
        match (answer.get("cycle"), answer.get("over")) {
            (Some(cycle), None) => {
                let before = cycle.as_u64().unwrap() as usize;
                assert!(before < moves.len());
                assert_eq!(&positions[before], last);
            }
            (None, Some(over)) => {
                let reason = table.game().end_at(*last).expect("the game is over");
                assert_eq!(over, reason.name());
            }
            other => panic!("{name} {other:?}"),
        }
        if let Some(plies) = table.probe(positions[0]).unwrap().plies() {
            assert_eq!(moves.len(), usize::from(plies), "{name}");
        }
    }
}
