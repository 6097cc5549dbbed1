//! Known numbers of patterns and necklaces, by Burnside's lemma.

use morpion_core::Permutation;
use morpion_games::rules::parse;
use morpion_games::symmetry::burnside::{cycles, orbits_of_sets};
use morpion_games::symmetry::group::symmetries_of_board;

fn board(rows: u8, columns: u8) -> morpion_core::Game {
    let text =
        format!("name = \"t\"\n[board]\nrows = {rows}\ncolumns = {columns}\n[lines]\nlength = 1");
    parse("t", &text).unwrap()
}

#[test]
fn the_known_numbers_of_patterns_of_two_colours() {
    let symmetries = symmetries_of_board(&board(3, 3));
    let counted: Vec<u64> = (0..=9).map(|size| orbits_of_sets(&symmetries, size)).collect();
    assert_eq!(counted, [1, 3, 8, 16, 23, 23, 16, 8, 3, 1]);
}

#[test]
fn a_quarter_turn_leaves_two_sets_of_four() {
    let turn = Permutation::new(&[2, 5, 8, 1, 4, 7, 0, 3, 6]).unwrap();
    let lengths = cycles(&turn).map(u64::count_ones);
    assert_eq!(lengths.collect::<Vec<_>>(), [4, 4, 1]);
    assert_eq!([2, 4].map(|size| orbits_of_sets(&[turn], size)), [0, 2]);
}

/// Counts necklaces of black and white beads by their number of black beads. They may be turned but not flipped.
#[test]
fn necklaces() {
    let turn = |by: u8| (0..6).map(|cell| (cell + by) % 6).collect::<Vec<u8>>();
    let turns: Vec<Permutation> = (0..6).map(|by| Permutation::new(&turn(by)).unwrap()).collect();
    let counted: Vec<u64> = (0..=6).map(|size| orbits_of_sets(&turns, size)).collect();
    assert_eq!(counted, [1, 1, 3, 4, 3, 1, 1]);
}
