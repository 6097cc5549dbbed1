//! Errors of solving a game.

use morpion_core::TableError;
use morpion_machine::progress::Stopped;
use std::io;
use thiserror::Error;

/// Reason why a layer is not solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// A distance does not fit the entries: the table needs wider entries.
    #[error("a distance that does not fit")]
    TooDeep,
    /// The observer requested a stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The game is too large for the format or the solver, or a table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}
