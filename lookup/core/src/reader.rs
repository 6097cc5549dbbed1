//! Access to the bytes of a table: straight from memory if the table is there, else by the source's own `read_at`.
//!
//! Reads words and rows at offsets from the beginning of the file. [`Access`] hides the type of the source, so that answers are
//! compiled in this crate and not in the programs that ask. Functions that are inlined into a probe of memory leave no trace of the other
//! case there.

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

    /// The `length` bytes from `at` on; `None` beyond the end of memory. If they are not in memory, they are read into `buffer` at once.
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

    /// The N bytes from `at` on; `None` beyond the end of memory.
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
