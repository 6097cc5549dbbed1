//! Readers of a table: straight from memory if the table is there, else by the source's own `read_at`.
//!
//! Reads words and rows at offsets from the beginning of the file. [`Access`] hides the type of the source, so that answers are
//! compiled in this crate and not in the programs that ask. Probes are compiled for memory alone too, which has no overhead.

use crate::error::{Damage, ProbeError, TableError};
use crate::source::{Source, slice, word};
use alloc::vec::Vec;

/// Reads a table; `None` means beyond its end.
pub trait Reader: Copy {
    /// Error of a read.
    type Error: Into<TableError>;

    /// The N bytes from `at` on.
    fn word<const N: usize>(self, at: u64) -> Result<Option<[u8; N]>, Self::Error>;
}

/// Reason why an entry cannot be read. It has no drop glue if reading cannot fail, which keeps answers from memory fast.
#[derive(Clone, Copy)]
pub enum EntryError<E> {
    /// The table contradicts itself.
    Damaged(Damage),
    /// The source cannot be read.
    Read(E),
}

impl<E: Into<TableError>> From<EntryError<E>> for ProbeError {
    fn from(error: EntryError<E>) -> ProbeError {
        match error {
            EntryError::Damaged(what) => ProbeError::Damaged(what),
            EntryError::Read(error) => ProbeError::Read(error.into()),
        }
    }
}

/// Reading memory does not fail.
#[derive(Clone, Copy)]
pub enum Never {}

impl From<Never> for TableError {
    fn from(never: Never) -> TableError {
        match never {}
    }
}

impl Reader for &[u8] {
    type Error = Never;

    #[inline(always)]
    fn word<const N: usize>(self, at: u64) -> Result<Option<[u8; N]>, Never> {
        Ok(word(self, at))
    }
}

/// The bytes of a source in memory, or a source that is elsewhere.
#[derive(Clone, Copy)]
pub enum Access<'s> {
    /// All bytes.
    Memory(&'s [u8]),
    /// Bytes that are read when they are needed.
    Remote(&'s dyn Source),
}

impl<'s> Access<'s> {
    /// The bytes in memory, or the source that reads them.
    #[inline(always)]
    pub fn new(source: &'s dyn Source) -> Access<'s> {
        match source.in_memory() {
            Some(bytes) => Access::Memory(bytes),
            None => Access::Remote(source),
        }
    }

    /// The `length` bytes from `at` on. If they are not in memory, they are read into `buffer` at once.
    #[inline(always)]
    pub fn row<'b>(
        self,
        at: u64,
        length: usize,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, TableError>
    where
        's: 'b,
    {
        match self {
            Access::Memory(bytes) => Ok(slice(bytes, at, length)),
            Access::Remote(source) => {
                buffer.resize(length, 0);
                source.read_at(at, buffer)?;
                Ok(Some(buffer))
            }
        }
    }
}

impl Reader for Access<'_> {
    type Error = TableError;

    #[inline(always)]
    fn word<const N: usize>(self, at: u64) -> Result<Option<[u8; N]>, TableError> {
        match self {
            Access::Memory(bytes) => Ok(bytes.word(at)?),
            Access::Remote(source) => {
                let mut word = [0; N];
                source.read_at(at, &mut word)?;
                Ok(Some(word))
            }
        }
    }
}
