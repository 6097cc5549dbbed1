//! Tables of values alone, written from tables with distances.

use crate::proof::KEY;
use crate::proof::game;
use morpion_core::{DrawKind, Encoding, Game, Score, Source, Value};
use morpion_games::catalogue::{Table, standard};
use morpion_games::reach::walk::arrangements;
use morpion_lookup::Bytes;
use morpion_machine::progress::Unobserved;
use morpion_solver::table::{solve, solve_as};
use morpion_solver::values::{Values, ValuesError};
use morpion_verify::{Part, Unfinished, verify, verify_checksums, verify_part, verify_sample};

fn open(bytes: Vec<u8>) -> Table {
    Table::from_source(bytes.into()).unwrap()
}

fn solved(game: &Game, encoding: Encoding) -> Table {
    open(solve_as(game, encoding, &Unobserved).unwrap())
}

/// Writes the values on this number of threads.
fn written(table: &Table, threads: usize) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| Values::of(table).unwrap().write(Vec::new(), &Unobserved).unwrap())
}

fn values(table: &Table) -> Table {
    open(written(table, 2))
}

/// The value and the kind of draw of an entry.
fn value(
    table: &Table,
    (layer, row, column): (usize, u64, u64),
) -> Option<(Value, Option<DrawKind>)> {
    let code = table.raw().code(layer, row, column).unwrap();
    let score: Option<Score> = table.raw().header().encoding.decode(code);
    score.map(|score| (score.value(), score.draw()))
}

/// Games that are solved in a moment, of every kind of rules.
fn small() -> impl Iterator<Item = Game> {
    standard().filter(|game| arrangements(game) < 300_000)
}

#[test]
fn values_equal_those_of_the_table_with_distances() {
    let mut cyclic = 0;
    for game in small() {
        let table = open(solve(&game, &Unobserved).unwrap());
        let values = values(&table);
        values.check_sums().unwrap();
        assert!(!values.has_distances() && values.ends_wins() != game.graph().has_cycles());
        cyclic += u32::from(game.graph().has_cycles());
        for (layer, section) in table.raw().header().layers.iter().enumerate() {
            for key in 0..section.entries() {
                let entry = (layer, key / section.columns, key % section.columns);
                assert_eq!(value(&values, entry), value(&table, entry), "{entry:?} of {table:?}");
            }
        }
        let [old, new] = [&table, &values].map(|table| table.raw().census().unwrap());
        for (old, new) in old.layers.iter().zip(&new.layers) {
            let sums = [&old.wins, &old.losses].map(|counts| vec![counts.iter().sum::<u64>()]);
            assert_eq!([&new.wins, &new.losses], [&sums[0], &sums[1]]);
            assert_eq!((new.none, new.draws_end), (old.none, old.draws_end));
            assert_eq!(new.draws_cycle, old.draws_cycle);
        }
        assert_eq!((new.longest_win, new.longest_loss), (None, None));
    }
    assert!(cyclic > 10, "{cyclic}");
}

#[test]
fn values_depend_on_neither_threads_nor_the_width_of_the_entries() {
    for game in small() {
        let [narrow, wide] =
            [Encoding::Plies8, Encoding::Plies16].map(|encoding| solved(&game, encoding));
        let expected = written(&narrow, 1);
        assert_eq!(Values::of(&narrow).unwrap().size().unwrap(), expected.len() as u64);
        assert!(written(&narrow, 2) == expected && written(&wide, 3) == expected, "{narrow:?}");
    }
}

#[test]
fn values_of_placement_games_equal_solved_ones() {
    for game in small().filter(|game| !game.graph().has_cycles()) {
        let table = solved(&game, Encoding::Plies8);
        assert!(written(&table, 2) == solve_as(&game, Encoding::Wdl, &Unobserved).unwrap());
        let report = verify(&values(&table), KEY, &Unobserved).unwrap();
        assert!(report.is_right(), "{report:?}");
    }
}

/// A game in which a blocked side draws.
const BLOCKED_DRAWS: &str = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 4\n\
    [moves]\nto = \"orthogonal\"\nstuck = \"draw\"";

#[test]
fn draws_that_end_beside_cycles_are_refused() {
    let table = solved(&game(BLOCKED_DRAWS), Encoding::Plies8);
    let census = table.raw().census().unwrap();
    let ends: u64 = census.layers.iter().map(|layer| layer.draws_end).sum();
    let refused = Values::of(&table).err().unwrap();
    assert!(ends > 0 && matches!(refused, ValuesError::Ends(found) if found == ends), "{refused}");
    let again = values(&open(solve(&small().next().unwrap(), &Unobserved).unwrap()));
    assert!(matches!(Values::of(&again), Err(ValuesError::NoDistances)));
}

#[test]
fn an_entry_that_contradicts_the_census_is_refused() {
    let swap = Table::builtin("swap").unwrap();
    let mut bytes = swap.source().in_memory().unwrap().to_vec();
    // A draw that ends, of which the census has none.
    bytes[swap.raw().header().layers[6].offset as usize] = 127;
    let damaged = open(bytes);
    let error = Values::of(&damaged).unwrap().write(Vec::new(), &Unobserved).unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
    assert_eq!(verify_checksums(&damaged, &Unobserved).unwrap().len(), 1);
}

#[test]
fn values_of_a_game_with_cycles_are_checked_but_not_proved() {
    let values = written(&Table::builtin("tapatan").unwrap(), 1);
    let table = open(values.clone());
    let proof = |table: &Table| verify(table, KEY, &Unobserved);
    assert!(matches!(proof(&table), Err(Unfinished::NoDistances)));
    let part = verify_part(&table, Part::WHOLE, "00".repeat(32).parse().unwrap(), &Unobserved);
    assert!(matches!(part, Err(Unfinished::NoDistances)));
    let sample = |table: &Table| verify_sample(table, 1000, 1, &Unobserved).unwrap();
    assert!(sample(&table).is_right());
    let header = table.raw().header();
    for offset in [header.maps[1].offset, header.layers[4].offset, header.census + 9] {
        let mut damaged = values.clone();
        damaged[offset as usize] ^= 1;
        let report = proof(&open(damaged)).unwrap();
        assert_eq!(report.first[0].at, "checksums");
    }
    // A sample finds a wrong value.
    let mut wrong = values;
    let start = header.layers.last().unwrap();
    wrong[start.offset as usize..][..start.bytes as usize].fill(0b0101_0101);
    assert!(sample(&open(wrong)).faults > 0);
}

#[test]
fn values_are_not_solved_without_distances() {
    let [tapatan, classic] =
        ["tapatan", "classic"].map(|name| Table::builtin(name).unwrap().game().clone());
    for (game, encoding) in
        [(&tapatan, Encoding::Wdl), (&tapatan, Encoding::WdlCycle), (&classic, Encoding::WdlCycle)]
    {
        assert!(solve_as(game, encoding, &Unobserved).is_err());
    }
}

#[test]
fn packed_tables_have_the_same_values() {
    for name in ["five-mens-morris", "disappearing-4"] {
        let packed = morpion_lookup::Packed::open(shipped(name)).unwrap();
        let mut bytes = vec![0; packed.size() as usize];
        packed.read_at(0, &mut bytes).unwrap();
        let table = Table::from_source(Bytes::detect(shipped(name).into()).unwrap()).unwrap();
        assert!(
            table.source().packed().is_some() && written(&table, 2) == written(&open(bytes), 1)
        );
    }
}

/// The bytes of a shipped packed table.
fn shipped(name: &str) -> Vec<u8> {
    let file = format!("{}/../../tables/{name}.morpion.zst", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(file).unwrap()
}
