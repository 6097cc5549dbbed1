//! Checks the group of a game by its definition, and against groups known from mathematics.

use morpion_core::{Game, Group, Permutation, rank::cells};
use morpion_games::rules::parse;
use morpion_games::symmetry::group::group;
use morpion_machine::progress::{Progress, Stopped, Unobserved};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::HashSet;

/// The game with these lines, links and restricted cells on a board without rows and columns.
fn restricted(cells: u8, lines: &[Vec<u8>], links: &[Vec<u8>], forbidden: &[u8]) -> Game {
    let text = format!(
        "name = \"t\"\n[board]\ncells = {cells}\n[lines]\nsets = {lines:?}\n[pieces]\neach = 1\n\
         [moves]\nto = \"edges\"\nedges = {links:?}\n\
         [opening]\nforbidden = {forbidden:?}\nduring = \"first\""
    );
    parse("t.toml", &text).unwrap()
}

/// The same game if these sets of cells, one for each line, extend the lines.
fn prolonged(game: &Game, sets: Vec<u64>) -> Game {
    let outside = game.lines().iter().zip(sets).map(|(line, set)| set & !line);
    let mut prolongations: Vec<u64> = outside.collect();
    if prolongations.iter().all(|&set| set == 0) {
        prolongations.clear();
    }
    let (about, graph) = (game.about().clone(), game.graph().clone());
    Game::new(about, game.lines().to_vec(), prolongations, graph).unwrap()
}

fn game(cells: u8, lines: &[Vec<u8>], links: &[Vec<u8>]) -> Game {
    restricted(cells, lines, links, &[])
}

/// Checks by definition that the images of the cells keep lines, links and restricted cells.
fn is_symmetry(game: &Game, images: &[u8]) -> bool {
    let image = |set: u64| cells(set).fold(0, |all, cell| all | 1u64 << images[cell as usize]);
    let lines = game.lines_with_prolongations();
    let mut lines: Vec<(u64, u64)> =
        lines.map(|(line, prolongation)| (image(line), image(prolongation))).collect();
    lines.sort_unstable();
    let restricted = game.board() & !game.moves(0).placements;
    lines.into_iter().eq(game.lines_with_prolongations())
        && image(restricted) == restricted
        && (0..game.cells())
            .zip(images)
            .all(|(cell, &to)| image(game.neighbours(cell)) == game.neighbours(to))
}

/// The symmetries of the rules; `None` if there are too many to list and the board has none.
fn found(game: &Game) -> Option<Vec<Permutation>> {
    match group(game, &Unobserved).unwrap() {
        (Group::Rules, symmetries) => Some(symmetries),
        (kind, symmetries) => {
            assert_eq!(
                (kind, symmetries),
                (Group::Trivial, vec![Permutation::identity(game.cells())])
            );
            None
        }
    }
}

fn all_permutations(images: &mut Vec<u8>, from: usize, visit: &mut impl FnMut(&[u8])) {
    if from == images.len() {
        return visit(images);
    }
    for other in from..images.len() {
        images.swap(from, other);
        all_permutations(images, from + 1, visit);
        images.swap(from, other);
    }
}

