//! Benchmarks solving: entries per second over all layers, compared with reading memory at random.
//!
//! `cargo bench -p morpion-builder --bench solver`

use morpion_builder::usage::{Cost, Meter};
use morpion_core::Encoding;
use morpion_games::catalogue::standard_game;
use morpion_machine::progress::Unobserved;
use morpion_solver::layout::lay_out;
use morpion_solver::sets::FoldedSets;
use morpion_solver::table;
use std::hint::black_box;

fn timed<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let meter = Meter::start();
    let done = black_box(work());
    (done, meter.cost())
}

fn report(what: &str, entries: u64, cost: Cost) {
    println!(
        "{what:<44} {entries:>13} entries {:>8.2} M/s {:>8.2} M/CPU s {:>7.2} ns CPU an entry",
        entries as f64 / cost.seconds / 1e6,
        entries as f64 / cost.cpu_seconds / 1e6,
        cost.cpu_seconds / entries as f64 * 1e9
    );
}

/// Folds the sets of a game, and solves all of its layers in memory.
fn solve(name: &str, encoding: Encoding) {
    let game = standard_game(name).expect("a standard game");
    let layout = lay_out(&game, Some(encoding), &Unobserved).expect("it fits");
    let (sets, cost) = timed(|| FoldedSets::fold(&layout, &Unobserved).expect("it fits"));
    let maps = &layout.maps;
    let folded: usize = maps.iter().map(|map| sets.orbits(map.size).map.len()).sum();
    report(&format!("{name}: fold sets into rows"), folded as u64, cost);
    let (_, cost) = timed(|| table::solve_layout(&layout, &Unobserved).expect("nobody stops it"));
    report(&format!("{name}: {}", encoding.name()), layout.entries(), cost);
}

/// Measures a lower bound for the transposition: independent reads of single bytes at random places, in an array as
/// large as a layer.
fn random_reads(bytes: usize) {
    let array = morpion_machine::memory::filled(bytes, 1u8);
    let mut at = 1u64;
    let reads = 50_000_000u64;
    let (_, cost) = timed(|| {
        let mut sum = 0u64;
        for _ in 0..reads {
            at = at.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            sum += u64::from(array[(at >> 20) as usize % bytes]);
        }
        sum
    });
    report(&format!("random reads of {} MiB, one thread", bytes >> 20), reads, cost);
}

fn main() {
    // Arguments are ignored, since cargo bench passes --bench.
    for name in ["beginner4", "teeko", "beginner5"] {
        solve(name, Encoding::Plies8);
    }
    solve("classic5x4k4", Encoding::Wdl);
    random_reads(13 << 20);
    random_reads(104 << 20);
    random_reads(800 << 20);
}
