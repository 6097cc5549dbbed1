//! Compares mill games and pushes with published numbers: `facts/mills.csv` and `facts/pushes.csv`.

use morpion_games::rules;
use morpion_lookup::raw::rank::{expand, subsets};
use morpion_lookup::raw::{Encoding, Position};
use morpion_lookup::{Counts, Game, Packed, Score, Table, Value};
use morpion_machine::progress::Unobserved;
use morpion_solver::build::table::solve_as;

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

fn counts(mover: u8, waiter: u8) -> Counts {
    Counts { mover, waiter }
}

#[test]
fn movement_layers_of_six_points_have_the_published_values() {
    let table =
        solved("six-mens-morris", &[("each = 6", "each = 4"), ("[mills]", "[mills]\nfly = 3")]);
    for (pieces, values, longest) in [
        (counts(3, 3), [84_296, 3_880, 71_984], [9, 8]),
        (counts(3, 4), [0, 0, 400_400], [0, 0]),
        (counts(4, 3), [46_200, 0, 354_200], [1, 0]),
        (counts(4, 4), [4_440, 874, 895_586], [13, 12]),
    ] {
        assert_eq!(layer(&table, pieces, false), (values, longest), "{pieces:?}");
    }
}

#[test]
fn orbits_of_nine_mens_morris_with_few_pieces_have_the_published_values() {
    let table = solved("nine-mens-morris", &[("each = 9", "each = 4")]);
    assert_eq!(table.raw().header().symmetries.len(), 16);
    let (values, longest) = layer(&table, counts(3, 3), true);
    assert_eq!((values, longest[1]), ([140_621, 28_736, 269], 26));
    assert_eq!(layer(&table, counts(4, 4), true).0, [159, 29, 3_225_409]);
}

#[test]
#[ignore = "long: solves seven men's morris, half a minute"]
fn seven_mens_morris_has_the_published_values() {
    let table = solved("seven-mens-morris", &[]);
    let start = table.probe(table.game().start()).unwrap();
    assert_eq!((start.value(), start.plies()), (Value::Win, Some(39)));
    let expected = ([1_561_692, 713_636, 58_432], [69, 68]);
    assert_eq!(layer(&table, counts(7, 7), false), expected);
}

#[test]
fn quixo_on_sixteen_cells_is_won_in_21() {
    let packed = Packed::open(morpion_tables::packed("quixo4").unwrap()).unwrap();
    let table = Table::from_source(packed).unwrap();
    let start = table.probe(table.game().start()).unwrap();
    assert_eq!((start.value(), start.plies()), (Value::Win, Some(21)));
}
