//! The bytes of a table, plain or packed: inside the program, on the heap, in a file, or in another source.
//!
//! Takes a path or bytes in memory and returns a [`Source`]. All code that maps files is here; `Table::map` calls it with the same safety
//! condition.

#[cfg(feature = "packed")]
use crate::packed::{Packed, is_packed};
use crate::{Source, TableError};
use alloc::borrow::Cow;
use alloc::boxed::Box;
#[cfg(feature = "std")]
use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
    vec::Vec,
};

/// The size in bytes up to which [`Table::open`](crate::Table::open) loads a table into memory, unpacked.
#[cfg(feature = "std")]
pub const IN_MEMORY: u64 = 64 << 20;

/// The bytes of a table, plain or packed: a part of the program, a `Vec`, a file that is read or mapped, or another source.
pub struct Bytes(Held);

enum Held {
    Plain(Cow<'static, [u8]>),
    #[cfg(feature = "map")]
    Mapped(memmap2::Mmap),
    /// A file that is read at offsets, or another source.
    Other(Box<dyn Source + Send + Sync>),
    #[cfg(feature = "packed")]
    Packed(Box<Packed<Bytes>>),
}

impl<B: Into<Cow<'static, [u8]>>> From<B> for Bytes {
    /// The bytes of a plain table.
    fn from(bytes: B) -> Bytes {
        Bytes(Held::Plain(bytes.into()))
    }
}

impl Source for Bytes {
    #[inline]
    fn size(&self) -> u64 {
        self.source().size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        self.source().read_at(offset, into)
    }

    #[inline]
    fn in_memory(&self) -> Option<&[u8]> {
        match &self.0 {
            Held::Plain(bytes) => Some(bytes),
            #[cfg(feature = "map")]
            Held::Mapped(bytes) => Some(bytes),
            Held::Other(source) => source.in_memory(),
            #[cfg(feature = "packed")]
            Held::Packed(_) => None,
        }
    }
}

impl Bytes {
    fn source(&self) -> &dyn Source {
        match &self.0 {
            Held::Plain(bytes) => bytes,
            #[cfg(feature = "map")]
            Held::Mapped(bytes) => bytes,
            Held::Other(source) => &**source,
            #[cfg(feature = "packed")]
            Held::Packed(packed) => &**packed,
        }
    }

    /// Wraps any source, so that `Table<Bytes>` can have it.
    pub fn from_source(source: impl Source + Send + Sync + 'static) -> Bytes {
        Bytes(Held::Other(Box::new(source)))
    }
}

#[cfg(feature = "std")]
impl Bytes {
    /// Opens a file, plain or packed, which its first bytes show. A file of at most 64 MiB is read into memory, but not unpacked. The bytes
    /// of a larger file are read when they are needed.
    ///
    /// # Errors
    /// If the file does not exist, cannot be read, is not a regular file (a pipe, for example), or is packed with an invalid
    /// seek table.
    pub fn open(path: impl AsRef<Path>) -> Result<Bytes, TableError> {
        let open = |path: &Path| {
            let mut file = open_regular(path)?;
            let size = file.metadata()?.len();
            if size > IN_MEMORY {
                return Ok(Bytes::from_source(PlacedFile { file: SharedFile::from(file), size }));
            }
            let mut bytes = Vec::with_capacity(size as usize);
            file.read_to_end(&mut bytes)?;
            Ok(Bytes::from(bytes))
        };
        Bytes::of_file(path.as_ref(), open(path.as_ref()))
    }

