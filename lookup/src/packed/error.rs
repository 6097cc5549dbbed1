//! Faults of packed bytes.

use crate::{ErrorKind, ReadError};
use alloc::string::String;
use thiserror::Error;

/// Reasons why bytes are not a packed table, or why a frame of one cannot be unpacked.
#[derive(Debug, Error)]
pub(crate) enum PackedFault {
    /// The seek table at the end is missing, or does not fit the bytes before it.
    #[error("packed: {0}")]
    SeekTable(String),
    /// A frame, counted from 0, is damaged or differs from the seek table.
    #[error("packed: frame {0}: {1}")]
    Frame(usize, String),
}

impl From<PackedFault> for ReadError {
    fn from(fault: PackedFault) -> ReadError {
        ReadError::of_kind(ErrorKind::Packed, fault)
    }
}
