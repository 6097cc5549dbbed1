//! Sweep over all octal codes of up to three digits. Lists certified periods and open codes.

use super::extra_moves::change_no_value;
use super::moves::Moves;
use super::solver::{Solution, Task, solve};
use super::values::Values;
use morpion_grundy::{Code, Period};
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

impl Row {
    fn new(code: &str, moves: &Moves, values: &Values, period: Option<Period>) -> Row {
        Row {
            code: code.to_string(),
            heaps: values.len() - 1,
            period: period.map(|p| p.length),
            preperiod: period.map(|p| p.start),
            certified_to: period.and_then(|p| p.certificate(moves.last as u64)),
            greatest: values.greatest(),
        }
    }
}

/// The codes 0.000 to 0.777 and 4.000 to 4.777.
#[must_use]
pub fn codes() -> Vec<String> {
    [0, 4].iter().flat_map(|d0| (0..512).map(move |d| format!("{d0}.{d:03o}"))).collect()
}

/// Computes all codes to heap `last`, or until a period is proved. `progress` receives the number of codes.
///
/// Codes with fewer moves come first. The values of an open code often also hold for a code with extra moves, and
/// comparing takes less time than computing.
///
/// # Errors
/// If `progress` requests a stop.
pub fn sweep(last: usize, progress: &dyn Progress) -> Result<Vec<Row>, Stopped> {
    let moves = |text: &String| {
        let code: Code = text.parse().expect("a code of digits 0 to 7");
        Moves::new(&code).expect("a finite code")
    };
    let codes: Vec<(String, Moves)> = codes().into_iter().map(|c| (c.clone(), moves(&c))).collect();
    let unsplit = |moves: &Moves| moves.whole.len() + moves.shrink.len();
    let most = codes.iter().map(|(_, moves)| unsplit(moves)).max().unwrap_or(0);
    progress.whole(codes.len() as u64);
    let mut rows = Vec::new();
    let mut open: Vec<(&Moves, Values)> = Vec::new();
    for count in 0..=most {
        let now: Vec<&(String, Moves)> =
            codes.iter().filter(|(_, moves)| unsplit(moves) == count).collect();
        let found = threads::map(now.len(), &|number| {
            let (code, moves) = now[number];
            let known = open.iter().find(|(fewer, values)| change_no_value(values, fewer, moves));
            let found = match known {
                Some((_, values)) => (Row::new(code, moves, values, None), None),
                None => {
                    let Solution { values, period, .. } =
                        solve(moves, Task::until_period(last), &Cancelled(progress))?;
                    let row = Row::new(code, moves, &values, period);
                    (row, period.is_none().then_some(values))
                }
            };
            progress.advance(1);
            Ok::<_, Stopped>(found)
        });
        for ((_, moves), found) in now.iter().zip(found) {
            let (row, values) = found?;
            rows.push(row);
            open.extend(values.map(|values| (moves, values)));
        }
    }
    rows.sort_unstable_by(|a, b| a.code.cmp(&b.code));
    Ok(rows)
}

/// Forwards requests for a stop, but not the number of heaps, because the sweep counts codes.
struct Cancelled<'a>(&'a dyn Progress);

impl Progress for Cancelled<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }
}
