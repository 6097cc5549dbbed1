//! The positions that play can reach, by the definition and by numbers that others have counted.

use morpion_core::{Game, Position};
use morpion_games::catalogue::{standard, standard_game};
use morpion_games::reach::TooLarge;
use morpion_games::reach::reached::Reached;
use morpion_games::reach::walk::{Sides, Walk, arrangements, arrangements_from, reachable};
use morpion_games::rules::parse;
use morpion_games::symmetry::group::symmetries_of_board;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A position, and `true` if the root's side is to move. With [`Sides::Together`], always `true` in a layer in which either side
/// may be to move.
fn state(game: &Game, sides: Sides, position: Position, root_moves: bool) -> (Position, bool) {
    let is_either = game.turn(position).is_none();
    (position, root_moves || is_either && sides == Sides::Together)
}

fn by_definition(game: &Game, root: Position, sides: Sides) -> BTreeSet<(Position, bool)> {
    let mut known = BTreeSet::from([(root, true)]);
    let mut found = vec![(root, true)];
    while let Some((position, root_moves)) = found.pop() {
        if game.end_at(position).is_some() {
            continue;
        }
        let children = game.moves_at(position).map(|mv| game.apply(position, mv));
        found.extend(
            children
                .map(|child| state(game, sides, child, !root_moves))
                .filter(|&child| known.insert(child)),
        );
    }
    known
}

#[test]
fn a_walk_and_single_moves_reach_the_same_positions() {
    let small = standard().filter(|game| game.cells() == 9 && arrangements(game) < 200_000);
    for game in small.chain([mills("each = 3", "mixed = true"), mills("each = 4", "fly = 3")]) {
        let later = game.parse_position("X../.O./..X").map(|position| position.raw);
        for root in [Ok(game.start().raw), later].into_iter().flatten() {
            for sides in [Sides::Together, Sides::Apart] {
                let all = reachable(&game, root, sides).unwrap();
                let mut found = BTreeSet::new();
                for layer in &all {
                    let positions: Vec<Position> = layer.positions().collect();
                    let numbers = positions.iter().map(|&at| layer.arranged().number(at));
                    assert!(numbers.is_sorted_by(|a, b| a < b));
                    assert_eq!(positions.len() as u64, layer.len());
                    found.extend(
                        positions
                            .into_iter()
                            .map(|position| state(&game, sides, position, layer.root_moves())),
                    );
                }
                assert_eq!(found, by_definition(&game, root, sides), "{} {sides:?}", game.name());
                let bits: u128 = all.iter().map(|layer| layer.arranged().count()).sum();
                assert!(bits <= arrangements_from(&game, root, sides));
            }
        }
    }
}

/// The representatives of a folded walk are reached, and they represent as many positions as a full walk reaches.
#[test]
fn a_folded_walk_represents_all_positions() {
    let small = standard().filter(|game| game.cells() <= 16 && arrangements(game) < 200_000);
    let mut folded = 0;
    for game in small.chain([mills("each = 4", "fly = 3"), mills("each = 3", "mixed = true")]) {
        let symmetries = symmetries_of_board(&game);
        let name = game.name();
        let later = game.parse_position("X../.O./..X").map(|position| position.raw);
        for root in [Ok(game.start().raw), later].into_iter().flatten() {
            for sides in [Sides::Together, Sides::Apart] {
                let all = reachable(&game, root, sides).unwrap();
                let mut walk = Walk::new(&game, root, sides, &symmetries).unwrap();
                let mut sets = Vec::new();
                while !walk.is_over() {
                    walk.follow(|| Ok::<(), TooLarge>(())).unwrap();
                    sets.extend(walk.leave());
                }
                assert_eq!(all.len(), sets.len(), "{name}");
                for (all, set) in all.iter().zip(&sets) {
                    let positions = set.positions().count() as u64;
                    folded += u64::from(positions < all.len());
                    assert_eq!(set.len(), all.len(), "{name} {sides:?}");
                    let (visited, total) = (AtomicU64::new(0), AtomicU64::new(0));
                    set.for_each(|position, times| {
                        assert!(times > 0 && !all.insert(position), "{name} {position:?}");
                        visited.fetch_add(1, Relaxed);
                        total.fetch_add(times, Relaxed);
                    });
                    assert_eq!((visited.into_inner(), total.into_inner()), (positions, all.len()));
                }
            }
        }
    }
    assert!(folded > 50, "{folded}");
}

#[test]
fn a_walk_that_was_interrupted_goes_on() {
    struct Interrupted;
    impl From<TooLarge> for Interrupted {
        fn from(error: TooLarge) -> Interrupted {
            panic!("{error}")
        }
    }
    for game in [standard_game("swap").unwrap(), mills("each = 3", "mixed = true")] {
        let root = game.start().raw;
        let (calls, mut errors) = (Cell::new(0u32), 0);
        let mut walk = Walk::new(&game, root, Sides::Apart, &[]).unwrap();
        let mut numbers = Vec::new();
        while !walk.is_over() {
            let check = || {
                calls.set(calls.get() + 1);
                if calls.get().is_power_of_two() { Err(Interrupted) } else { Ok(()) }
            };
            while walk.follow(check).is_err() {
                errors += 1;
            }
            numbers.extend(walk.leave().iter().map(Reached::len));
        }
        let expected: Vec<u64> =
            reachable(&game, root, Sides::Apart).unwrap().iter().map(Reached::len).collect();
        assert_eq!(numbers, expected);
        assert!(errors > 1);
    }
}

/// A mill game on 3×3 with sliding pieces.
fn mills(pieces: &str, rule: &str) -> Game {
    let text = format!(
        "name = \"m\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\n{pieces}\n\
         [moves]\nto = \"orthogonal\"\n[mills]\n{rule}\n"
    );
    parse("m", &text).unwrap()
}

/// The number that others have published for two rings with four pieces of each side, in which colours count.
#[test]
fn mills_with_four_pieces_reach_the_known_number() {
    let text = include_str!("../../presets/six-mens-morris.toml");
    let game = parse("t", &text.replace("each = 6", "each = 4")).unwrap();
    let all = reachable(&game, game.start().raw, Sides::Apart).unwrap();
    assert_eq!(all.iter().map(Reached::len).sum::<u64>(), 2_338_718 + 1_271_632 + 500_801);
}

#[test]
fn the_layers_of_the_classic_game_have_the_known_numbers() {
    let game = standard_game("classic").unwrap();
    let all = reachable(&game, game.start().raw, Sides::Together).unwrap();
    let numbers: Vec<u64> = all.iter().map(Reached::len).collect();
    assert_eq!(numbers, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
}
