//! `morpion strategy` and `morpion query --line`, as users call them.

use morpion_core::{Move, Side, Value};
use morpion_games::catalogue;
use morpion_games::catalogue::Table;
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use morpion_tests::{morpion, run};
use serde_json::Value as Json;
use std::collections::BTreeSet;

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

/// The facts come from repeated passes over a dictionary of states.
#[test]
fn the_attractor_of_the_classic_game_is_the_known_one() {
    let facts = include_str!("../facts/attractor.csv");
    let rows: Vec<(&str, &str)> = facts
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("position"))
        .map(|line| line.split_once(',').unwrap())
        .collect();
    let known: BTreeSet<&str> = rows.iter().map(|row| row.0).collect();
    let with_entry: BTreeSet<&str> =
        rows.iter().filter(|row| row.1 == "yes").map(|row| row.0).collect();
    assert_eq!((known.len(), with_entry.len()), (28, 17));

    let answer = json(&["strategy", "classic", "X../.X./O.O x", "--for", "x", "--json"]);
    let won: BTreeSet<&str> =
        strings(&answer["won"]).iter().map(|text| text.split(' ').next().unwrap()).collect();
    assert_eq!(strings(&answer["won"]).len(), 28);
    assert_eq!(won, known);
    assert_eq!(answer["wins"], false);
    assert_eq!((&answer["game"], &answer["for"]), (&"classic".into(), &"x".into()));
    assert_eq!(answer["position"], "X../.X./O.O x");

    let table = table("classic");
    let strategy = answer["strategy"].as_object().unwrap();
    let entries: BTreeSet<&str> =
        strategy.keys().map(|text| text.split(' ').next().unwrap()).collect();
    assert_eq!(strategy.len(), 17);
    assert_eq!(entries, with_entry);
    for (text, mv) in strategy {
        let position = table.game().parse_position(text).unwrap();
        assert_eq!(position.side, Side::X);
        let mv = table.game().parse_move(mv.as_str().unwrap()).unwrap();
        assert!(table.game().moves_at(position).any(|legal| legal == mv), "{text} {mv:?}");
        assert_eq!(
            table.probe(table.game().apply(position, mv)).unwrap().value(),
            Value::Loss,
            "{text}"
        );
    }
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
fn the_json_has_the_lesson_and_the_winning_positions() {
    let answer = json(&["strategy", "tapatan", "--json"]);
    let keys = ["game", "position", "for", "wins", "won", "strategy", "lesson"];
    assert_eq!(answer.as_object().unwrap().len(), keys.len());
    assert!(keys.iter().all(|key| answer.get(key).is_some()), "{keys:?}");
    let lesson = &answer["lesson"];
    assert_eq!((&lesson["positions"], &lesson["at_least"]), (&50.into(), &50.into()));
    assert_eq!(lesson["steps"][0]["move"], "b2");
    assert_eq!(lesson["steps"][0]["replies"][0]["step"], 2);
    for step in lesson["steps"].as_array().unwrap() {
        // Each step is one of the entries of the winner.
        assert!(answer["strategy"].get(step["position"].as_str().unwrap()).is_some(), "{step}");
    }
}

#[test]
fn a_lesson_is_for_the_side_that_wins() {
    // O is to move, and loses.
    let answer = json(&["strategy", "tapatan", ".../.X./... o", "--json"]);
    assert_eq!((&answer["for"], &answer["wins"]), (&"x".into(), &true.into()));
    assert_eq!(answer["lesson"]["replies"].as_array().unwrap().len(), 2);
    let lost = json(&["strategy", "tapatan", "--for", "o", "--json"]);
    assert!(lost["lesson"].is_null() && lost["wins"] == false);
    let output = morpion(["strategy", "tapatan", "--for", "o"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("o loses here") && error.contains("--for x"), "{error}");
}

/// All positions that follow, found by a plain search.
fn reachable(table: &Table, text: &str) -> Vec<morpion_core::Situation> {
    let game = table.game();
    let mut open = vec![game.parse_position(text).unwrap()];
    let mut seen: std::collections::HashSet<_> = open.iter().copied().collect();
    while let Some(position) = open.pop() {
        if game.end_at(position).is_none() {
            for mv in game.moves_at(position) {
                let child = game.after(position, mv);
                if seen.insert(child) {
                    open.push(child);
                }
            }
        }
    }
    seen.into_iter().collect()
}

#[test]
fn a_strategy_holds_in_every_kind_of_game_from_any_position() {
    let mut held = 0;
    for (game, position, side) in [
        ("swap", ".../.../... x", "o"),
        ("swap-pass", "X../.O./... x", "x"),
        ("tapatan", "XX./.O./O.. x", "x"),
        ("achi", "XOX/OX./.O. x", "o"),
        ("shisima", "XXX/.../OOO x", "x"),
        ("shisima", "XXX/.../OOO o", "x"),
        ("misere", "X../.../... o", "o"),
        ("classic", "XXX/OO./... o", "x"),
    ] {
        let table = table(game);
        let answer = json(&["strategy", game, position, "--for", side, "--json"]);
        let winner = if side == "x" { Side::X } else { Side::O };
        let mut expected = BTreeSet::new();
        let mut turns = 0;
        for at in reachable(&table, position) {
            let wanted = if at.side == winner { Value::Win } else { Value::Loss };
            if table.probe(at).unwrap().value() == wanted {
                turns += usize::from(at.side == winner && table.game().end_at(at).is_none());
                expected.insert(at.to_string());
            }
        }
        let won: BTreeSet<String> = strings(&answer["won"]).into_iter().map(String::from).collect();
        assert_eq!(won.len(), strings(&answer["won"]).len(), "{game}: one position twice");
        assert_eq!(won, expected, "{game} {position}");
        assert_eq!(answer["strategy"].as_object().unwrap().len(), turns);
        for (text, mv) in answer["strategy"].as_object().unwrap() {
            let at = table.game().parse_position(text).unwrap().raw;
            let mv: Move = table.game().parse_move(mv.as_str().unwrap()).unwrap();
            assert_eq!(table.probe(table.game().apply(at, mv)).unwrap().value(), Value::Loss);
            held += 1;
        }
    }
    assert!(held > 100, "{held} moves were looked at");
}

#[test]
fn a_strategy_with_too_many_positions_is_refused_before_any_work() {
    let game = catalogue::standard_game("classic5k4").unwrap();
    let start = game.start();
    let error = morpion_report::strategy::Reach::new(&game, start.raw, start.side).unwrap_err();
    assert!(error.to_string().contains("arrangements can follow this position"), "{error}");
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
