//! Drawings have the bars and the numbers of their tables.

use crate::table;
use morpion_lookup::raw::Encoding;
use morpion_machine::progress::Unobserved;
use morpion_reach::walk::Sides;
use morpion_report::count::{Symmetry, count};
use morpion_report::figure::{distances, games, layers};
use std::time::Duration;

#[test]
fn the_drawing_has_a_bar_for_every_distance_that_occurs() {
    let drawn = distances::draw(&table("nine-holes-diagonals", Encoding::Plies8)).unwrap();
    let bars = |kind: &str| drawn.matches(&format!("<rect class=\"{kind}\"")).count() - 1;
    assert_eq!((bars("win"), bars("loss"), bars("draw")), (5, 5, 1));
    let drawn = distances::draw(&table("classic", Encoding::Wdl)).unwrap();
    assert!(drawn.contains("<title>draw: "));
}

#[test]
fn every_game_has_a_row_and_unknown_numbers_are_left_out() {
    let cpu = Some(Duration::from_millis(1250));
    let rows = [
        games::Row::of(&table("classic", Encoding::Plies8), cpu).unwrap(),
        games::Row::of(&table("classic", Encoding::Wdl), None).unwrap(),
        games::Row::unbuilt("beginner6", 190_000_000_000),
    ];
    let drawn = games::draw(&rows);
    for words in ["classic", "draw that ends", "not built", "190,000,000,000", "1.25"] {
        assert!(drawn.lines().any(|line| line == words), "{words}");
    }
    let bars = |class: &str| drawn.matches(&format!("<rect class=\"{class}\"")).count();
    assert_eq!((bars("reached"), bars("win"), bars("draw"), bars("all")), (3, 1, 2, 1));
}

#[test]
fn every_layer_has_its_shares_and_its_numbers() {
    let table = table("classic", Encoding::Plies8);
    let counted = count(&table, Symmetry::None, Sides::Together, &Unobserved).unwrap();
    let drawn = layers::draw(&table, &counted).unwrap();
    // The empty board is a draw, and so are all 9 first moves.
    assert!(drawn.contains("<title>0 pieces, draw: 1 (100.0 %)</title>"));
    assert!(drawn.contains("<title>1 pieces, draw: 9 (100.0 %)</title>"));
    assert_eq!(drawn.matches("<rect class=\"reached\"").count() - 1, 10);
    assert_eq!(drawn.matches("<rect class=\"all\"").count() - 1, 10);
}
