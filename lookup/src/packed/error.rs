//! Faults of packed bytes.

use crate::source::ReadError;
use alloc::string::String;
use thiserror::Error;

/// Reasons why bytes are not a packed table, or why a frame of one cannot be unpacked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PackedError {
    /// The bytes could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The seek table at the end is missing, or does not fit the bytes before it.
    #[error("packed: {0}")]
    SeekTable(String),
    /// A frame is not what the seek table says, or is damaged.
    #[error("packed: frame {frame}: {what}")]
    Frame {
        /// Number of the frame, counted from 0.
        frame: usize,
        /// The fault, with what was expected.
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
