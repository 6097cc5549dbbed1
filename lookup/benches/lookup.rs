//! Cost of an answer: nanoseconds, and instructions if valgrind is installed.
//!
//! `cargo bench -p morpion-lookup`. Looks for tables in `$MORPION_TABLES` and in `tables/`; missing tables are
//! named and left out (`morpion build beginner5 --out tables` makes the large one). `cargo bench -p morpion-lookup -- classic`
//! measures one game. Instructions are counted by callgrind in a second run of this program and repeat from run to run;
//! nanoseconds are the best of several rounds and do not.

use morpion_lookup::{Move, Position, Score, Source, Table, Value};
use std::collections::HashMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

const GAMES: [&str; 2] = ["classic", "beginner5"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--count", game, measure] => count(game, measure),
        [] => GAMES.iter().for_each(|game| report(game)),
        ref games => games.iter().for_each(|game| report(game)),
    }
}

/// Path of the table of a game, if it is found.
fn find(game: &str) -> Option<PathBuf> {
    let own = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tables"));
    let packaged = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/tables"));
    let given = std::env::var_os("MORPION_TABLES").map(PathBuf::from);
    given
        .into_iter()
        .chain([own, packaged])
        .map(|folder| folder.join(format!("{game}.morpion")))
        .find(|path| path.exists())
}

fn open(path: &PathBuf) -> Table {
    // SAFETY: nobody changes the table during the measurement; builders rename a new file over the old one.
    unsafe { Table::map(path) }.expect("the table opens")
}

/// Numbers that look random, the same ones in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A set of `size` of the cells of `within`.
    fn set(&mut self, within: u64, size: u8) -> u64 {
        let mut set = 0u64;
        while set.count_ones() < u32::from(size) {
            set |= 1u64 << (self.next() % 64) & within;
        }
        set
    }
}

/// Positions in which nobody has a line: of all layers in turn, or of the last one if the game continues by moving pieces.
fn positions(table: &Table, count: usize) -> Vec<Position> {
    let game = table.game();
    let layers = &table.raw().header().layers;
    let layers = if game.graph().has_cycles() { &layers[layers.len() - 1..] } else { layers };
    let mut random = Random(1);
    let mut positions = Vec::new();
    while positions.len() < count {
        let layer = &layers[(random.next() % layers.len() as u64) as usize];
        let mover = random.set(game.board(), layer.counts.mover);
        let waiter = random.set(game.board() & !mover, layer.counts.waiter);
        if !game.has_line(mover) && !game.has_line(waiter) {
            positions.push(Position { mover, waiter });
        }
    }
    positions
}

#[inline(never)]
fn counted_probe(table: &Table, positions: &[Position]) -> u64 {
    positions.iter().map(|&position| u64::from(black_box(table.probe(position)).is_ok())).sum()
}

#[inline(never)]
fn counted_best(table: &Table, positions: &[Position]) -> u64 {
    positions.iter().map(|&position| u64::from(black_box(table.best_move(position)).is_ok())).sum()
}

#[inline(never)]
fn counted_moves(table: &Table, positions: &[Position]) -> u64 {
    let moves = |position| table.ranked_moves(position).map_or(0, |moves| moves.len());
    positions.iter().map(|&position| moves(position) as u64).sum()
}

#[inline(never)]
fn counted_batch(table: &Table, positions: &[Position]) -> u64 {
    let mut answers = Vec::new();
    let mut sum = 0;
    for positions in positions.chunks(256) {
        table.probe_many(positions, &mut answers).expect("a table in memory");
        sum += answers.iter().filter(|answer| black_box(answer).is_ok()).count() as u64;
    }
    sum
}

#[inline(never)]
fn counted_open(bytes: &[u8], times: usize) -> u64 {
    (0..times).map(|_| Table::from_source(black_box(bytes)).map_or(0, |_| 1)).sum()
}

/// Reads bytes of the file one after the other. The byte that was read last decides where the next read is.
fn dependent_reads(bytes: &[u8], times: usize) -> u64 {
    let (mut random, mut last) = (Random(7), 0);
    for _ in 0..times {
        random.0 ^= last;
        last = u64::from(bytes[(random.next() % bytes.len() as u64) as usize]);
    }
    last
}

