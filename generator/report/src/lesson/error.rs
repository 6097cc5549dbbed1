//! Errors of lessons.

use crate::words::grouped;
use morpion_lookup::ProbeError;
use thiserror::Error;

/// Reason why a lesson cannot be made.
#[derive(Debug, Error)]
pub enum LessonError {
    /// The table cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The owner loses.
    #[error(
        "{owner} loses here against perfect play, so there is nothing to hold: use --for {other}"
    )]
    Lost {
        /// The owner.
        owner: char,
        /// The other side.
        other: char,
    },
    /// Too many positions can follow.
    #[error(
        "more than {} positions can follow, too many for a lesson: ask about a later position",
        grouped(*.limit as u64)
    )]
    TooMany {
        /// Greatest number of positions that are followed.
        limit: usize,
    },
}
