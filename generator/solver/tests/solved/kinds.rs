//! Compares tables of games with ageing pieces, mills and pushes with the dictionary, and the values of known games with published ones.

use crate::brute::{agree, check, random_game};
use crate::rules::kinds::{self, Kind};
use crate::rules::{Moves, Spec, grid};
use morpion_core::{Move, Score, Value};
use proptest::prelude::*;
use std::collections::HashMap;

/// Compares so many games with mills and ageing pieces, and half as many with pushes.
fn agree_on_all_kinds(cases: u32, seed: u64) {
    let games = prop_oneof![random_game(), grid::random_game()];
    agree(cases, seed, kinds::random(games).boxed());
    agree(cases / 2, seed, grid::random_pushes().boxed());
}

#[test]
fn tables_agree_with_a_dictionary_on_random_games_of_all_kinds() {
    agree_on_all_kinds(20, 1);
}

#[test]
#[ignore = "long: ninety games, about 40 seconds; .ci/run runs it"]
fn tables_agree_with_a_dictionary_on_more_random_games_of_all_kinds() {
    agree_on_all_kinds(60, 1);
}

/// Three in a row on 3×3.
fn three(each: Option<u8>, moves: Moves, kind: Kind) -> Spec {
    let lines = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    Spec {
        board: "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3".into(),
        cells: 9,
        lines: lines.map(|line| (line, 0)).to_vec(),
        each,
        moves: Some(moves),
        forbidden: Vec::new(),
        forbidden_names: Vec::new(),
        during: "placing",
        start: None,
        misere: false,
        kind,
    }
}

fn moves(to: &str) -> Moves {
    Moves { to: to.into(), targets: Vec::new(), stay: false, stuck: "loss" }
}

/// Disappearing tic-tac-toe with three marks.
fn disappearing(timing: &'static str) -> Spec {
    three(Some(3), moves(&format!("oldest = \"{timing}\"")), Kind::Ageing(timing))
}

/// The score of the start for the first player, and the cells with which it is kept.
fn openings(spec: &Spec, scores: &HashMap<(u64, u64), Score>) -> (Score, Vec<u8>) {
    let score = scores[&(0, 0)];
    let best = spec.children(0, 0).into_iter();
    let best = best.filter(|(_, child)| scores[child].before() == score).map(|(mv, _)| mv);
    let cell = |mv| match mv {
        Move::Place { to } | Move::Push { to, .. } => to,
        _ => panic!("{mv:?}"),
    };
    (score, best.map(cell).collect())
}

#[test]
fn disappearing_games_have_their_known_values() {
    let value = |timing| {
        let spec = disappearing(timing);
        let scores = check(&spec);
        (openings(&spec, &scores), scores)
    };
    let (sides, _) = value("before-lines");
    assert_eq!(sides, (Score::Win { plies: Some(13) }, vec![1, 3, 5, 7]));
    let (centre, scores) = value("after-lines");
    assert_eq!(centre, (Score::Win { plies: Some(9) }, vec![4]));
    assert!(scores.values().all(|score| score.value() != Value::Draw));
    let ((score, cells), _) = value("first");
    assert_eq!((score.value(), cells), (Value::Draw, (0..9).collect()));
}

#[test]
fn quixo_on_nine_cells_has_its_known_values() {
    let kind = Kind::Pushes { rows: 3, columns: 3 };
    let spec = three(None, moves("to = \"push\""), kind);
    let scores = check(&spec);
    assert_eq!(scores[&(0, 0)], Score::Win { plies: Some(7) });
}
