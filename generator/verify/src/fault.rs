//! A fault in a table, and the reasons why a check ends without a report.

use morpion_core::TableError;
use morpion_machine::progress::Stopped;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One fault in a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The position as text, with X to move if either side may be to move; for a fault that is not in an entry, the part of the table.
    pub at: String,
    /// True if `at` is a position.
    pub is_position: bool,
    /// The value in the table.
    pub found: String,
    /// The expected value.
    pub expected: String,
}

impl Fault {
    /// A fault of a part of the table.
    pub(super) fn of_part(
        part: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Fault {
        let (at, found, expected) = (part.into(), found.into(), expected.into());
        Fault { at, is_position: false, found, expected }
    }
}

/// Reason why a check ended without a report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Unfinished {
    /// The observer requested a stop.
    #[error("stopped before the end: nothing is known about the table")]
    Stopped,
    /// The table cannot be read.
    #[error(transparent)]
    Read(#[from] TableError),
    /// A proof in parts was requested for a game in which a turn may change the pieces of both sides.
    #[error(
        "cannot be proved in parts, since a turn may change the pieces of both sides: prove the whole table"
    )]
    Undivided,
    /// The table has values without distances, and its game has cycles.
    #[error(
        "values alone of a game with cycles cannot be proved: verify the table with distances, and compare this file with the one that `morpion pack --values` writes from it"
    )]
    NoDistances,
}

impl From<Stopped> for Unfinished {
    fn from(_: Stopped) -> Unfinished {
        Unfinished::Stopped
    }
}
