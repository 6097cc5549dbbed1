//! What is wrong with packed bytes.

use crate::source::ReadError;
use alloc::string::String;
use thiserror::Error;

/// Why bytes are no packed table, or a frame of one cannot be unpacked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PackedError {
    /// The bytes could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is no seek table at the end, or it does not fit the bytes before it.
    #[error("packed: {0}")]
    SeekTable(String),
    /// A frame is not what the seek table says, or is damaged.
    #[error("packed: frame {frame}: {what}")]
    Frame {
        /// Which one, counted from 0.
        frame: usize,
        /// What was found and what was expected.
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
