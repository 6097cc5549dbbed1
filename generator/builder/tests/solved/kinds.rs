//! Compares tables of games with ageing pieces, mills and pushes with the dictionary, and the values of known games with published ones.

use crate::brute::{RING, THREE, agree, check, kind, linked, random_game};
use crate::rules::{Spec, grid, kinds, ways};
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

#[test]
fn every_entry_of_small_games_is_as_defined() {
    let square = "lines.sets = [[0, 1, 2], [6, 7, 8], [0, 3, 6], [2, 5, 8]]";
    let mut games = vec![format!("{THREE}moves.to = \"push\"")];
    for timing in ["first", "before-lines", "after-lines"] {
        let ages = |each| format!("pieces.each = {each}\nmoves.oldest = \"{timing}\"");
        let small = "name = \"t\"\nboard = { rows = 2, columns = 3 }\nlines.length = 2";
        games.push(format!("{THREE}{}", ages(2)));
        games.push(format!("{small}\n{}", ages(2)));
        games.push(linked(7, &[&[0, 1, 2], &[2, 3, 4]], &[], &ages(3)));
    }
    for (takes, mixed) in
        Takes::ALL.map(Takes::name).into_iter().zip([false, true].into_iter().cycle())
    {
        let mills = |mixed, more: &str| {
            let least = if mixed { 2 } else { 3 };
            let mills = format!("takes = \"{takes}\", least = {least}, mixed = {mixed}{more}");
            format!("pieces.each = 3\nmills = {{ {mills} }}\n")
        };
        let to = "moves.to = \"orthogonal\"";
        let of_square = THREE.replace("lines = { length = 3 }", square);
        games.push(format!("{of_square}{to}\n{}", mills(mixed, "")));
        games.push(format!("{THREE}{to}\nmoves.stuck = \"draw\"\n{}", mills(!mixed, ", fly = 3")));
        for mixed in [mixed, !mixed] {
            let full = mills(mixed, ", full = \"draw\"");
            games.push(linked(6, &[&[0, 2], &[1, 3], &[2, 4]], &RING, &full));
        }
    }
    let games: Vec<Spec> = games.iter().map(|text| Spec::read(text)).collect();
    let mut found = [0; 4];
    for score in games.iter().flat_map(check).map(|(_, score)| score) {
        found[kind(score)] += 1;
    }
    assert!(found.iter().all(|&count| count > 100), "{found:?}");
}

/// Disappearing tic-tac-toe with three marks.
fn disappearing(timing: &'static str) -> Spec {
    Spec::read(&format!("{THREE}pieces.each = 3\nmoves.oldest = \"{timing}\""))
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
    let scores = check(&Spec::read(&format!("{THREE}moves.to = \"push\"")));
    assert_eq!(scores[&(0, 0)], Score::Win { plies: Some(7) });
}
