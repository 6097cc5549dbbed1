//! Faults that a proof finds in a table of Grundy values.

use morpion_grundy::{Code, GrundyError, Octal};
use morpion_lookup::TableError;
use morpion_machine::progress::Stopped;
use thiserror::Error;

/// A fault in a table.
#[derive(Debug, Error)]
pub enum Fault {
    /// A checksum is wrong.
    #[error(transparent)]
    Sums(#[from] TableError),
    /// The table is of another kind of game, or has no value for one of its heaps.
    #[error(transparent)]
    Table(#[from] GrundyError),
    /// The value of a heap is wrong.
    #[error("the value of heap {heap} is {found} in the table, expected {expected}")]
    Heap {
        /// The heap.
        heap: usize,
        /// The value in the table.
        found: u64,
        /// The computed value.
        expected: u32,
    },
    /// The table has no values, but its header states facts about values.
    #[error("{0}: facts of values that the table does not hold")]
    NoValues(Code),
    /// The header claims that more heaps were computed than the proof computes.
    #[error(
        "{code}: the header claims that {heaps} heaps were computed, which are too many to prove: at most {most}; \
         build the table again"
    )]
    TooManyHeaps {
        /// The game.
        code: Code,
        /// The last heap in the header.
        heaps: u64,
        /// The last heap that the proof computes.
        most: u64,
    },
    /// The header of an octal game contradicts the values.
    #[error("{}: {found:?} in the header, expected {expected:?}", .found.code)]
    Header {
        /// Header of the table.
        found: Box<Octal>,
        /// Header that follows from the computed values.
        expected: Box<Octal>,
    },
    /// A value of cram that is not the mex of its options' values.
    #[error("the value of set {set:#x} is {found} in the table, expected {expected}")]
    Cells {
        /// The occupied cells.
        set: usize,
        /// The value in the table.
        found: u8,
        /// The mex.
        expected: u32,
    },
    /// The greatest value in the header of cram is not the greatest value of the table.
    #[error("greatest value {found} in the header, expected {expected}")]
    Greatest {
        /// Greatest value in the header.
        found: u8,
        /// Greatest value of the table.
        expected: u8,
    },
    /// A stop was requested, so the result is unknown.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
