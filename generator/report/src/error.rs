//! Reasons why a report fails.

use morpion_core::{ProbeError, TableError};
use morpion_games::reach::TooLarge;
use morpion_machine::progress::Stopped;
use thiserror::Error;

/// Reason why a report fails.
#[derive(Debug, Error)]
pub enum ReportError {
    /// An entry of the table cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The census or the rules of the table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The observer requested a stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The reached positions do not fit in memory.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The games cannot be counted, since play can continue forever.
    #[error(
        "pieces move, so play can go in cycles and the games cannot be counted: choose a game of placements only"
    )]
    Movement,
    /// The layers whose games are counted do not fit in memory.
    #[error("counting the games needs {needed} bytes of memory, more than the {most} allowed")]
    Memory {
        /// Bytes of memory for two layers.
        needed: u64,
        /// Bytes of available memory.
        most: u64,
    },
    /// The number of games exceeds 128 bits.
    #[error("the game has more than {} games, too many to count", u128::MAX)]
    TooManyGames,
    /// The owner of a lesson loses.
    #[error(
        "{owner} loses here against perfect play, so there is nothing to hold: use --for {other}"
    )]
    Lost {
        /// The owner.
        owner: char,
        /// The other side.
        other: char,
    },
    /// Too many arrangements can follow a position.
    #[error(
        "{found} arrangements can follow this position, more than {limit}: ask about a later position"
    )]
    TooManyArrangements {
        /// Number of arrangements.
        found: u128,
        /// Greatest number of arrangements that are followed.
        limit: u128,
    },
}
