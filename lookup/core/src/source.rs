//! Sources of a table's bytes: memory, or a reader that the program implements.
//!
//! Fills a buffer with the bytes at an offset. A source in memory provides all its bytes as one slice, which is read without a copy.

use crate::error::TableError;
use alloc::format;

/// The bytes of a table, in memory or elsewhere.
///
/// Every type that is `AsRef<[u8]>` is a source: a slice, a `Vec`, an `Arc<[u8]>`, a mapped file. For other types (a file read piece by
/// piece, a packed file, a server that answers range requests) implement [`size`](Source::size) and [`read_at`](Source::read_at).
/// `Table::from_source` of morpion-lookup has an example.
///
/// Opening reads the header. `Table::probe` reads 4 bytes of a map and the entry; the moves of a position take 4 bytes of a map and one
/// row. Nothing is cached here: a slow source should have its own cache.
pub trait Source {
    /// Number of bytes; constant.
    fn size(&self) -> u64;

    /// Fills `into` with the bytes from `offset` on.
    ///
    /// # Errors
    /// If fewer bytes can be read.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError>;

    /// All bytes, if they are in memory. Then [`Source::read_at`] is never called.
    fn in_memory(&self) -> Option<&[u8]> {
        None
    }
}

impl<T: AsRef<[u8]> + ?Sized> Source for T {
    fn size(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        let (bytes, length) = (self.as_ref(), into.len());
        let beyond = || TableError::io(format!("{length} bytes at {offset} of {}", bytes.len()));
        let bytes = slice(bytes, offset, length).ok_or_else(beyond)?;
        into.copy_from_slice(bytes);
        Ok(())
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(self.as_ref())
    }
}

/// The `length` bytes from `offset` on; `None` if there are fewer.
#[inline]
pub fn slice(bytes: &[u8], offset: u64, length: usize) -> Option<&[u8]> {
    bytes.get(usize::try_from(offset).ok()?..)?.get(..length)
}

/// The `N` bytes from `at` on; `None` if there are fewer.
#[inline(always)]
pub fn word<const N: usize>(bytes: &[u8], at: u64) -> Option<[u8; N]> {
    bytes.get(usize::try_from(at).ok()?..)?.first_chunk().copied()
}
