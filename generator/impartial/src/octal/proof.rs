//! Proof of an octal game's table whose checksums are right.
//!
//! The proof computes the values again: the first ones by the definition, up to a bound from all splits, all of them by sparse space.
//! From these values it derives the period, its certificate, the greatest value and the mask, and compares them with the header.

use super::definition;
use super::moves::Moves;
use super::solver::{Method, Task, solve};
use super::table::{self, BuildError};
use crate::proof::Fault;
use morpion_grundy::{Code, GrundyError, GrundyTable, Octal};
use morpion_machine::progress::Progress;
use thiserror::Error;

/// The last heap that is computed by the definition, which shares nothing with the solver.
const BY_DEFINITION: usize = 4096;

/// Fault of an octal game's table.
#[derive(Debug, Error)]
pub enum OctalFault {
    /// A value is wrong.
    #[error("the value of heap {heap} is {found} in the table, expected {expected}")]
    Value {
        /// The heap.
        heap: usize,
        /// The value in the table.
        found: u64,
        /// The value as computed.
        expected: u32,
    },
    /// The header of a table without values states facts about values.
    #[error("{0}: facts of values that the table does not hold")]
    NoValues(Code),
    /// The header names more heaps than possible.
    #[error("{code}: {heaps} heaps are too many: at most 2^62 - 1")]
    TooManyHeaps {
        /// The game.
        code: Code,
        /// The last heap in the header.
        heaps: u64,
    },
    /// The header does not follow from the values.
    #[error("{}: found {found:?} in the header, expected {expected:?}", .found.code)]
    Header {
        /// Header of the table.
        found: Box<Octal>,
        /// Header that follows from the computed values.
        expected: Box<Octal>,
    },
    /// The header could not be made again.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The table has no value of a heap that it should have.
    #[error(transparent)]
    Answer(#[from] GrundyError),
}

/// Last heaps whose values were computed by the definition, from all splits, and by any method.
#[derive(Default)]
pub(crate) struct Reach {
    pub definition_to: u64,
    pub exhaustive_to: u64,
    pub last: u64,
}

/// Proves the values and the header of `table`: from all splits up to heap `bound`, by sparse space beyond it. `progress` receives
/// the number of heaps done.
pub(crate) fn prove(
    table: &GrundyTable,
    code: &Code,
    header: &Octal,
    bound: u64,
    progress: &dyn Progress,
) -> Result<Reach, Fault> {
    let Some(moves) = Moves::new(code) else {
        // A closed form has no values; the formula is the library's and its proof is in the books.
        return if header.greatest == 0 && header.heaps == 0 && header.mask.is_none() {
            Ok(Reach::default())
        } else {
            Err(OctalFault::NoValues(code.clone()).into())
        };
    };
    let heaps = usize::try_from(header.heaps).ok().filter(|heaps| *heaps < 1 << 62);
    let heaps = heaps
        .ok_or_else(|| OctalFault::TooManyHeaps { code: code.clone(), heaps: header.heaps })?;
    // The header may claim any number of heaps. Those beyond the certificate follow from it: the size of the file bounds the work.
    let last =
        certified_to(header, &moves).map_or(heaps, |certificate| heaps.min(certificate as usize));
    let bound = usize::try_from(bound).unwrap_or(usize::MAX);
    let definition_to = last.min(BY_DEFINITION).min(bound);
    compare(table, definition::values(&moves, definition_to).into_iter())?;
    let exhaustive_to = last.min(bound);
    let task = Task { method: Method::Exhaustive, ..Task::all(exhaustive_to) };
    let mut solution = solve(&moves, task, progress)?;
    compare(table, solution.values.iter())?;
    if exhaustive_to < last {
        solution = solve(&moves, Task::all(last), progress)?;
        compare(table, solution.values.iter())?;
    }
    let solution = solution.with_period(&moves);
    // With the period of the header the number of heaps is the header's; without one all of them were computed.
    let heaps = if solution.period.is_some() { heaps } else { last };
    let expected =
        table::header_to(code, &solution, heaps, Some(header.width)).map_err(OctalFault::from)?;
    if expected != *header {
        let (found, expected) = (Box::new(header.clone()), Box::new(expected));
        return Err(OctalFault::Header { found, expected }.into());
    }
    Ok(Reach {
        definition_to: definition_to as u64,
        exhaustive_to: exhaustive_to as u64,
        last: last as u64,
    })
}

/// The last heap of the certificate of the header's period.
pub(crate) fn certified_to(header: &Octal, moves: &Moves) -> Option<u64> {
    header.period.and_then(|period| period.certificate(moves.last as u64))
}

fn compare(table: &GrundyTable, values: impl Iterator<Item = u32>) -> Result<(), OctalFault> {
    values.enumerate().try_for_each(|(heap, expected)| {
        let found = table.heap(heap as u64)?;
        if found == u64::from(expected) {
            Ok(())
        } else {
            Err(OctalFault::Value { heap, found, expected })
        }
    })
}
