//! Compares every entry of small games that are not plain with the definition of scores, and their numbers with the literature.
//!
//! The reference uses no rows, operators or symmetries: it goes through all positions again and again.

use crate::proof::KEY;
use crate::proof::game;
use morpion_builder::plan::{Bounds, Plan};
use morpion_builder::{Options, build};
use morpion_core::{
    AGED, Counts, DrawKind, Encoding, Game, LayerCensus, Oldest, Position, SHIFT, Score, Stuck,
    Takes, Value, orders, rank::subsets,
};
use morpion_games::catalogue::Table;
use morpion_games::rules::{Mills, rules_of};
use morpion_machine::progress::{Progress, Unobserved};
use morpion_solver::layout::Layout;
use morpion_solver::solve::BLOCK_ROWS;
use morpion_solver::table::{solve, solve_as};
use morpion_verify::{Extent, verify};
use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The words of `pieces` pieces on a board, with every order if they age.
fn words(game: &Game, pieces: u8, hand: u8) -> Vec<u64> {
    let sets = subsets(game.cells().into(), pieces.into());
    let word = |set: u64| match game.has_ages() && set != 0 {
        false => vec![set | u64::from(hand) << SHIFT],
        true => (0..orders(pieces)).map(|order| set | AGED | order << SHIFT).collect(),
    };
    sets.flat_map(word).collect()
}

/// All positions of a game's layers.
fn positions(game: &Game) -> Vec<Position> {
    let mut positions = Vec::new();
    for layer in game.graph().layers.iter().filter(|layer| !layer.ended) {
        let waiters = words(game, layer.counts.waiter, layer.hands.waiter);
        for mover in words(game, layer.counts.mover, layer.hands.mover) {
            let pairs = waiters.iter().map(|&waiter| Position { mover, waiter });
            positions.extend(pairs.filter(|&position| game.check(position).is_ok()));
        }
    }
    positions
}

/// The scores of all positions by their definition.
fn by_definition(game: &Game) -> HashMap<Position, Score> {
    let positions = positions(game);
    let numbers: HashMap<Position, usize> = positions.iter().copied().zip(0..).collect();
    let mut scores: Vec<Option<Score>> = positions
        .iter()
        .map(|&position| game.end_at(position).map(|over| game.final_score(over)))
        .collect();
    // The dictionary has no children in layers that have ended.
    let child = |position: Position| match numbers.get(&position) {
        Some(&number) => Ok(number),
        None => Err(game.final_score(game.end_at(position).unwrap())),
    };
    let children = |(&position, score): (&Position, &Option<Score>)| match score {
        Some(_) => Vec::new(),
        None => game.moves_at(position).map(|mv| child(game.apply(position, mv))).collect(),
    };
    let children: Vec<Vec<Result<usize, Score>>> =
        positions.iter().zip(&scores).map(children).collect();
    let mut decide = |what: &dyn Fn(&[Option<Score>]) -> Option<Score>| {
        let decided: Vec<(usize, Score)> = (0..positions.len())
            .filter(|&number| scores[number].is_none())
            .filter_map(|number| {
                let known =
                    |child: &Result<usize, Score>| child.map_or_else(Some, |child| scores[child]);
                let known: Vec<Option<Score>> = children[number].iter().map(known).collect();
                what(&known).map(|score| (number, score))
            })
            .collect();
        decided.iter().for_each(|&(number, score)| scores[number] = Some(score));
        decided.len()
    };
    let is_won = |child: &Option<Score>| matches!(child, Some(Score::Win { .. }));
    // A pass may decide nothing although a later one does: never here, since a score follows from one a ply nearer.
    for plies in 1.. {
        let decided = decide(&|children| {
            if children.iter().any(|child| matches!(child, Some(Score::Loss { .. }))) {
                Some(Score::Win { plies: Some(plies) })
            } else {
                children.iter().all(is_won).then_some(Score::Loss { plies: Some(plies) })
            }
        });
        if decided == 0 {
            break;
        }
    }
    let ends = Score::Draw { kind: DrawKind::End };
    while decide(&|children| {
        children.iter().all(|child| is_won(child) || *child == Some(ends)).then_some(ends)
    }) > 0
    {}
    decide(&|_| Some(Score::Draw { kind: DrawKind::Cycle }));
    positions.into_iter().zip(scores.into_iter().flatten()).collect()
}

fn ageing(board: &str, each: u8, oldest: Oldest) -> Game {
    game(&format!("{board}\n[pieces]\neach = {each}\n[moves]\noldest = \"{}\"", oldest.name()))
}

