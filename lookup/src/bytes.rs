//! The bytes of a table that this library can hold: inside the program, on the heap, a mapped file.
//!
//! Takes a path or what is in memory already, and gives a [`Source`](crate::Source). All mapping is here; `Table::map` and
//! `TableFile::map` only pass on the caller's promise.

#[cfg(feature = "std")]
use crate::error::{FileError, TableError};
use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// The bytes of a table: a part of the program, a `Vec`, or a file that was read or mapped. All of them are in memory.
pub struct Bytes(Held);

enum Held {
    Static(&'static [u8]),
    Owned(Vec<u8>),
    #[cfg(feature = "map")]
    Mapped(memmap2::Mmap),
}

impl From<&'static [u8]> for Bytes {
    fn from(bytes: &'static [u8]) -> Bytes {
        Bytes(Held::Static(bytes))
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes(Held::Owned(bytes))
    }
}

impl Bytes {
    /// Reads a file into memory.
    ///
    /// # Errors
    /// Where there is no such file, it cannot be read, or it is something else than a regular file, a pipe for one.
    #[cfg(feature = "std")]
    pub fn read(path: impl AsRef<Path>) -> Result<Bytes, FileError> {
        let read = |path: &Path| {
            let mut bytes = Vec::new();
            io::Read::read_to_end(&mut open_regular(path)?, &mut bytes)?;
            Ok(Bytes::from(bytes))
        };
        read(path.as_ref()).map_err(|error: io::Error| of_path(path.as_ref(), error))
    }

    /// Maps a file into memory: nothing is read before it is asked for, and processes share the pages. No lock is taken.
    ///
    /// # Safety
    /// Nobody may change or truncate the file while it is mapped: the bytes would change under references to them, and
    /// reading past the new end kills the process. The generator only ever replaces a table by renaming a new file over
    /// it, which leaves the mapped one as it is. Use [`Bytes::read`] for files from elsewhere.
    ///
    /// # Errors
    /// Those of [`Bytes::read`], and where the file cannot be mapped.
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "the caller's promise is handed on")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Bytes, FileError> {
        // SAFETY: the caller answers for the file staying as it is.
        let map = |path: &Path| unsafe { Bytes::map_file(&open_regular(path)?) };
        map(path.as_ref()).map_err(|error| of_path(path.as_ref(), error))
    }

    /// Maps a file that is open already.
    ///
    /// # Safety
    /// As [`Bytes::map`].
    ///
    /// # Errors
    /// Where the file cannot be mapped.
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "a mapped file can change under its reader")]
    pub unsafe fn map_file(file: &File) -> io::Result<Bytes> {
        // SAFETY: the caller answers for the file staying as it is.
        unsafe { memmap2::Mmap::map(file) }.map(|map| Bytes(Held::Mapped(map)))
    }
}

impl AsRef<[u8]> for Bytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match &self.0 {
            Held::Static(bytes) => bytes,
            Held::Owned(bytes) => bytes,
            #[cfg(feature = "map")]
            Held::Mapped(bytes) => bytes,
        }
    }
}

#[cfg(feature = "std")]
fn of_path(path: &Path, error: io::Error) -> FileError {
    FileError { path: path.into(), error: TableError::Read(error.into()) }
}

/// Opens a file, and nothing else: opening a pipe would wait until somebody writes to it, so the kind is looked at first.
#[cfg(feature = "std")]
fn open_regular(path: &Path) -> io::Result<File> {
    let regular = |data: fs::Metadata| match data.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    };
    regular(fs::metadata(path)?)?;
    let file = File::open(path)?;
    // The file may have been replaced in between.
    regular(file.metadata()?)?;
    Ok(file)
}
