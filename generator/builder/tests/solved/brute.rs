//! Compares tables with an independent solver on every position that play can reach. It makes passes over a dictionary
//! of positions, without symmetry, ranking or layers, and reads its own description of a game.

use crate::proof::KEY;
use crate::rules::kinds::Kind;
use crate::rules::{Moves, Spec, during, grid, stuck, ways};
use morpion_core::{DrawKind, Encoding, Position, Score, Side, Situation as Shown};
use morpion_games::reach::reached::Reached;
use morpion_games::reach::walk::{Sides, reachable};
use morpion_lookup::Table;
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use morpion_verify::verify;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, RandomState};

/// Compares a table with the dictionary on all positions of its layers. Returns their scores.
pub fn check(spec: &Spec) -> HashMap<(u64, u64), Score> {
    let game = spec.game();
    let bytes = table::solve(&game, &Unobserved).unwrap();
    let table = Table::from_source(bytes.into()).unwrap();
    table.check_sums().unwrap();
    let start = game.start().raw;
    let mut positions = spec.positions();
    positions.push((start.mover, start.waiter));
    let scores = spec.solve(positions);
    // Unwritten moves do not follow from the rule text, so there is no proof.
    if !spec.moves.as_ref().is_some_and(|moves| moves.is_unwritten) {
        let report = verify(&table, KEY, &Unobserved).unwrap();
        assert!(report.is_right(), "{report:?}\n{}", spec.toml());
    }
    let reached: u64 =
        reachable(&game, start, Sides::Together).unwrap().iter().map(Reached::len).sum();
    let expected = spec.reached((start.mover, start.waiter));
    assert_eq!(reached, expected.len() as u64, "{}", spec.toml());
    for (&(mover, waiter), &expected) in &scores {
        let position = Position { mover, waiter };
        assert_eq!(table.probe(position).unwrap(), expected, "{position:?}\n{}", spec.toml());
        let side = game.turn(position).unwrap_or(Side::X);
        let shown = Shown { board: game.board_shape(), raw: position, side };
        let text = game.format_position(shown);
        assert_eq!(game.parse_position(&text), Ok(shown), "{text}\n{}", spec.toml());
        let over = spec.finished(mover, waiter).map(|(over, _)| over);
        assert_eq!(game.end_at(position), over);
        let mut moves: Vec<_> =
            table.ranked_moves(position).unwrap().iter().map(|m| (m.mv, m.score)).collect();
        let children = match over {
            Some(_) => Vec::new(),
            None => spec.children(mover, waiter),
        };
        for &(mv, (mover, waiter)) in &children {
            assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv), "{mv:?}\n{}", spec.toml());
            assert_eq!(game.apply(position, mv), Position { mover, waiter }, "{position:?} {mv:?}");
        }
        let mut known: Vec<_> =
            children.into_iter().map(|(mv, child)| (mv, scores[&child].before())).collect();
        moves.sort_by_key(|(mv, _)| *mv);
        known.sort_by_key(|(mv, _)| *mv);
        assert_eq!(moves, known, "{position:?}\n{}", spec.toml());
    }
    let wide = table::solve_as(&game, Encoding::Plies16, &Unobserved).unwrap();
    let wide = Table::from_source(&wide).unwrap();
    for (&(mover, waiter), &expected) in &scores {
        assert_eq!(wide.probe(Position { mover, waiter }).unwrap(), expected, "{}", spec.toml());
    }
    if spec.moves.is_none() {
        let values = table::solve_as(&game, Encoding::Wdl, &Unobserved).unwrap();
        let values = Table::from_source(&values).unwrap();
        for (&(mover, waiter), score) in &scores {
            let found = values.probe(Position { mover, waiter }).unwrap();
            assert_eq!((found.value(), found.plies()), (score.value(), None));
        }
    }
    scores
}

/// The number of a kind of score: a win, a draw that ends, a draw by cycle, or a loss.
pub fn kind(score: Score) -> usize {
    match score {
        Score::Win { .. } => 0,
        Score::Draw { kind: DrawKind::End } => 1,
        Score::Draw { kind: DrawKind::Cycle } => 2,
        Score::Loss { .. } => 3,
    }
}

/// Three in a row on 3×3.
pub const THREE: &str = "name = \"t\"\nboard = { rows = 3, columns = 3 }\nlines = { length = 3 }\n";

