//! Faults of packed bytes.

use crate::{ErrorKind, ReadError};
use alloc::string::String;
use morpion_core::error;

/// Reasons why bytes are not a packed table, or why a frame of one cannot be unpacked.
#[derive(Debug)]
pub(crate) enum PackedFault {
    /// The seek table at the end is missing, or does not fit the bytes before it.
    SeekTable(String),
    /// A frame, counted from 0, is damaged or differs from the seek table.
    Frame(usize, String),
}

error!(PackedFault, |fault, f| match fault {
    PackedFault::SeekTable(what) => write!(f, "packed: {what}"),
    PackedFault::Frame(number, what) => write!(f, "packed: frame {number}: {what}"),
});

impl From<PackedFault> for ReadError {
    fn from(fault: PackedFault) -> ReadError {
        ReadError::of_kind(ErrorKind::Packed, fault)
    }
}
