//! Compares tables of games with ageing pieces, mills and pushes with the dictionary, and the values of known games with published ones.

use crate::brute::{RING, agree, check, kind, linked, random_game};
use crate::rules::grid::Grid;
use crate::rules::kinds::{self, Kind, Mills};
use crate::rules::{Moves, Spec, grid, ways};
use morpion_core::{Move, Score, Takes, Value};
use proptest::prelude::*;
use std::collections::HashMap;

/// Compares so many games with mills and ageing pieces, and half as many with pushes.
fn agree_on_all_kinds(cases: u32, seed: u64) {
    let games = ways::random(prop_oneof![random_game(), grid::random_game()]);
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
        written: None,
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
    Moves::new(to, Vec::new(), false, "loss")
}

/// Three in a row on 2×3 with lines of two.
fn small(each: u8, timing: &'static str) -> Spec {
    let grid = Grid::new(2, 3, "", &[]);
    Spec {
        written: None,
        board: "[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 2".into(),
        cells: 6,
        lines: grid.runs(2, false),
        ..three(Some(each), moves(&format!("oldest = \"{timing}\"")), Kind::Ageing(timing))
    }
}

#[test]
fn every_entry_of_small_games_is_as_defined() {
    let orthogonal = |stuck| {
        let targets = Grid::new(3, 3, "", &[]).targets("orthogonal", (0, 0));
        Moves::new("to = \"orthogonal\"", targets, false, stuck)
    };
    let square: &[&[u8]] = &[&[0, 1, 2], &[6, 7, 8], &[0, 3, 6], &[2, 5, 8]];
    let sets = |lines: &[&[u8]], spec: Spec| Spec {
        board: format!("[board]\nrows = 3\ncolumns = 3\n[lines]\nsets = {lines:?}"),
        lines: linked(9, lines, &[], 3, "loss").lines,
        ..spec
    };
    let mut games = vec![three(None, moves("to = \"push\""), Kind::Pushes { rows: 3, columns: 3 })];
    for timing in ["first", "before-lines", "after-lines"] {
        games.push(Spec { each: Some(2), ..disappearing(timing) });
        games.push(small(2, timing));
        let moves = Some(moves(&format!("oldest = \"{timing}\"")));
        let kind = Kind::Ageing(timing);
        let seven = linked(7, &[&[0, 1, 2], &[2, 3, 4]], &[], 3, "loss");
        games.push(Spec { moves, kind, ..seven });
    }
    for (takes, mixed) in
        Takes::ALL.map(Takes::name).into_iter().zip([false, true].into_iter().cycle())
    {
        let mills = |mixed, fly, full| {
            let least = if mixed { 2 } else { 3 };
            Kind::Mills(Mills { takes, least, fly, full, mixed })
        };
        games.push(sets(square, three(Some(3), orthogonal("loss"), mills(mixed, 0, None))));
        games.push(three(Some(3), orthogonal("draw"), mills(!mixed, 3, None)));
        let ring = linked(6, &[&[0, 2], &[1, 3], &[2, 4]], &RING, 3, "loss");
        games.push(Spec { kind: mills(mixed, 0, Some("draw")), ..ring.clone() });
        games.push(Spec { kind: mills(!mixed, 0, Some("draw")), ..ring });
    }
    let mut found = [0; 4];
    for score in games.iter().flat_map(check).map(|(_, score)| score) {
        found[kind(score)] += 1;
    }
    assert!(found.iter().all(|&count| count > 100), "{found:?}");
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