/// The least time a piece over several rounds, in nanoseconds.
fn time(pieces: usize, mut work: impl FnMut() -> u64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        black_box(work());
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9 / pieces as f64
}

type Measure = fn(&Table, &[Position]) -> u64;

const MEASURES: [(&str, Measure); 4] = [
    ("probe", counted_probe),
    ("best", counted_best),
    ("moves", counted_moves),
    ("batch", counted_batch),
];

fn report(game: &str) {
    let Some(path) = find(game) else {
        println!("{game}: no table; `morpion build {game} --out tables` makes it, then run again");
        return;
    };
    let table = open(&path);
    let bytes = table.source().in_memory().unwrap();
    let pages = bytes.iter().step_by(4096).fold(0u64, |sum, &byte| sum + u64::from(byte));
    black_box(pages);
    let positions = positions(&table, if bytes.len() > 1 << 24 { 1 << 19 } else { 1 << 13 });
    println!("{game}: {} bytes, {} random positions", bytes.len(), positions.len());
    let floor = time(1 << 20, || dependent_reads(bytes, 1 << 20));
    let line = |name: &str, nanoseconds: f64, instructions: Option<f64>| {
        let instructions = instructions
            .map_or("          (no valgrind)".into(), |n| format!("{n:9.0} instructions"));
        println!(
            "  {name:8}{nanoseconds:12.1} ns {instructions} {:8.1} reads",
            nanoseconds / floor
        );
    };
    line("open", time(1000, || counted_open(bytes, 1000)), instructions(game, "open"));
    for (name, measure) in MEASURES {
        let nanoseconds = time(positions.len(), || measure(&table, &positions));
        line(name, nanoseconds, instructions(game, name));
    }
    println!("  {:8}{floor:12.1} ns (a dependent random read of the file)", "read");
    let cyclic = table.game().graph().has_cycles();
    let (sample, depth) = if cyclic { (&positions[..20], 3) } else { (&positions[..200], 99) };
    let searched = time(sample.len(), || {
        let decided =
            sample.iter().map(|&position| search(&table, position, depth, &mut HashMap::new()));
        decided.filter(|value| *value != Value::Draw).count() as u64
    });
    let limit = if cyclic { ", 3 plies only, which proves little" } else { "" };
    println!("  {:8}{searched:12.1} ns (a plain memoised search{limit})", "search");
}

/// The search of a program without a table: all moves, each position once. Beyond `depth` plies it says draw.
fn search(
    table: &Table,
    position: Position,
    depth: u32,
    known: &mut HashMap<(Position, u32), Value>,
) -> Value {
    if let Some(&value) = known.get(&(position, depth)) {
        return value;
    }
    let game = table.game();
    let value = match game.end_at(position) {
        Some(over) => game.final_score(over).value(),
        None if depth == 0 => Value::Draw,
        None => {
            let after = |mv: Move| {
                search(table, table.game().apply(position, mv), depth - 1, known).reversed()
            };
            game.moves_at(position)
                .map(after)
                .min_by_key(|value| *value as u8)
                .unwrap_or(Value::Draw)
        }
    };
    known.insert((position, depth), value);
    value
}

/// Number of pieces of work that callgrind counts.
const COUNTED: usize = 2000;

/// The work of one measure, alone between the functions that callgrind is given.
fn count(game: &str, measure: &str) {
    let table = open(&find(game).expect("the table was there a moment ago"));
    let positions = positions(&table, COUNTED);
    let sum = match MEASURES.iter().find(|(name, _)| *name == measure) {
        Some((_, work)) => work(&table, &positions),
        None => counted_open(table.source().in_memory().unwrap(), COUNTED),
    };
    println!("{:?}", black_box(Score::Win { plies: Some(sum as u16) }));
}

/// Instructions a piece of work, or `None` without valgrind.
fn instructions(game: &str, measure: &str) -> Option<f64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(format!("--toggle-collect=*counted_{measure}*"))
        .arg(std::env::current_exe().ok()?)
        .args(["--count", game, measure])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = text.lines().find_map(|line| line.split_once("Collected :"))?.1;
    Some(collected.trim().parse::<f64>().ok()? / COUNTED as f64)
}
