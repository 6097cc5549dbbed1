use crate::own_table;
use morpion_core::{Game, Position};
use morpion_lookup::Table;
use morpion_machine::progress::Unobserved;
use morpion_report::count::Symmetry;
use morpion_report::games::{games, lines};
use std::collections::BTreeMap;

/// Plays all games one after another, and counts them by length.
fn played(game: &Game, position: Position, length: usize, by_length: &mut Vec<u128>) {
    if game.end_at(position).is_some() {
        by_length.resize(by_length.len().max(length + 1), 0);
        by_length[length] += 1;
        return;
    }
    for mv in game.moves_at(position) {
        played(game, game.apply(position, mv), length + 1, by_length);
    }
}

/// The number of games from a position in which moves to symmetric positions are one move.
fn folded(table: &Table, position: Position) -> u128 {
    let game = table.game();
    if game.end_at(position).is_some() {
        return 1;
    }
    let least = |position: Position| {
        let images = table.raw().header().symmetries.iter();
        images
            .map(|symmetry| [position.mover, position.waiter].map(|set| symmetry.apply(set)))
            .min()
    };
    let after = |mv| game.apply(position, mv);
    let children: BTreeMap<_, _> =
        game.moves_at(position).map(after).map(|child| (least(child), child)).collect();
    children.into_values().map(|child| folded(table, child)).sum()
}

#[test]
fn the_games_are_those_that_are_played_one_after_the_other() {
    for body in [
        "rows = 3\ncolumns = 3\n[lines]\nlength = 3",
        "rows = 2\ncolumns = 4\n[lines]\nlength = 2\n[goal]\nmisere = true",
        "rows = 2\ncolumns = 5\n[lines]\nlength = 3\n[pieces]\neach = 3",
        "rows = 3\ncolumns = 3\n[lines]\nlength = 2\n[opening]\nforbidden = [4]\nduring = \"each-first\"",
        "cells = 7\n[lines]\nsets = [[0, 1, 2], [2, 3, 4], [4, 5, 0]]",
        "rows = 1\ncolumns = 1\n[lines]\nlength = 1",
    ] {
        let table = own_table(body);
        let (mut by_length, game) = (Vec::new(), table.game());
        played(game, game.start().raw, 0, &mut by_length);
        let found = games(&table, Symmetry::None, None, &Unobserved).unwrap();
        assert_eq!(found.games, by_length.iter().sum::<u128>(), "{body}");
        assert_eq!(found.games_by_length, by_length, "{body}");
        assert_eq!(found.games_by_result.iter().sum::<u128>(), found.games, "{body}");
        let found = games(&table, Symmetry::Rules, None, &Unobserved).unwrap();
        assert_eq!(found.games, folded(&table, game.start().raw), "{body}");
    }
}

#[test]
fn games_in_cycles_have_no_number() {
    let table = own_table(
        "rows = 2\ncolumns = 2\n[lines]\nlength = 2\n[pieces]\neach = 1\n[moves]\nto = \"any\"",
    );
    let error = games(&table, Symmetry::None, None, &Unobserved).unwrap_err().to_string();
    assert!(error.starts_with("pieces move, "), "{error}");
}

/// Counts lines of play one by one.
fn followed(game: &Game, position: Position, moves: usize) -> u128 {
    if moves == 0 {
        return 1;
    }
    if game.end_at(position).is_some() {
        return 0;
    }
    let after = |mv| game.apply(position, mv);
    game.moves_at(position).map(|mv| followed(game, after(mv), moves - 1)).sum()
}

#[test]
fn lines_of_play_are_those_that_are_followed_one_by_one() {
    let known = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0];
    let classic = Table::builtin("classic").unwrap();
    let found = lines(classic.game(), Symmetry::None, 10, None, &Unobserved).unwrap();
    assert_eq!(found, known, "published numbers of tic-tac-toe");
    for name in ["tapatan", "swap-pass", "disappearing", "quixo3"] {
        let table = Table::builtin(name).unwrap();
        let game = table.game();
        let found = lines(game, Symmetry::None, 4, None, &Unobserved).unwrap();
        let expected: Vec<u128> =
            (1..=4).map(|moves| followed(game, game.start().raw, moves)).collect();
        assert_eq!(found, expected, "{name}");
    }
    let error = lines(classic.game(), Symmetry::None, 9, Some(1000), &Unobserved).unwrap_err();
    assert!(error.to_string().contains("bytes of memory"), "{error}");
}
