//! What solving costs: entries per second of each phase, the two operators against each other in the same run, and how
//! far the transposition is from reading memory at random.
//!
//! `cargo bench -p morpion-solver --bench solver`

use morpion_games::catalogue::standard_game;
use morpion_games::progress::Unobserved;
use morpion_lookup::Counts;
use morpion_lookup::raw::Encoding;
use morpion_machine::usage::usage;
use morpion_solver::layout::Layout;
use morpion_solver::sets::FoldedSets;
use morpion_solver::solve::movement::{MovementLayer, Stage};
use morpion_solver::solve::operator::Operator;
use morpion_solver::solve::{placement, values as two_bits};
use std::hint::black_box;
use std::time::Instant;

/// What one piece of work took.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    cpu_seconds: f64,
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (began, before) = (Instant::now(), usage());
    let done = black_box(work());
    let cpu_seconds = usage().cpu_seconds - before.cpu_seconds;
    (done, Cost { seconds: began.elapsed().as_secs_f64(), cpu_seconds })
}

fn report(what: &str, entries: u64, cost: Cost) {
    println!(
        "{what:<44} {entries:>13} entries {:>8.2} M/s {:>8.2} M/CPU s {:>7.2} ns CPU an entry",
        entries as f64 / cost.seconds / 1e6,
        entries as f64 / cost.cpu_seconds / 1e6,
        cost.cpu_seconds / entries as f64 * 1e9
    );
}

fn solve(layer: &mut MovementLayer<u8>) {
    while layer.stage() != Stage::Done {
        layer.step(&Unobserved).expect("nobody stops the benchmark");
    }
}

fn movement(name: &str, operators: &[Operator]) {
    let game = standard_game(name).expect("a standard game");
    let layout = Layout::new(&game, Some(Encoding::Plies8), &Unobserved).expect("it fits");
    let (sets, cost) = timed(|| FoldedSets::fold(&layout, &Unobserved).expect("it fits"));
    let maps = &layout.header().maps;
    let folded: usize = maps.iter().map(|map| sets.orbits(map.size).map.len()).sum();
    report(&format!("{name}: fold sets into rows"), folded as u64, cost);
    let layers = game.layers();
    let last = *layers.last().expect("a game has layers");
    let entries = layout.header().layers.last().map_or(0, |layer| layer.entries());
    let mut costs = Vec::new();
    let mut codes = Vec::new();
    for &operator in operators {
        let (layer, cost) = timed(|| {
            let mut layer = MovementLayer::<u8>::new(&sets, last, operator);
            solve(&mut layer);
            layer
        });
        report(&format!("{name}: movement, {operator:?}"), entries, cost);
        costs.push(cost.cpu_seconds);
        codes = layer.into_codes();
    }
    let before: Counts = layers[layers.len() - 2];
    let placed = layout.header().layers[layers.len() - 2].entries();
    for &operator in operators {
        let children = codes.clone();
        let (_, cost) = timed(|| placement::solve(&sets, before, children, operator, &Unobserved));
        report(&format!("{name}: placement with distances, {operator:?}"), placed, cost);
        costs.push(cost.cpu_seconds);
    }
    if let [row, sliced, row_placed, sliced_placed] = costs[..] {
        println!(
            "{name}: the sliced operator is {:.1} times the plain one in the movement layer, {:.1} times in placement (transposition included)",
            row / sliced,
            row_placed / sliced_placed
        );
    }
}

fn values(name: &str) {
    let game = standard_game(name).expect("a standard game");
    let layout = Layout::new(&game, Some(Encoding::Wdl), &Unobserved).expect("it fits");
    let sets = FoldedSets::fold(&layout, &Unobserved).expect("it fits");
    let (mut total, mut children) = (0, None::<Vec<u8>>);
    let (_, cost) = timed(|| {
        for (&counts, layer) in game.layers().iter().zip(&layout.header().layers).rev() {
            let packed = match children.take() {
                None => two_bits::last(&sets, counts),
                Some(children) => {
                    two_bits::solve(&sets, counts, &children, Operator::Sliced, &Unobserved)
                        .expect("nobody stops the benchmark")
                }
            };
            total += layer.entries();
            children = Some(packed);
        }
    });
    report(&format!("{name}: placement, values alone"), total, cost);
}

/// The floor of the transposition: independent reads of bytes at random places, as many as an array of the size of a layer.
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
    // Arguments are ignored: cargo bench passes --bench.
    movement("beginner4", &[Operator::Row, Operator::Sliced]);
    movement("teeko", &[Operator::Row, Operator::Sliced]);
    movement("beginner5", &[Operator::Sliced]);
    values("classic5x4k4");
    random_reads(13 << 20);
    random_reads(104 << 20);
    random_reads(800 << 20);
}
