//! Proof of an octal game's table whose checksums are correct.
//!
//! The values are computed again: the first ones by the definition, more of them from all splits up to a bound, and all
//! of them by sparse space. The period, its certificate, the greatest value and the mask are derived from them and
//! compared with the header.

use super::definition;
use super::moves::Moves;
use super::solver::{LAST_HEAP, Method, Task, solve};
use super::table;
use crate::fault::Fault;
use morpion_grundy::{Code, GrundyTable, Octal};
use morpion_machine::progress::Progress;

/// The last heap that is computed by the definition, which shares no code with the solver.
const BY_DEFINITION: usize = 4096;

/// The last heap that is computed from all splits.
const EXHAUSTIVE: usize = 1 << 17;

/// The last heap that any header may call computed.
const CLAIMED: u64 = 1 << 20;

/// The last heaps computed by the definition, from all splits, and by any method.
#[derive(Default)]
pub(crate) struct Reach {
    pub definition_to: u64,
    pub exhaustive_to: u64,
    pub last: u64,
}

/// Proves the values and the header of `table`. All heaps that the header calls computed are computed again. `progress` receives the
/// number of computed heaps.
pub(crate) fn prove(
    table: &GrundyTable,
    code: &Code,
    header: &Octal,
    progress: &dyn Progress,
) -> Result<Reach, Fault> {
    let Some(moves) = Moves::new(code) else {
        // A table with a closed form has no values. The formula is part of the library, and its proof is published.
        return if header.greatest == 0 && header.heaps == 0 && header.mask.is_none() {
            Ok(Reach::default())
        } else {
            Err(Fault::NoValues(code.clone()))
        };
    };
    // The header may claim any number of heaps. The size of the file justifies twice the certificate of a period: the
    // solver looks for periods so often that it computes fewer heaps before it finds one.
    let certificate = certified_to(header, &moves);
    let justified = certificate.map_or(header.heaps, |last| last.saturating_mul(2));
    let most = justified.clamp(CLAIMED, LAST_HEAP);
    let last = usize::try_from(header.heaps).ok().filter(|_| header.heaps <= most);
    let last =
        last.ok_or_else(|| Fault::TooManyHeaps { code: code.clone(), heaps: header.heaps, most })?;
    let definition_to = last.min(BY_DEFINITION);
    compare(table, definition::values(&moves, definition_to).into_iter())?;
    let exhaustive_to = last.min(EXHAUSTIVE);
    let task = Task { method: Method::Exhaustive, ..Task::all(exhaustive_to) };
    let mut solution = solve(&moves, task, progress)?;
    compare(table, solution.values.iter())?;
    if exhaustive_to < last {
        solution = solve(&moves, Task::all(last), progress)?;
        compare(table, solution.values.iter())?;
    }
    let solution = solution.with_period(&moves);
    let expected = table::header(code, &solution);
    // Values may be stored with more bytes than they need.
    let expected = Octal { width: expected.width.max(header.width), ..expected };
    if expected != *header {
        let (found, expected) = (Box::new(header.clone()), Box::new(expected));
        return Err(Fault::Header { found, expected });
    }
    Ok(Reach {
        definition_to: definition_to as u64,
        exhaustive_to: exhaustive_to as u64,
        last: last as u64,
    })
}

/// The last heap of the certificate for the header's period.
pub(crate) fn certified_to(header: &Octal, moves: &Moves) -> Option<u64> {
    header.period.and_then(|period| period.certificate(moves.last as u64))
}

fn compare(table: &GrundyTable, values: impl Iterator<Item = u32>) -> Result<(), Fault> {
    values.enumerate().try_for_each(|(heap, expected)| {
        let found = table.heap(heap as u64)?;
        if found == u64::from(expected) {
            Ok(())
        } else {
            Err(Fault::Heap { heap, found, expected })
        }
    })
}