    /// Maps a plain or packed file. Nothing is read in advance, and processes share the pages. No lock is taken.
    ///
    /// # Safety
    /// Nobody may change or truncate the file while it is mapped: bytes would change while references to them exist, and reading past the
    /// new end kills the process. Replace a table by renaming a new file over it, as the generator does; copying over a table truncates it.
    /// Use [`Bytes::open`] for files that others may write.
    ///
    /// # Errors
    /// Errors of [`Bytes::open`], or if the file cannot be mapped.
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "the caller's promise is handed on")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Bytes, TableError> {
        // SAFETY: the caller guarantees that the file does not change.
        let map = |path: &Path| unsafe { Bytes::map_file(&open_regular(path)?) };
        Bytes::of_file(path.as_ref(), map(path.as_ref()))
    }

    /// Maps an open file.
    ///
    /// # Safety
    /// Nobody may change or truncate the file while it is mapped: see [`Bytes::map`].
    ///
    /// # Errors
    /// If the file cannot be mapped.
    #[doc(hidden)]
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "a mapped file can change under its reader")]
    pub unsafe fn map_file(file: &File) -> io::Result<Bytes> {
        // SAFETY: the caller guarantees that the file does not change.
        unsafe { memmap2::Mmap::map(file) }.map(|map| Bytes(Held::Mapped(map)))
    }

    /// Loads all bytes into memory: reads them from a file, and unpacks them if they are packed.
    ///
    /// # Errors
    /// If the bytes cannot be read, a frame cannot be unpacked, or the table does not fit in memory.
    pub fn loaded(self) -> Result<Bytes, TableError> {
        /// Number of bytes that are read at a time. If a seek table promises more than its frames have, a read fails before all the memory
        /// is used.
        const PIECE: u64 = 8 << 20;
        if self.in_memory().is_some() {
            return Ok(self);
        }
        let size = self.size();
        let too_large = |_| TableError::io(alloc::format!("{size} bytes do not fit in memory"));
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX)).map_err(too_large)?;
        for start in (0..size).step_by(PIECE as usize) {
            bytes.resize(size.min(start + PIECE) as usize, 0);
            self.read_at(start, &mut bytes[start as usize..])?;
        }
        Ok(bytes.into())
    }

    fn of_file(path: &Path, bytes: io::Result<Bytes>) -> Result<Bytes, TableError> {
        let bytes = bytes.map_err(TableError::from);
        #[cfg(feature = "packed")]
        let bytes = bytes.and_then(Bytes::detect);
        bytes.map_err(|error| error.at(path))
    }
}

#[cfg(feature = "packed")]
impl Bytes {
    /// Wraps bytes, and unpacks them on access if their first bytes show that they are packed.
    ///
    /// # Errors
    /// If the bytes are packed and their seek table is invalid.
    pub fn detect(bytes: Bytes) -> Result<Bytes, TableError> {
        Ok(match is_packed(&bytes)? {
            true => Bytes(Held::Packed(Box::new(Packed::open(bytes)?))),
            false => bytes,
        })
    }

    /// The packed table; `None` if the bytes are plain.
    pub fn packed(&self) -> Option<&Packed<Bytes>> {
        if let Held::Packed(packed) = &self.0 { Some(packed) } else { None }
    }
}

/// A file that several threads can read: on Unix at once, elsewhere one after the other.
#[cfg(all(feature = "std", unix))]
type SharedFile = File;
#[cfg(all(feature = "std", not(unix)))]
type SharedFile = std::sync::Mutex<File>;

/// A file that is read at offsets.
#[cfg(feature = "std")]
struct PlacedFile {
    file: SharedFile,
    size: u64,
}

#[cfg(feature = "std")]
impl Source for PlacedFile {
    fn size(&self) -> u64 {
        self.size
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        Ok(std::os::unix::fs::FileExt::read_exact_at(&self.file, into, offset)?)
    }

    #[cfg(not(unix))]
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        use std::io::{Seek, SeekFrom};
        // Every read begins with a seek, so it does not matter where a panic left the file.
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        Ok(file.read_exact(into)?)
    }
}

/// Opens a regular file. Checks that the file is regular before it is opened, because opening a pipe would wait for a writer.
#[cfg(feature = "std")]
fn open_regular(path: &Path) -> io::Result<File> {
    let regular = |data: fs::Metadata| match data.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    };
    regular(fs::metadata(path)?)?;
    let file = File::open(path)?;
    // Checked again, because the path may have been replaced since the first check.
    regular(file.metadata()?)?;
    Ok(file)
}
