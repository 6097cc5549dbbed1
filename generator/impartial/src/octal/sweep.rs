//! Sweep over all octal codes of up to three digits. Lists certified periods and open codes.

use super::moves::Moves;
use super::solver::{Task, solve};
use morpion_grundy::Code;
use morpion_machine::progress::{Progress, Stopped};
use morpion_machine::threads;
use serde::Serialize;

/// One code of the sweep. The keys are the columns of the CSV.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// `d0.d1d2d3`, always with three digits after the point.
    pub code: String,
    /// The last heap computed.
    pub heaps: usize,
    /// The certified period.
    pub period: Option<u64>,
    /// The first heap from which the values repeat.
    pub preperiod: Option<u64>,
    /// The last heap of the certificate.
    pub certified_to: Option<u64>,
    /// The greatest value.
    pub greatest: u32,
}

/// The codes 0.000 to 0.777 and 4.000 to 4.777.
#[must_use]
pub fn codes() -> Vec<String> {
    [0, 4].iter().flat_map(|d0| (0..512).map(move |d| format!("{d0}.{d:03o}"))).collect()
}

/// Computes all codes to heap `last`, or until a period is proved. `progress` receives the number of codes.
///
/// # Errors
/// If `progress` requests a stop.
pub fn sweep(last: usize, progress: &dyn Progress) -> Result<Vec<Row>, Stopped> {
    let codes = codes();
    progress.whole(codes.len() as u64);
    let rows = threads::map(codes.len(), &|number| {
        let code: Code = codes[number].parse().expect("a code of digits 0 to 7");
        let moves = Moves::new(&code).expect("a finite code");
        let solution = solve(&moves, Task::until_period(last), &Cancelled(progress))?;
        progress.advance(1);
        let period = solution.period;
        Ok(Row {
            code: codes[number].clone(),
            heaps: solution.heaps(),
            period: period.map(|p| p.length),
            preperiod: period.map(|p| p.start),
            certified_to: period.and_then(|p| p.certificate(moves.last as u64)),
            greatest: solution.greatest(),
        })
    });
    rows.into_iter().collect()
}

/// Forwards requests for a stop, but not the number of heaps, because the sweep counts codes.
struct Cancelled<'a>(&'a dyn Progress);

impl Progress for Cancelled<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }
}
