//! Compares the numbers of games that are not plain with the literature, and resumes their builds.

use crate::proof::KEY;
use crate::proof::game;
use morpion_builder::plan::{Bounds, Plan};
use morpion_builder::{Options, build};
use morpion_core::{Counts, Encoding, Game, LayerCensus, Oldest, Position, Value};
use morpion_games::catalogue::Table;
use morpion_machine::progress::{Progress, Unobserved};
use morpion_solver::layout::lay_out;
use morpion_solver::solve::BLOCK_ROWS;
use morpion_solver::table::solve;
use morpion_verify::verify;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn ageing(board: &str, each: u8, oldest: Oldest) -> Game {
    game(&format!("{board}\n[pieces]\neach = {each}\n[moves]\noldest = \"{}\"", oldest.name()))
}

fn quixo(size: u8) -> Game {
    game(&format!(
        "[board]\nrows = {size}\ncolumns = {size}\n[lines]\nlength = {size}\n[moves]\nto = \"push\""
    ))
}

/// A game whose lines take, and in which a side with `fly` pieces flies.
fn mills(body: &str, fly: u8) -> Game {
    game(&format!("{body}\n[mills]\nfly = {fly}"))
}

const THREE: &str = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3";

fn solved(game: &Game) -> Table {
    Table::from_source(solve(game, &Unobserved).unwrap().into()).unwrap()
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
    mills(&body, fly)
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
        let report = verify(&table, KEY, &Unobserved).unwrap();
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
    for game in [ageing(THREE, 2, Oldest::AfterLines), mills(&sliding, 0), quixo(2)] {
        let expected = solve(&game, &Unobserved).unwrap();
        let entries = lay_out(&game, None, &Unobserved).unwrap().entries();
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
    let game = mills(&sliding, 0);
    let plan = Plan::of(&lay_out(&game, None, &Unobserved).unwrap());
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
    let values = lay_out(&game, Some(Encoding::Wdl), &Unobserved).unwrap_err().to_string();
    assert!(values.contains("is solved with distances"), "{values}");
    let folder = tempfile::tempdir().unwrap();
    let options = Options { memory: Some(1 << 20), ..Options::default() };
    let refused = build(&game, folder.path(), &options, &Unobserved).unwrap_err().to_string();
    assert!(refused.contains(" of memory, but at most 1.00 MiB may be used"), "{refused}");
}
