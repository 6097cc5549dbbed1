//! The verdict of a proof of a table of Grundy values: the facts that it proves, or a fault.

use morpion_core::TableError;
use morpion_grundy::{Code, GrundyError, Header};
use morpion_machine::progress::Stopped;
use serde::Serialize;
use thiserror::Error;

/// Result of a proof. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Octal code, or board of cram.
    pub game: String,
    /// Number of values in the file.
    pub values: u64,
    /// Last heap that was computed by the definition; `None` for cram.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition_to: Option<u64>,
    /// Last heap that was computed from all splits; for cram the number of positions.
    #[serde(rename = "plain_to")]
    pub exhaustive_to: u64,
    /// Last heap that was computed by any method; for cram the number of positions.
    pub worked_to: u64,
    /// Certified period.
    pub period: Option<u64>,
    /// First heap from which the values repeat.
    pub preperiod: Option<u64>,
    /// Last heap of the certificate.
    pub certified_to: Option<u64>,
}

/// A fault in a table.
#[derive(Debug, Error)]
pub enum Fault {
    /// A checksum is wrong.
    #[error(transparent)]
    Sums(#[from] TableError),
    /// The table is of another kind of game, or has no value for one of its heaps.
    #[error(transparent)]
    Table(#[from] GrundyError),
    /// A value differs from the computed one.
    #[error("the value of {part} is {found} in the table, expected {expected}")]
    Value {
        /// A heap, or a set of occupied cells.
        part: String,
        /// The value in the table.
        found: u64,
        /// The computed value.
        expected: u32,
    },
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
    /// The header contradicts the values.
    #[error("{found:?} in the header, expected {expected:?}")]
    Header {
        /// Header of the table.
        found: Box<Header>,
        /// Header that follows from the values.
        expected: Box<Header>,
    },
    /// A stop was requested, so the result is unknown.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Compares the header of a table with the header that follows from the values.
pub(crate) fn compare_headers(found: &Header, expected: Header) -> Result<(), Fault> {
    if expected == *found {
        return Ok(());
    }
    Err(Fault::Header { found: Box::new(found.clone()), expected: Box::new(expected) })
}