#[test]
fn tables_agree_with_a_dictionary_on_games_of_nine_cells() {
    let moves = |each: u8, moves: &str| format!("pieces.each = {each}\nmoves = {{ {moves} }}\n");
    let closed = |cells: &str, during: &str| {
        format!("opening = {{ forbidden = [{cells}], during = \"{during}\" }}\n")
    };
    let (misere, stuck) = ("goal.misere = true\n", moves(3, "to = \"king\", stuck = \"draw\""));
    let games = [
        String::new(),
        misere.into(),
        closed("4", "first"),
        "pieces.each = 3".into(),
        moves(3, "to = \"any\""),
        moves(3, "to = \"any\", stay = true"),
        moves(3, "to = \"orthogonal\", stuck = \"draw\""),
        moves(3, "to = \"king\""),
        moves(3, "to = \"drawn\", stay = true, stuck = \"win\""),
        moves(4, "to = \"drawn\""),
        moves(4, "to = \"drawn\", stuck = \"draw\""),
        moves(4, "to = \"orthogonal\", stuck = \"win\""),
        moves(4, "to = \"king\", stuck = \"draw\"") + &closed("4", "placing"),
        stuck.clone() + &closed("1, 4", "each-first"),
        stuck + misere,
        moves(4, "to = \"drawn\", stuck = \"pass\""),
        moves(4, "to = \"orthogonal\", stuck = \"pass\"") + misere,
        moves(3, "to = \"orthogonal\", stuck = \"draw\"") + "opening.start = \"XX./O.X/.OO o\"",
    ];
    let mut found = [0; 4];
    for game in games {
        for score in check(&Spec::read(&format!("{THREE}{game}"))).into_values() {
            found[kind(score)] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 1000), "{found:?}");
}

/// The rule file of a game on a board without a grid, without movement or with moves along edges.
pub fn linked(cells: u8, lines: &[&[u8]], edges: &[[u8; 2]], more: &str) -> String {
    let moves = match edges {
        [] => String::new(),
        edges => format!("moves.to = \"edges\"\nmoves.edges = {edges:?}\n"),
    };
    format!("name = \"t\"\nboard.cells = {cells}\nlines.sets = {lines:?}\n{moves}{more}")
}

/// A ring of six cells.
pub const RING: [[u8; 2]; 6] = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 5]];

#[test]
fn tables_agree_with_a_dictionary_on_boards_without_a_grid() {
    let ring =
        |more: &str| linked(6, &[&[0, 2], &[1, 3]], &RING, &format!("pieces.each = 2\n{more}"));
    let rows: [&[u8]; 2] = [&[0, 1, 2], &[3, 4, 5]];
    let king = [
        RING[0],
        RING[1],
        RING[3],
        RING[4],
        [0, 3],
        [0, 4],
        [1, 3],
        [1, 5],
        [1, 4],
        [2, 4],
        [2, 5],
    ];
    let closed = |opening: &str| {
        linked(6, &rows, &[], &format!("pieces.each = 3\nopening = {{ {opening} }}"))
    };
    for game in [
        ring("moves.stuck = \"draw\""),
        ring("moves.stuck = \"win\"\ngoal.misere = true"),
        linked(7, &[&[0, 1, 2], &[2, 3, 4], &[4, 5, 6]], &[], "pieces.each = 3"),
        linked(6, &rows, &king, "pieces.each = 2\nmoves.stuck = \"draw\""),
        closed("forbidden = [0, 4], during = \"placing\""),
        closed("forbidden = [1], during = \"each-first\""),
    ] {
        check(&Spec::read(&game));
    }
}

/// Cells, lines and links of a board.
type Shape = (u8, Vec<Vec<u8>>, Vec<[u8; 2]>);

/// A random board of up to nine cells with any lines and links.
fn random_shape() -> impl Strategy<Value = Shape> {
    (2u8..=9).prop_flat_map(|cells| {
        let line = proptest::collection::btree_set(0..cells, 1..=usize::from(cells.min(4)))
            .prop_map(|line| line.into_iter().collect());
        let lines = proptest::collection::vec(line, 1..8);
        let edges =
            proptest::collection::btree_set((0..cells, 0..cells), 0..16).prop_map(|edges| {
                let different = edges.into_iter().filter(|(a, b)| a != b);
                let once: BTreeSet<_> = different.map(|(a, b)| [a.min(b), a.max(b)]).collect();
                once.into_iter().collect()
            });
        (Just(cells), lines, edges)
    })
}