fn quixo(size: u8) -> Game {
    game(&format!(
        "[board]\nrows = {size}\ncolumns = {size}\n[lines]\nlength = {size}\n[moves]\nto = \"push\""
    ))
}

/// A game that differs from one in a file by its mills.
fn mills(body: &str, mills: Mills) -> Game {
    let mut rules = rules_of(&game(body)).unwrap();
    rules.mills = Some(mills);
    rules.canonical().unwrap().game(String::new()).unwrap()
}

const THREE: &str = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3";

fn solved(game: &Game) -> Table {
    Table::from_source(solve(game, &Unobserved).unwrap().into()).unwrap()
}

/// Compares every entry with the definition. Returns the numbers of wins, draws that end, draws by cycle and losses.
fn compare(game: &Game) -> [usize; 4] {
    let scores = by_definition(game);
    let mut found = [0; 4];
    for encoding in [Encoding::Plies8, Encoding::Plies16] {
        let bytes = solve_as(game, encoding, &Unobserved).unwrap();
        let table = Table::from_source(&bytes[..]).unwrap();
        for (&position, &score) in &scores {
            assert_eq!(table.probe(position).unwrap(), score, "{position:?} {:?}", game.about());
            let kind = match score {
                Score::Win { .. } => 0,
                Score::Draw { kind: DrawKind::End } => 1,
                Score::Draw { .. } => 2,
                Score::Loss { .. } => 3,
            };
            found[kind] += usize::from(encoding == Encoding::Plies8);
        }
    }
    found
}

