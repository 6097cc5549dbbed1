//! Proof of an octal game's table whose checksums are correct.
//!
//! The values are computed again: the values of the first heaps by the definition, of more heaps from all splits, and of all heaps by
//! sparse space. The period, its certificate, the greatest value and the mask are derived from the values and compared with the header.

use super::definition;
use super::moves::Moves;
use super::solver::{LAST_HEAP, Solution, Task, solve};
use super::table;
use crate::verdict::{Fault, Verified, compare_headers};
use morpion_grundy::{GrundyTable, Header, Octal};
use morpion_machine::progress::Progress;

/// The last heap that is computed by the definition, which shares no code with the solver.
const BY_DEFINITION: usize = 4096;

/// The last heap that is computed from all splits.
const EXHAUSTIVE: usize = 1 << 17;

/// The last heap that a header may call computed even if its period needs fewer heaps.
const CLAIMED: u64 = 1 << 20;

/// Proves the values and the header of `table`. All heaps that the header calls computed are computed again. `progress` receives the
/// number of computed heaps.
pub(crate) fn prove(table: &GrundyTable, progress: &dyn Progress) -> Result<Verified, Fault> {
    let (code, header) = table.octal()?;
    let proved =
        Verified { game: header.code.clone(), values: header.values, ..Verified::default() };
    let follows = |solution: &Solution| {
        let expected = table::header(code, solution);
        // Values may be stored with more bytes than they need.
        let width = expected.width.max(header.width);
        compare_headers(table.header(), Header::Octal(Octal { width, ..expected }))
    };
    let Some(moves) = Moves::new(code) else {
        // A table with a closed form has no values. The formula is part of the library, and its proof is published.
        follows(&Solution::closed())?;
        return Ok(Verified { definition_to: Some(0), ..proved });
    };
    // A header may claim any number of heaps, so the work of the proof is limited: with a period, to twice its certificate. The
    // solver looks for periods so often that it never computes more heaps.
    let certificate = header.period.and_then(|period| period.certificate(moves.last as u64));
    let justified = certificate.map_or(header.heaps, |last| last.saturating_mul(2));
    let most = justified.clamp(CLAIMED, LAST_HEAP);
    let last = usize::try_from(header.heaps).ok().filter(|_| header.heaps <= most);
    let last =
        last.ok_or_else(|| Fault::TooManyHeaps { code: code.clone(), heaps: header.heaps, most })?;
    let definition_to = last.min(BY_DEFINITION);
    compare(table, &definition::values(&moves, definition_to))?;
    let exhaustive_to = last.min(EXHAUSTIVE);
    let task = Task { exhaustive: true, ..Task::all(exhaustive_to) };
    let mut solution = solve(&moves, task, progress)?;
    compare(table, &solution.values)?;
    if exhaustive_to < last {
        solution = solve(&moves, Task::all(last), progress)?;
        compare(table, &solution.values)?;
    }
    follows(&solution)?;
    Ok(Verified {
        definition_to: Some(definition_to as u64),
        exhaustive_to: exhaustive_to as u64,
        worked_to: last as u64,
        period: header.period.map(|p| p.length),
        preperiod: header.period.map(|p| p.start),
        certified_to: certificate,
        ..proved
    })
}

fn compare(table: &GrundyTable, values: &[u32]) -> Result<(), Fault> {
    for (heap, &expected) in (0..).zip(values) {
        let found = table.heap(heap)?;
        if found != u64::from(expected) {
            return Err(Fault::Value { part: format!("heap {heap}"), found, expected });
        }
    }
    Ok(())
}
