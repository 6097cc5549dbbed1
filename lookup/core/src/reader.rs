//! Access to the bytes of a table: directly if the table is in memory, otherwise by the `read_at` of its source.
//!
//! Reads words and rows at offsets from the beginning of the file. [`Access`] hides the type of the source, so that answers are compiled in
//! this crate and not in the programs that ask. In a probe that is compiled for memory alone, the compiler removes the code for other
//! sources.

use crate::error::TableError;
use crate::source::{Source, slice, word};
use alloc::vec::Vec;

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

    /// The `length` bytes from `at` on; `None` beyond the end of memory. Bytes that are not in memory are read into `buffer` with one call.
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

    /// The `N` bytes from `at` on; `None` beyond the end of memory.
    #[inline(always)]
    pub fn word<const N: usize>(self, at: u64) -> Result<Option<[u8; N]>, TableError> {
        match self {
            Access::Memory(bytes) => Ok(word(bytes, at)),
            Access::Remote(source) => {
                let mut word = [0; N];
                source.read_at(at, &mut word)?;
                Ok(Some(word))
            }
        }
    }
}
