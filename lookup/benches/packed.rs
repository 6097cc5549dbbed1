//! Cost of an answer from a packed table: microseconds, and packed bytes that are read.
//!
//! `cargo bench -p morpion-lookup --bench packed -- FILE…`; without a file beginner5.morpion.zst of
//! `$MORPION_TABLES` or `tables/`, which `morpion pack beginner5` makes. *Cold* keeps no frame but the last one, so that an answer
//! unpacks what it needs; *warm* keeps all. Each is the median over random positions of the last layer.

use morpion_lookup::{Packed, Position, Source, Table, TableError};
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

fn main() {
    let files: Vec<PathBuf> =
        std::env::args_os().skip(1).filter(|a| a != "--bench").map(PathBuf::from).collect();
    let own = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tables"));
    let folder = std::env::var_os("MORPION_TABLES").map_or(own, PathBuf::from);
    let files = if files.is_empty() { vec![folder.join("beginner5.morpion.zst")] } else { files };
    for file in files {
        match std::fs::metadata(&file) {
            Ok(_) => report(&file),
            Err(error) => println!(
                "{}: {error}; `morpion pack beginner5` makes it, then run again",
                file.display()
            ),
        }
    }
}

/// Bytes in memory that are read as if they were elsewhere, and counted.
struct Counted(Vec<u8>, AtomicU64);

impl Source for Counted {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        self.1.fetch_add(into.len() as u64, Ordering::Relaxed);
        self.0.read_at(offset, into)
    }
}

fn open(file: &PathBuf, cache: usize) -> Table<Packed<Counted>> {
    let bytes = std::fs::read(file).expect("it was read a moment ago");
    let packed = Packed::open(Counted(bytes, AtomicU64::new(0))).expect("a packed table");
    packed.set_cache(cache);
    Table::from_source(packed).expect("a table")
}

fn report(file: &PathBuf) {
    let (cold, warm) = (open(file, 0), open(file, usize::MAX));
    let positions = positions(&cold, 1000);
    println!(
        "{}: {} bytes packed, {} unpacked, {} frames",
        cold.game().name(),
        cold.source().get_ref().size(),
        cold.size(),
        cold.source().frame_count()
    );
    let probe = |table: &Table<_>, position| drop(black_box(table.probe(position)));
    let best = |table: &Table<_>, position| drop(black_box(table.best_move(position)));
    measure("probe, cold", &cold, &positions, probe);
    measure("best, cold", &cold, &positions, best);
    for &position in &positions {
        probe(&warm, position);
        best(&warm, position);
    }
    measure("probe, warm", &warm, &positions, probe);
    measure("best, warm", &warm, &positions, best);
}

/// Prints the median time and the mean of bytes of one answer.
fn measure(
    name: &str,
    table: &Table<Packed<Counted>>,
    positions: &[Position],
    ask: impl Fn(&Table<Packed<Counted>>, Position),
) {
    let counter = &table.source().get_ref().1;
    counter.store(0, Ordering::Relaxed);
    let time = |position: &Position| {
        let start = Instant::now();
        ask(table, *position);
        start.elapsed().as_secs_f64() * 1e6
    };
    let mut times: Vec<f64> = positions.iter().map(time).collect();
    times.sort_by(f64::total_cmp);
    let bytes = counter.load(Ordering::Relaxed) / positions.len() as u64;
    println!("  {name:12} {:8.2} µs {bytes:8} bytes", times[times.len() / 2]);
}

/// Positions of the last layer in which nobody has a line, the same ones in every run.
fn positions(table: &Table<Packed<Counted>>, count: usize) -> Vec<Position> {
    let (game, layer) = (table.game(), *table.raw().header().layers.last().expect("a layer"));
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut set = |within: u64, size: u8| {
        let mut set = 0u64;
        while set.count_ones() < u32::from(size) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            set |= 1u64 << (state % 64) & within;
        }
        set
    };
    let mut positions = Vec::new();
    while positions.len() < count {
        let mover = set(game.board(), layer.counts.mover);
        let waiter = set(game.board() & !mover, layer.counts.waiter);
        if !game.has_line(mover) && !game.has_line(waiter) {
            positions.push(Position { mover, waiter });
        }
    }
    positions
}
