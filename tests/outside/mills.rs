//! Compares mill games with published numbers: `facts/mills.csv`.

use crate::facts::{number_in, rows};
use morpion_core::{
    Counts, Encoding, Game, Layer, Position, Score,
    rank::{expand, subsets},
};
use morpion_games::rules;
use morpion_lookup::Table;
use morpion_machine::progress::Unobserved;
use morpion_report::orbits;
use morpion_solver::table::solve_as;
use morpion_tests::large_table;

/// Wins, losses and draws.
type Values = [u64; 3];

/// The table of a standard game after these replacements in its rule file.
fn solved(name: &str, replaced: &[(&str, &str)]) -> Table<Vec<u8>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tables/");
    let mut text = std::fs::read_to_string(format!("{file}{name}.toml")).unwrap();
    for (from, to) in replaced {
        assert!(text.contains(from), "{name}: {from}");
        text = text.replace(from, to);
    }
    let game: Game = rules::parse(name, &text).unwrap();
    let bytes = solve_as(&game, Encoding::Plies8, &Unobserved).unwrap();
    Table::from_source(bytes).unwrap()
}

/// The values of a layer with nothing in hand, and its longest win and loss: of all arrangements, or of one in each orbit.
fn layer(
    table: &Table<Vec<u8>>,
    Counts { mover, waiter }: Counts,
    by_orbit: bool,
) -> (Values, [u16; 2]) {
    let (game, symmetries) = (table.game(), &table.raw().header().symmetries);
    let (cells, mut values, mut longest) = (u32::from(game.cells()), [0; 3], [0; 2]);
    for own in subsets(cells, mover.into()) {
        let images = symmetries.iter().map(|symmetry| (symmetry.apply(own), symmetry));
        if by_orbit && images.clone().any(|(image, _)| image < own) {
            continue;
        }
        let keep: Vec<_> =
            images.filter(|(image, _)| *image == own).map(|(_, kept)| kept).collect();
        let left = game.board() & !own;
        for other in subsets(left.count_ones(), waiter.into()).map(|set| expand(set, left)) {
            if by_orbit && keep.iter().any(|symmetry| symmetry.apply(other) < other) {
                continue;
            }
            let score = table.probe(Position { mover: own, waiter: other }).unwrap();
            let index = match score {
                Score::Win { .. } => 0,
                Score::Loss { .. } => 1,
                Score::Draw { .. } => 2,
            };
            values[index] += 1;
            if index < 2 {
                longest[index] = score.plies().unwrap().max(longest[index]);
            }
        }
    }
    (values, longest)
}

/// Compares the layers of a game, up to this number of pieces of each side, with the facts about them. Returns their number.
fn compare(table: &Table<Vec<u8>>, game: &str, most: u8) -> usize {
    let mut compared = 0;
    for row in rows("mills.csv").into_iter().filter(|row| row["game"] == game) {
        let scope = row["scope"].split_once(' ').and_then(|(kind, pieces)| {
            let (mover, waiter) = pieces.split_once('-')?;
            let counts = Counts { mover: mover.parse().ok()?, waiter: waiter.parse().ok()? };
            Some((kind, counts))
        });
        let is_in = |Counts { mover, waiter }: Counts| mover.max(waiter) <= most;
        let Some((kind, counts)) = scope.filter(|&(_, counts)| is_in(counts)) else { continue };
        let (values, longest) = layer(table, counts, kind == "orbits");
        assert_eq!(values.map(Some), ["win", "loss", "draw"].map(|key| number_in(&row, key)));
        for (found, key) in longest.map(u64::from).into_iter().zip(["longest_win", "longest_loss"])
        {
            assert_eq!(number_in(&row, key).unwrap_or(found), found, "{row:?}");
        }
        compared += 1;
    }
    compared
}

#[test]
fn movement_layers_of_six_points_have_the_published_values() {
    let table =
        solved("six-mens-morris", &[("each = 6", "each = 4"), ("[mills]", "[mills]\nfly = 3")]);
    assert_eq!(compare(&table, "six-points-4 flying", 4), 4);
}

#[test]
fn orbits_of_nine_mens_morris_with_few_pieces_have_the_published_values() {
    let table = solved("nine-mens-morris", &[("each = 9", "each = 4")]);
    assert_eq!(table.raw().header().symmetries.len(), 16);
    assert_eq!(compare(&table, "nine-mens-morris", 4), 4);
}

#[test]
#[ignore = "long: solves seven men's morris, half a minute"]
fn seven_mens_morris_has_the_published_values() {
    let table = solved("seven-mens-morris", &[]);
    let start = table.probe(table.game().start()).unwrap();
    let known = rows("mills.csv")
        .into_iter()
        .find(|row| row["game"] == "seven-mens-morris" && row["scope"] == "start");
    assert_eq!(start.to_string(), known.unwrap()["win"]);
    assert_eq!(compare(&table, "seven-mens-morris", 7), 1);
}

#[test]
#[ignore = "long: counts the orbits of nine men's morris, five minutes, and solves it in two hours where no table is found"]
fn nine_mens_morris_has_the_published_orbits() {
    let table = large_table("nine-mens-morris");
    assert!(table.probe(table.game().start()).unwrap().draw().is_some());
    let census = orbits::census(&table).unwrap();
    let layers = table.game().graph().layers.iter().zip(&census.layers);
    // The placements are over in the movement positions. The published numbers leave out those in which the side waiting has lost,
    // because it has two pieces.
    let is_counted = |node: &Layer| node.hands == Counts::default() && node.counts.waiter >= 3;
    let layers = layers.filter(|(node, _)| is_counted(node) && !node.ended);
    let mut compared = 0;
    for row in rows("mills.csv").into_iter().filter(|row| row["game"] == "nine-mens-morris") {
        let Some(scope) = row["scope"].strip_prefix("orbits ") else { continue };
        let is_in = |Counts { mover, waiter }: Counts| {
            !scope.contains('-') || scope == format!("{mover}-{waiter}")
        };
        let mut values: Values = [0; 3];
        for (_, layer) in layers.clone().filter(|(node, _)| is_in(node.counts)) {
            values[0] += layer.wins.iter().sum::<u64>();
            values[1] += layer.losses.iter().sum::<u64>();
            values[2] += layer.draws_end + layer.draws_cycle;
            if let Some(longest) = number_in(&row, "longest_loss") {
                assert_eq!(layer.losses.len() as u64, longest + 1);
            }
        }
        assert_eq!(
            values.map(Some),
            ["win", "loss", "draw"].map(|key| number_in(&row, key)),
            "{scope}"
        );
        compared += 1;
    }
    assert_eq!(compared, 1 + 7 * 7);
}