fn random_game() -> impl Strategy<Value = Game> {
    (2u8..=7).prop_flat_map(|count| {
        let set = |sizes| proptest::collection::btree_set(0..count, sizes);
        let sets = |sizes, number| {
            let vecs = set(sizes).prop_map(|set| set.into_iter().collect::<Vec<u8>>());
            vec(vecs, number)
        };
        let lines = prop_oneof![sets(1..=4.min(count as usize), 1..7), sets(2..=2, 1..12)];
        let forbidden = prop_oneof![Just(0), 0..1u64 << count];
        let prolongations = prop_oneof![Just(vec![]), vec(0..1u64 << count, 12)];
        (Just(count), lines, sets(2..=2, 0..9), forbidden, prolongations).prop_map(
            |(count, lines, links, forbidden, prolongations)| {
                let forbidden: Vec<u8> = cells(forbidden).collect();
                prolonged(&restricted(count, &lines, &links, &forbidden), prolongations)
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        // A fixed seed, so that every run tests the same games.
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_search_finds_all_permutations_that_are_symmetries(game in random_game()) {
        let mut all = Vec::new();
        all_permutations(&mut (0..game.cells()).collect(), 0, &mut |images| {
            if is_symmetry(&game, images) {
                all.extend(Permutation::new(images));
            }
        });
        all.sort();
        prop_assert_eq!(found(&game), (all.len() <= 1024).then_some(all));
    }
}

/// The sets with their cells renumbered, by a seed.
fn renumbered(cells: u8, sets: &[Vec<u8>], seed: u64) -> Vec<Vec<u8>> {
    let mut numbers: Vec<u8> = (0..cells).collect();
    numbers.sort_by_key(|&cell| {
        (u64::from(cell) + 1).wrapping_mul(2 * seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    });
    let renumber = |set: &Vec<u8>| set.iter().map(|&cell| numbers[cell as usize]).collect();
    sets.iter().map(renumber).collect()
}

/// Checks that the group has the known `order`; `None` if the order is above 1,024.
fn expect(name: &str, cells: u8, sets: &[Vec<u8>], order: Option<usize>) {
    for seed in 0..8 {
        let sets = renumbered(cells, sets, seed);
        let all: Vec<u8> = (0..cells).collect();
        let mut games = vec![game(cells, &sets, &[])];
        if sets.iter().all(|set| set.len() == 2) {
            games.push(game(cells, &[all], &sets));
        }
        for game in games {
            let found = found(&game);
            assert_eq!(found.as_ref().map(Vec::len), order, "{name}, numbering {seed}");
            let found: HashSet<Permutation> = found.into_iter().flatten().collect();
            assert!(order.is_none_or(|order| found.len() == order), "{name}: twice the same");
            assert!(found.iter().all(|symmetry| is_symmetry(&game, symmetry.images())));
        }
    }
}

fn pairs_where(cells: u8, linked: impl Fn(u8, u8) -> bool) -> Vec<Vec<u8>> {
    let below = |b| (0..b).map(move |a| (a, b));
    let pairs = (0..cells).flat_map(below).filter(|&(a, b)| linked(a, b));
    pairs.map(|(a, b)| vec![a, b]).collect()
}

fn ring(cells: u8) -> Vec<Vec<u8>> {
    pairs_where(cells, |a, b| b - a == 1 || b - a == cells - 1)
}

/// Checks that two cells of a torus with this many columns and rows are neighbours.
fn on_torus(rows: u8, columns: u8, a: u8, b: u8) -> bool {
    let steps = |a: u8, b: u8, n: u8| a.abs_diff(b).min(n - a.abs_diff(b));
    steps(a / columns, b / columns, rows) + steps(a % columns, b % columns, columns) == 1
}

#[test]
fn rings_wheels_and_tori_have_their_known_groups() {
    for cells in 12..=36 {
        expect("ring", cells, &ring(cells), Some(2 * usize::from(cells)));
        let spokes = (0..cells - 1).map(|rim| vec![rim, cells - 1]);
        let wheel: Vec<Vec<u8>> = ring(cells - 1).into_iter().chain(spokes).collect();
        expect("wheel", cells, &wheel, Some(2 * usize::from(cells - 1)));
    }
    // A torus of four rows and columns is the graph of the cube of four dimensions.
    for (rows, columns, order) in
        [(3, 5, 60), (4, 4, 384), (4, 5, 80), (5, 5, 200), (5, 6, 120), (6, 6, 288)]
    {
        let torus = pairs_where(rows * columns, |a, b| on_torus(rows, columns, a, b));
        expect("torus", rows * columns, &torus, Some(order));
    }
}

/// The rows and the columns; with `symbol`, also the sets of cells with the same symbol.
fn rows_and_columns(rows: u8, columns: u8, symbol: Option<fn(u8, u8) -> u8>) -> Vec<Vec<u8>> {
    let mut sets = vec![Vec::new(); 3 * usize::from(rows.max(columns))];
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let symbol = symbol.map(|symbol| symbol(row, column));
        for (form, number) in [(0, Some(row)), (1, Some(column)), (2, symbol)] {
            if let Some(number) = number {
                sets[usize::from(form * rows.max(columns) + number)].push(row * columns + column);
            }
        }
    }
    sets.retain(|set| !set.is_empty());
    sets
}

/// The translates of two triples modulo 13. Each pair of cells lies in exactly one triple.
fn cyclic_triples() -> Vec<Vec<u8>> {
    (0..13)
        .flat_map(|by| [[0, 1, 4], [0, 2, 7]].map(|set| set.map(|c| (c + by) % 13).to_vec()))
        .collect()
}

#[test]
fn structures_with_similar_cells() {
    expect("rook's lines", 12, &rows_and_columns(3, 4, None), Some(6 * 24));
    expect("rook's lines", 16, &rows_and_columns(4, 4, None), None);
    expect("rook's lines", 36, &rows_and_columns(6, 6, None), None);
    let cyclic = rows_and_columns(6, 6, Some(|row, column| (row + column) % 6));
    expect("the cyclic Latin square", 36, &cyclic, Some(36 * 2 * 6));
    let squares = |a, b| (1..15).any(|root: u16| root * root % 29 == u16::from(b - a));
    expect("Paley's graph", 29, &pairs_where(29, squares), Some(29 * 14));
    // Sixteen cells, of which each pair is in two neighbourhoods. The rook's graph of 4×4 has the same parameters, but
    // is another graph.
    let near = |a: u8, b: u8| {
        let steps = ((b / 4 + 4 - a / 4) % 4, (b % 4 + 4 - a % 4) % 4);
        [(0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (3, 3)].contains(&steps)
    };
    let shrikhande = pairs_where(16, near);
    expect("Shrikhande's graph", 16, &shrikhande, Some(192));
    let rook = pairs_where(16, |a, b| a / 4 == b / 4 || a % 4 == b % 4);
    let beside = |set: &Vec<u8>| set.iter().map(|cell| cell + 16).collect();
    let both: Vec<Vec<u8>> = shrikhande.into_iter().chain(rook.iter().map(beside)).collect();
    expect("both", 32, &both, None);
    expect("the triples of 13", 13, &cyclic_triples(), Some(39));
    // A trade: four triples on six cells are replaced by the four other triples with the same pairs. This gives the
    // other such system.
    let others = [[2, 7, 9], [1, 4, 9], [0, 1, 7], [0, 2, 4]];
    let replaced = [[0, 1, 4], [0, 2, 7], [2, 4, 9], [1, 7, 9]];
    let mut sets = cyclic_triples();
    sets.iter_mut().for_each(|set| set.sort_unstable());
    sets.retain(|set| !replaced.iter().any(|triple| triple[..] == set[..]));
    sets.extend(others.map(Vec::from));
    assert_eq!(sets.len(), 26);
    expect("the other triples of 13", 13, &sets, Some(6));
}

/// For each edge of a cubic graph without symmetries (R. Frucht, 1949) there are two cells. For each node there are
/// four lines: the ways to take one cell of each of its edges such that the number of second cells is even. A symmetry
/// exchanges the two cells of all edges of a cycle. Colours show none of this until as many cells are singled out as
/// there are independent cycles.
#[test]
fn pairs_that_only_change_together() {
    let graph = [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
        (4, 5),
        (5, 6),
        (6, 0),
        (0, 7),
        (1, 7),
        (2, 8),
        (3, 9),
        (4, 9),
        (5, 10),
        (6, 10),
        (7, 11),
        (8, 11),
        (8, 9),
        (10, 11),
    ];
    let mut sets: Vec<Vec<u8>> = (0..18).map(|edge| vec![2 * edge, 2 * edge + 1]).collect();
    for node in 0..12 {
        let edges = (0u8..).zip(graph).filter(|(_, (a, b))| *a == node || *b == node);
        let edges: Vec<u8> = edges.map(|(edge, _)| edge).collect();
        for second in [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]] {
            sets.push(edges.iter().zip(second).map(|(edge, second)| 2 * edge + second).collect());
        }
    }
    let cycles = graph.len() - 12 + 1;
    expect("pairs", 36, &sets, Some(1 << cycles));
}

#[test]
fn groups_too_large_to_be_listed() {
    expect("one line", 36, &[(0..36).collect()], None);
    expect("eighteen pairs", 36, &pairs_where(36, |a, b| a + 1 == b && a % 2 == 0), None);
    expect("all pairs", 36, &pairs_where(36, |_, _| true), None);
    expect("six cells alike, and one", 7, &[vec![6]], Some(720));
    expect("seven cells alike", 7, &[(0..7).collect()], None);
}

#[test]
fn a_stop_request_is_obeyed() {
    struct Stop;
    impl Progress for Stop {
        fn stop(&self) -> bool {
            true
        }
    }
    let game = game(36, &ring(36), &[]);
    assert_eq!(group(&game, &Stop), Err(Stopped));
}
