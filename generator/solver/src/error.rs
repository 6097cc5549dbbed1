//! Why a layer was not solved.

use morpion_games::progress::Stopped;
use morpion_lookup::TableError;
use thiserror::Error;

/// A distance that does not fit the entries: the table needs wider ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a distance that does not fit")]
pub struct TooDeep;

/// Why a layer was not solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The entries are too narrow.
    #[error(transparent)]
    TooDeep(#[from] TooDeep),
    /// The observer asked for a stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The game is too large for the format.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table could not be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