/// Rings, wheels and tori of up to 36 similar cells, numbered in random order.
fn regular_shape() -> impl Strategy<Value = Shape> {
    let ring = |cells: u8| (0..cells).map(move |cell| [cell, (cell + 1) % cells]);
    let rings = (3u8..=36).prop_map(move |cells| (cells, ring(cells).collect()));
    let wheels = (4u8..=36).prop_map(move |cells| {
        let spokes = (0..cells - 1).map(|rim| [rim, cells - 1]);
        (cells, ring(cells - 1).chain(spokes).collect())
    });
    let tori = (3u8..=6, 3u8..=6).prop_map(|(rows, columns)| {
        let cell = |row: u8, column: u8| row % rows * columns + column % columns;
        let at = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let links = at.flat_map(|(row, column)| {
            [(row + 1, column), (row, column + 1)].map(|(a, b)| [cell(row, column), cell(a, b)])
        });
        (rows * columns, links.collect())
    });
    let links = prop_oneof![2 => rings, 1 => wheels, 1 => tori];
    let numbered = links.prop_flat_map(|(cells, links): (u8, Vec<[u8; 2]>)| {
        (Just(cells), Just(links), Just((0..cells).collect::<Vec<u8>>()).prop_shuffle())
    });
    (numbered, 0..4).prop_map(|((cells, mut links, numbers), form)| {
        links.iter_mut().flatten().for_each(|cell| *cell = numbers[usize::from(*cell)]);
        let neighbours =
            |cell: u8| links.iter().filter(move |link| link.contains(&cell)).flatten().copied();
        let lines = match form {
            0 => links.iter().map(|link| link.to_vec()).collect(),
            1 => vec![(0..cells).collect()],
            2 => (0..cells)
                .map(|cell| BTreeSet::from_iter(neighbours(cell)).into_iter().collect())
                .collect(),
            _ => vec![links[0].to_vec(), links[links.len() / 2].to_vec()],
        };
        (cells, lines, links)
    })
}

/// A random game on a board without a grid, small enough for the dictionary.
pub fn random_game() -> impl Strategy<Value = Spec> {
    let board = prop_oneof![random_shape(), regular_shape()].prop_flat_map(|shape| {
        let forbidden = proptest::collection::btree_set(0..shape.0, 0..3);
        (Just(shape), forbidden)
    });
    let kind = (0u8..4, any::<prop::sample::Index>(), during(), stuck(), any::<(bool, bool)>());
    (board, kind).prop_map(|((shape, forbidden), (kind, each, during, stuck, (stay, misere)))| {
        let (cells, lines, edges) = shape;
        let most = match cells {
            0..=9 => cells / 2,
            10..=12 => 3,
            13..=16 => 2,
            _ => 1,
        };
        let each = 1 + each.index(usize::from(most)) as u8;
        let mut targets = vec![0u64; usize::from(cells)];
        for &[a, b] in &edges {
            targets[usize::from(a)] |= 1 << b;
            targets[usize::from(b)] |= 1 << a;
        }
        let any_cell = (0..cells).map(|from| (1u64 << cells) - 1 - (1 << from)).collect();
        let moves = match kind {
            0 | 1 => None,
            2 => Some(Moves::new("to = \"any\"", any_cell, stay, stuck)),
            _ => {
                let to = format!("to = \"edges\"\nedges = {edges:?}");
                Some(Moves::new(&to, targets, stay, stuck))
            }
        };
        Spec {
            written: None,
            board: format!("[board]\ncells = {cells}\n[lines]\nsets = {lines:?}"),
            cells,
            lines: lines
                .iter()
                .map(|line| (line.iter().fold(0, |set, cell| set | 1 << cell), 0))
                .collect(),
            each: (kind > 0 || cells > 9).then_some(each),
            moves,
            forbidden: forbidden.into_iter().collect(),
            forbidden_names: Vec::new(),
            during,
            start: None,
            misere,
            kind: Kind::Plain,
        }
        .placing_is_possible()
    })
}

/// Compares the tables of random games with the dictionary.
pub fn agree(cases: u32, seed: u64, games: BoxedStrategy<Spec>) {
    let rng_seed = RngSeed::Fixed(seed);
    let config =
        ProptestConfig { cases, rng_seed, failure_persistence: None, ..Default::default() };
    let run = TestRunner::new(config).run(&games, |spec| {
        check(&spec);
        Ok(())
    });
    run.unwrap();
}

#[test]
fn tables_agree_with_a_dictionary_on_random_games() {
    agree(100, 1, ways::random(random_game()).boxed());
}

#[test]
fn tables_agree_with_a_dictionary_on_random_grids() {
    agree(100, 1, ways::random(grid::random_game()).boxed());
}

#[test]
#[ignore = "long: six hundred games, about 3 seconds; .ci/run runs it"]
fn tables_agree_with_a_dictionary_on_more_random_games() {
    agree(300, 1, ways::random(random_game()).boxed());
    agree(300, 1, ways::random(grid::random_game()).boxed());
}

#[test]
#[ignore = "long: ten thousand games, about 3 minutes"]
fn tables_of_ten_thousand_random_games_agree() {
    let seed = match ProptestConfig::default().rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => RandomState::new().hash_one(()),
    };
    eprintln!("PROPTEST_RNG_SEED={seed} draws these games again");
    agree(10_000, seed, ways::random(prop_oneof![random_game(), grid::random_game()]).boxed());
}

/// Another test has a game that needs two bytes: `wide` in the tests from outside.
#[test]
fn entries_of_two_bytes_agree_with_entries_of_one() {
    // A path of links, with one line of its two ends.
    let edges: Vec<[u8; 2]> = (0..8).map(|cell| [cell, cell + 1]).collect();
    check(&Spec::read(&linked(9, &[&[0, 8]], &edges, "pieces.each = 2")));
}
