//! Faults of packed bytes.

use crate::source::ReadError;
use alloc::string::String;
use thiserror::Error;

/// Reasons why bytes are not a packed table, or why a frame of one cannot be unpacked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PackedError {
    /// The bytes cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The seek table at the end is missing, or does not fit the bytes before it.
    #[error("packed: {0}")]
    SeekTable(String),
    /// A frame is damaged, or differs from the seek table.
    #[error("packed: frame {frame}: {what}")]
    Frame {
        /// Number of the frame, counted from 0.
        frame: usize,
        /// The fault and the expected value.
        what: String,
    },
}

impl From<PackedError> for ReadError {
    fn from(error: PackedError) -> ReadError {
        match error {
            PackedError::Read(error) => error,
            other => ReadError::new(other),
        }
    }
}
