//! Damage in the files of an interrupted build, after which the build starts again.

use std::error::Error;
use std::io;

/// The error for damage in an interrupted build's files.
pub(super) fn damaged(fault: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

/// Returns true if a file is damaged or missing.
pub fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
    [InvalidData, UnexpectedEof, NotFound].contains(&error.kind())
}