#[test]
fn every_entry_is_what_its_definition_says() {
    let square = "[board]\nrows = 3\ncolumns = 3\n[lines]\nsets = [[0, 1, 2], [6, 7, 8], [0, 3, 6], [2, 5, 8]]";
    let ring = "[board]\ncells = 6\n[lines]\nsets = [[0, 2], [1, 3], [2, 4]]";
    let sliding = |each: u8, board: &str| {
        format!(
            "{board}\n[pieces]\neach = {each}\n[moves]\nto = \"edges\"\n\
        edges = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 5]]"
        )
    };
    let king = |each: u8, board: &str, stuck: &str| {
        format!(
            "{board}\n[pieces]\neach = {each}\n[moves]\nto = \"orthogonal\"\nstuck = \"{stuck}\""
        )
    };
    let mut games = vec![quixo(2), quixo(3)];
    for oldest in [Oldest::First, Oldest::BeforeLines, Oldest::AfterLines] {
        games.push(ageing(THREE, 2, oldest));
        games.push(ageing("[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 2", 2, oldest));
        games.push(ageing("[board]\ncells = 7\n[lines]\nsets = [[0, 1, 2], [2, 3, 4]]", 3, oldest));
    }
    for takes in Takes::ALL {
        for mixed in [false, true] {
            let least = if mixed { 2 } else { 3 };
            let rule = |fly, full| {
                let mut rule = Mills::default();
                (rule.takes, rule.least, rule.mixed) = (takes, least, mixed);
                (rule.fly, rule.full) = (fly, full);
                rule
            };
            games.push(mills(&king(3, square, "loss"), rule(0, None)));
            games.push(mills(&king(3, THREE, "draw"), rule(3, None)));
            games.push(mills(&sliding(3, ring), rule(0, Some(Stuck::Draw))));
        }
    }
    let mut found = [0; 4];
    for game in games {
        let counts = compare(&game);
        found.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    assert!(found.iter().all(|&count| count > 100), "{found:?}");
}

fn start(table: &Table) -> (Value, Option<u16>) {
    let score = table.probe(table.game().start().raw).unwrap();
    (score.value(), score.plies())
}

/// The cells with which a game begins well.
fn best(table: &Table) -> Vec<String> {
    let moves = table.ranked_moves(table.game().start().raw).unwrap();
    let mut best: Vec<String> =
        moves.best().iter().map(|ranked| table.game().format_move(ranked.mv)).collect();
    best.sort();
    best
}

#[test]
fn three_marks_that_age_have_the_values_of_the_literature() {
    let before = solved(&ageing(THREE, 3, Oldest::BeforeLines));
    assert_eq!(start(&before), (Value::Win, Some(13)));
    assert_eq!(best(&before), ["a2", "b1", "b3", "c2"]);
    let census = before.raw().census().unwrap();
    let of_layer = |index: usize| {
        let layer = &census.layers[index];
        let sum = |list: &[u64]| list.iter().sum::<u64>();
        [sum(&layer.wins), sum(&layer.losses), layer.draws_end + layer.draws_cycle, layer.none]
    };
    let [.., a, b, c] = [3, 4, 5, 6].map(of_layer);
    assert_eq!(of_layer(3), [260, 128, 116, 0]);
    assert_eq!(
        (a, b, c),
        ([2192, 464, 368, 0], [10288, 3352, 1480, 0], [32904, 16208, 5608, 5760])
    );
    let after = solved(&ageing(THREE, 3, Oldest::AfterLines));
    assert_eq!(start(&after), (Value::Win, Some(9)));
    assert_eq!(best(&after), ["b2"]);
    let census = after.raw().census().unwrap();
    assert!(census.layers.iter().all(|layer| layer.draws_end + layer.draws_cycle == 0));
    let first = solved(&ageing(THREE, 3, Oldest::First));
    assert_eq!(start(&first).0, Value::Draw);
    assert_eq!(best(&first).len(), 9);
}

#[test]
fn quixo_has_the_values_of_the_literature() {
    let three = solved(&quixo(3));
    assert_eq!(start(&three), (Value::Win, Some(7)));
    let census = three.raw().census().unwrap();
    let sum = |list: &[u64]| list.iter().sum::<u64>();
    let values = |layer: &LayerCensus| [sum(&layer.wins), sum(&layer.losses)];
    let [wins, losses] =
        census.layers.iter().map(values).fold([0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
    assert_eq!((wins, losses), (12748, 6935));
    assert_eq!(start(&solved(&quixo(4))), (Value::Win, Some(21)));
}

/// Two rings of eight points, joined at the middles of their sides.
fn two_rings(each: u8, fly: u8) -> Game {
    let ring = |first: u8| (0..8).map(move |point| [first + point, first + (point + 1) % 8]);
    let joined = [1, 3, 5, 7].map(|point| [point, point + 8]);
    let edges: Vec<[u8; 2]> = ring(0).chain(ring(8)).chain(joined).collect();
    let line =
        |first: u8| (0..4).map(move |side| [0, 1, 2].map(|point| first + (2 * side + point) % 8));
    let lines: Vec<[u8; 3]> = line(0).chain(line(8)).collect();
    let body = format!(
        "[board]\ncells = 16\n[lines]\nsets = {lines:?}\n[pieces]\neach = {each}\n[moves]\nto = \"edges\"\nedges = {edges:?}"
    );
    mills(&body, Mills { fly, ..Mills::default() })
}

#[test]
fn mill_games_have_the_values_of_the_literature() {
    let table = solved(&two_rings(4, 3));
    let census = table.raw().census().unwrap();
    for (mover, waiter, expected, longest) in [
        (3, 3, [84296, 3880, 71984], [9, 8]),
        (3, 4, [0, 0, 400400], [0, 0]),
        (4, 3, [46200, 0, 354200], [1, 0]),
        (4, 4, [4440, 874, 895586], [13, 12]),
    ] {
        let position = Position { mover: (1 << mover) - 1, waiter: ((1 << waiter) - 1) << 8 };
        let index = table.game().layer_of(position).unwrap();
        let layer = &census.layers[index];
        let sum = |list: &[u64]| list.iter().sum::<u64>();
        let draws = layer.draws_end + layer.draws_cycle;
        assert_eq!([sum(&layer.wins), sum(&layer.losses), draws], expected, "{mover} {waiter}");
        let longest_of = |list: &[u64]| list.len().saturating_sub(1);
        assert_eq!([&layer.wins, &layer.losses].map(|list| longest_of(list)), longest);
    }
}

#[test]
fn tables_with_several_blocks_are_proved() {
    // Nothing is symmetric, so that layers have many rows on few cells.
    let body = "[board]\nrows = 4\ncolumns = 4\n[lines]\nsets = [[0, 1, 2], [6, 11, 13], [4, 9, 15], [3, 7, 12], [2, 6, 10]]\n\
                [pieces]\neach = 4\n[moves]\nto = \"king\"\nstuck = ";
    for (stuck, rule) in [
        ("loss", "fly = 3"),
        ("pass", "mixed = true\ntakes = \"two-any\""),
        ("draw", "least = 2\ntakes = \"two-outside\""),
    ] {
        let table = solved(&game(&format!("{body}\"{stuck}\"\n[mills]\n{rule}")));
        let largest = table.raw().header().layers.iter().map(|layer| layer.rows).max();
        assert!(largest.unwrap() > 3 * BLOCK_ROWS as u64);
        let report = verify(&table, Extent::Whole, KEY, &Unobserved).unwrap();
        assert!(report.is_right(), "{report:?}");
    }
}

/// Requests a stop at the beginning of a group, or after some distances.
struct StopAt {
    groups: AtomicUsize,
    at: usize,
    distances: AtomicUsize,
    last: usize,
    /// The entries that were left at the beginning.
    left: OnceLock<u64>,
}

impl StopAt {
    fn new(at: usize, last: usize) -> StopAt {
        let [groups, distances] = [0, 0].map(AtomicUsize::new);
        StopAt { groups, at, distances, last, left: OnceLock::new() }
    }
}

impl Progress for StopAt {
    fn whole(&self, entries: u64) {
        self.left.get_or_init(|| entries);
    }

    fn layer(&self, _: Counts, _: u64) {
        self.groups.fetch_add(1, Ordering::Relaxed);
    }

    fn distance(&self, _: u16) {
        self.distances.fetch_add(1, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.groups.load(Ordering::Relaxed) > self.at
            || self.distances.load(Ordering::Relaxed) > self.last
    }
}

#[test]
fn a_build_stopped_after_any_group_resumes() {
    let sliding = format!("{THREE}\n[pieces]\neach = 3\n[moves]\nto = \"orthogonal\"");
    for game in [ageing(THREE, 2, Oldest::AfterLines), mills(&sliding, Mills::default()), quixo(2)]
    {
        let expected = solve(&game, &Unobserved).unwrap();
        let entries = Layout::new(&game, None, &Unobserved).unwrap().entries();
        for at in [1, 2, 5] {
            let folder = tempfile::tempdir().unwrap();
            let options = Options { checkpoint: Duration::ZERO, ..Options::default() };
            let [stop, rest] = [at, usize::MAX].map(|at| StopAt::new(at, usize::MAX));
            let stopped = build(&game, folder.path(), &options, &stop);
            assert!(stopped.unwrap_err().is_stop());
            let built = build(&game, folder.path(), &options, &rest).unwrap();
            assert_eq!(std::fs::read(built.file).unwrap(), expected);
            // The last layers may have ended, so that they have no entries.
            let left = *rest.left.get().unwrap();
            assert!(left < entries || at < 5, "{left} {entries} {at}");
        }
    }
}

#[test]
fn a_build_with_its_rows_in_files_resumes() {
    let board = "[board]\nrows = 3\ncolumns = 6\n[lines]\nlength = 3";
    let sliding = format!("{board}\n[pieces]\neach = 4\n[moves]\nto = \"orthogonal\"");
    let game = mills(&sliding, Mills::default());
    let plan = Plan::of(&Layout::new(&game, None, &Unobserved).unwrap());
    let Bounds { memory, least_memory, .. } = plan.wide.unwrap_or(plan.bounds);
    assert!(least_memory < memory, "{least_memory} {memory}");
    let expected = solve(&game, &Unobserved).unwrap();
    // The first groups are solved in files, and the others in files or in memory. The build is stopped between groups, and inside one.
    for (most, at, last) in
        [(None, 5, usize::MAX), (Some(least_memory), usize::MAX, 9), (None, usize::MAX, 75)]
    {
        let folder = tempfile::tempdir().unwrap();
        let [begun, rest] = [Some(least_memory), most].map(|memory| Options {
            checkpoint: Duration::ZERO,
            memory,
            ..Options::default()
        });
        let stop = StopAt::new(at, last);
        let stopped = build(&game, folder.path(), &begun, &stop);
        assert!(stopped.unwrap_err().is_stop());
        let built = build(&game, folder.path(), &rest, &Unobserved).unwrap();
        assert!(std::fs::read(built.file).unwrap() == expected, "{most:?} {at} {last}");
    }
}

#[test]
fn builds_that_groups_do_not_support_are_refused() {
    let game = quixo(3);
    let values = Layout::new(&game, Some(Encoding::Wdl), &Unobserved).unwrap_err().to_string();
    assert!(values.contains("is solved with distances"), "{values}");
    let folder = tempfile::tempdir().unwrap();
    let options = Options { memory: Some(1 << 20), ..Options::default() };
    let refused = build(&game, folder.path(), &options, &Unobserved).unwrap_err().to_string();
    assert!(refused.contains(" of memory, but at most 1.00 MiB may be used"), "{refused}");
}
