//! A table file of either kind, plain or packed.
//!
//! Takes what a file holds, and gives a [`Source`] of the table's bytes; its first bytes tell which kind it is.

use crate::bytes::Bytes;
use crate::error::{FileError, TableError};
use crate::packed::{MAX_FRAME, Packed, PackedError, is_packed};
use crate::source::{ReadError, Source};
use std::path::Path;

/// The bytes of a table, from a plain file or a packed one.
pub enum TableFile {
    /// The table's bytes as they are.
    Plain(Bytes),
    /// The table's bytes, packed.
    Packed(Box<Packed<Bytes>>),
}

impl TableFile {
    /// Takes bytes of either kind.
    ///
    /// # Errors
    /// [`PackedError`] for packed bytes that cannot be unpacked. Plain bytes are looked at by [`Table::open`](crate::Table::open).
    pub fn new(bytes: Bytes) -> Result<TableFile, PackedError> {
        Ok(match is_packed(&bytes)? {
            true => TableFile::Packed(Box::new(Packed::open(bytes)?)),
            false => TableFile::Plain(bytes),
        })
    }

    /// Reads a file of either kind into memory, a packed one as it is.
    ///
    /// # Errors
    /// Those of [`Bytes::read`] and [`TableFile::new`], with the path.
    pub fn read(path: impl AsRef<Path>) -> Result<TableFile, FileError> {
        TableFile::of_file(path.as_ref(), Bytes::read(path.as_ref())?)
    }

    /// Maps a file of either kind; see [`Bytes::map`].
    ///
    /// # Safety
    /// As [`Bytes::map`]: nobody may change or truncate the file while it is mapped.
    ///
    /// # Errors
    /// Those of [`Bytes::map`] and [`TableFile::new`], with the path.
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "the caller's promise is handed on")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<TableFile, FileError> {
        // SAFETY: the caller answers for the file staying as it is.
        let bytes = unsafe { Bytes::map(path.as_ref()) }?;
        TableFile::of_file(path.as_ref(), bytes)
    }

    /// The same table in memory, unpacked where it is packed: for programs that go through all of it.
    ///
    /// # Errors
    /// Where a frame cannot be unpacked, or the whole does not fit in memory.
    pub fn unpacked(self) -> Result<TableFile, ReadError> {
        match self {
            TableFile::Plain(_) => Ok(self),
            TableFile::Packed(packed) => {
                let size = packed.size();
                let too_large = |_| ReadError::new(format!("{size} bytes do not fit in memory"));
                let mut bytes = Vec::new();
                bytes
                    .try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX))
                    .map_err(too_large)?;
                // Piece by piece: a seek table that lies about its frames is found before the bytes take memory.
                for start in (0..size).step_by(MAX_FRAME as usize) {
                    let end = size.min(start + u64::from(MAX_FRAME));
                    bytes.resize(end as usize, 0);
                    packed.read_at(start, &mut bytes[start as usize..])?;
                }
                Ok(bytes.into())
            }
        }
    }

    fn of_file(path: &Path, bytes: Bytes) -> Result<TableFile, FileError> {
        TableFile::new(bytes).map_err(|error| FileError {
            path: path.into(),
            error: TableError::Read(match error {
                PackedError::Read(error) => error,
                other => ReadError::new(other),
            }),
        })
    }
}

impl From<Bytes> for TableFile {
    /// Plain bytes, without looking at them.
    fn from(bytes: Bytes) -> TableFile {
        TableFile::Plain(bytes)
    }
}

impl From<Vec<u8>> for TableFile {
    /// The bytes of a plain table, without looking at them.
    fn from(bytes: Vec<u8>) -> TableFile {
        TableFile::Plain(bytes.into())
    }
}

impl Source for TableFile {
    #[inline]
    fn size(&self) -> u64 {
        match self {
            TableFile::Plain(bytes) => bytes.size(),
            TableFile::Packed(packed) => packed.size(),
        }
    }

    #[inline]
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), ReadError> {
        match self {
            TableFile::Plain(bytes) => bytes.read_at(offset, into),
            TableFile::Packed(packed) => packed.read_at(offset, into),
        }
    }

    #[inline]
    fn in_memory(&self) -> Option<&[u8]> {
        match self {
            TableFile::Plain(bytes) => bytes.in_memory(),
            TableFile::Packed(packed) => packed.in_memory(),
        }
    }
}
