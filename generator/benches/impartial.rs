//! Octal games: this solver against the plain definition and against the crate `ogs`, each the processor time of one thread in one run.
//!
//! `cargo bench -p morpion-generator --bench impartial [-- CODE...]`. The definition alone takes minutes at this size, so it is timed at a quarter of the heaps
//! and its time multiplied by 16 (its work grows with the square); the plain way with vector instructions is timed in full.

use morpion_generator::impartial::moves::Moves;
use morpion_generator::impartial::plain;
use morpion_generator::impartial::solver::{Task, Way, solve};
use morpion_generator::usage::usage;
use ogs::{RC2Solver, RCSolver, Solver};

const CODES: [&str; 5] = ["0.007", "0.6", "0.77", "0.16", "0.106"];
const HEAPS: usize = 1 << 18;
const LEAST_SECONDS: f64 = 0.2;

/// Processor seconds of one call, over as many calls as make a good measure.
fn seconds<T>(mut work: impl FnMut() -> T) -> f64 {
    let before = usage().cpu_seconds;
    for calls in 1.. {
        std::hint::black_box(work());
        let spent = usage().cpu_seconds - before;
        if spent > LEAST_SECONDS {
            return spent / f64::from(calls);
        }
    }
    unreachable!()
}

fn ogs<S: Solver>(code: &str, heaps: usize) -> (f64, Vec<u16>)
where
    S::Stats: Default,
{
    let mut values = Vec::new();
    let time = seconds(|| {
        let game = code.parse().expect("a code");
        let mut solver = S::with_capacity(game, heaps + 1);
        while solver.nimbers().len() <= heaps {
            solver.next();
        }
        values = solver.nimbers().to_vec();
    });
    (time, values)
}

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let codes: Vec<&str> =
        if named.is_empty() { CODES.to_vec() } else { named.iter().map(String::as_str).collect() };
    println!("CPU seconds to heap {HEAPS}, and how many times as long as ours");
    println!(
        "{:<8}{:>9}{:>10}{:>8}{:>10}{:>8}{:>10}{:>8}{:>12}{:>9}",
        "code", "ours", "ogs rc", "×", "ogs rc2", "×", "vector", "×", "definition", "×"
    );
    for code in codes {
        let moves = Moves::new(&code.parse().expect("a code")).expect("a finite code");
        let task = |way| Task { last: HEAPS, until_period: false, way };
        let mut values = None;
        let ours = seconds(|| values = Some(solve(&moves, task(Way::Best), |_| ()).values));
        let (rc, theirs) = ogs::<RCSolver<true, ()>>(code, HEAPS);
        let (rc2, _) = ogs::<RC2Solver<true, ()>>(code, HEAPS);
        let vector = seconds(|| solve(&moves, task(Way::Vector), |_| ()));
        let definition = 16.0 * seconds(|| plain::values(&moves, HEAPS / 4));
        let values = values.expect("solved");
        assert!(
            theirs.iter().take(HEAPS + 1).zip(values.iter()).all(|(a, b)| u32::from(*a) == b),
            "{code}"
        );
        println!(
            "{code:<8}{ours:>9.3}{rc:>10.3}{:>8.1}{rc2:>10.3}{:>8.1}{vector:>10.3}{:>8.1}{definition:>12.1}{:>9.0}",
            rc / ours,
            rc2 / ours,
            vector / ours,
            definition / ours
        );
    }
}
