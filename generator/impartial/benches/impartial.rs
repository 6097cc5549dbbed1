//! Compares the octal solver with the definition and with the crate `ogs`, by the time of one thread.
//!
//! Usage: `cargo bench -p morpion-impartial --bench impartial [-- CODE...]`. `ogs` has two solvers, and the one that is
//! faster at an eighth of the heaps is used. Four runs take turns: our solver for all heaps, our solver until a period
//! is proved, `ogs`, and all splits with vector instructions. The figures are medians. The definition alone takes
//! minutes at this size, and its work grows with the square. So it is timed once at an eighth of the heaps, and its
//! time is multiplied by 64.

use morpion_impartial::octal::{Moves, Task, definition, solve};
use morpion_machine::progress::Unobserved;
use ogs::{RC2Solver, RCSolver, Solver};
use std::time::Instant;

const CODES: [&str; 5] = ["0.007", "0.6", "0.77", "0.16", "0.106"];
const HEAPS: usize = 1 << 18;
/// Turns of each solver. There are fewer if they take longer than [`ENOUGH`] seconds together.
const TURNS: usize = 7;
const ENOUGH: f64 = 15.0;

/// Returns the seconds of one call, and its result.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let began = Instant::now();
    let result = std::hint::black_box(work());
    (began.elapsed().as_secs_f64(), result)
}

/// A solver of `ogs`: takes a code and the last heap, returns the values.
type Ogs = fn(&str, usize) -> Vec<u16>;

/// The values of heaps 0 to `heaps`, computed by one of the solvers of `ogs`.
fn ogs<S: Solver>(code: &str, heaps: usize) -> Vec<u16>
where
    S::Stats: Default,
{
    let mut solver = S::with_capacity(code.parse().expect("a code"), heaps + 1);
    while solver.nimbers().len() <= heaps {
        solver.next();
    }
    solver.nimbers().to_vec()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let codes: Vec<&str> =
        if named.is_empty() { CODES.to_vec() } else { named.iter().map(String::as_str).collect() };
    println!("CPU seconds to heap {HEAPS}, and how many times as long as ours");
    println!(
        "{:<8}{:>9}{:>11}{:>6}{:>9}{:>8}{:>10}{:>8}{:>12}{:>8}{:>7}",
        "code", "ours", "to period", "ogs", "", "×", "vector", "×", "definition", "×", "turns"
    );
    for code in codes {
        let moves = Moves::new(&code.parse().expect("a code")).expect("a finite code");
        let ours = |exhaustive, until_period| {
            solve(&moves, Task { until_period, exhaustive, ..Task::all(HEAPS) }, &Unobserved)
                .unwrap()
                .values
        };
        let solvers: [(&str, Ogs); 2] =
            [("rc", ogs::<RCSolver<true, ()>>), ("rc2", ogs::<RC2Solver<true, ()>>)];
        let trial = solvers.map(|(_, solver)| timed(|| solver(code, HEAPS / 8)).0);
        let (name, theirs) = solvers[usize::from(trial[1] < trial[0])];
        let definition = 64.0 * timed(|| definition::values(&moves, HEAPS / 8)).0;
        let mut times = [const { Vec::new() }; 4];
        while times[0].len() < TURNS && times.iter().flatten().sum::<f64>() < ENOUGH {
            let (time, values) = timed(|| ours(false, false));
            times[0].push(time);
            times[1].push(timed(|| ours(false, true)).0);
            let (time, expected) = timed(|| theirs(code, HEAPS));
            times[2].push(time);
            times[3].push(timed(|| ours(true, false)).0);
            assert!(values.into_iter().eq(expected.iter().map(|v| u32::from(*v))), "{code}");
        }
        let turns = times[0].len();
        let [ours, to_period, theirs, vector] = times.map(median);
        println!(
            "{code:<8}{ours:>9.3}{to_period:>11.3}{name:>6}{theirs:>9.3}{:>8.1}{vector:>10.3}{:>8.1}{definition:>12.1}{:>8.0}{turns:>7}",
            theirs / ours,
            vector / ours,
            definition / ours
        );
    }
}
