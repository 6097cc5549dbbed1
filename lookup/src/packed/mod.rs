//! Packed tables: the bytes of a table in the seekable format of Zstandard, which can be read without unpacking the whole table.
//!
//! Makes a [`Source`] of the unpacked bytes from a source of packed bytes. The file is a sequence of independent Zstandard frames and a
//! [seek table](seek_table) with the packed and unpacked length of each frame. A read unpacks the frames that it needs, and the most
//! recently used frames are cached.

mod decode;
mod frames;
mod seek_table;

use crate::{Source, TableError};
use frames::{Fetched, Frames};
use morpion_core::slice;
use seek_table::SeekTable;
use std::sync::{Mutex, PoisonError};

/// Default maximum of cached bytes: the maps of most tables and a thousand frames.
const CACHE: usize = 64 << 20;

/// A packed table: a [`Source`] of unpacked bytes, given a source of packed bytes.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use morpion_lookup::{Packed, Table};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let packed = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/packed/swap.morpion.zst"));
/// let table = Table::from_source(Packed::open(&packed[..])?)?;
/// let start = table.game().start();
/// assert_eq!(table.probe(start)?, Table::builtin("swap").unwrap().probe(start)?);
/// # Ok(()) }
/// # main().unwrap() }
/// ```
///
/// A value takes two reads, one of a map and one of an entry, so at most two frames are unpacked; the moves of a position take the frames
/// of a map entry and of one row. Threads can share a packed table, but only one thread reads at a time.
pub struct Packed<S> {
    source: S,
    seek_table: SeekTable,
    frames: Mutex<Frames>,
}

impl<S: Source> Packed<S> {
    /// Opens packed bytes and caches up to 64 MiB of unpacked frames.
    ///
    /// Reads only the seek table at the end, 8 bytes for each frame, and the index before it, if there is one.
    ///
    /// # Errors
    /// If the bytes cannot be read, or the seek table is missing or contradicts the length of the bytes.
    pub fn open(source: S) -> Result<Packed<S>, TableError> {
        let seek_table = SeekTable::read(&source)?;
        Ok(Packed { source, seek_table, frames: Mutex::new(Frames::new(CACHE)) })
    }

    /// Sets the maximum of cached bytes, and evicts excess frames. The last frame of a read is cached even if it is larger. Raise the
    /// maximum before many random reads.
    pub fn set_cache(&self, bytes: usize) {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).set_capacity(bytes);
    }

    /// The source of the packed bytes.
    pub fn get_ref(&self) -> &S {
        &self.source
    }

    /// Number of frames.
    #[doc(hidden)]
    pub fn frame_count(&self) -> usize {
        self.seek_table.len()
    }
}

impl<S: Source> Source for Packed<S> {
    fn size(&self) -> u64 {
        self.seek_table.size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        let size = self.size();
        if offset.checked_add(into.len() as u64).is_none_or(|end| end > size) {
            let what = alloc::format!("{} bytes at {offset} of {size}", into.len());
            return Err(TableError::io(what));
        }
        // Poisoning is harmless: only unpacked frames are cached.
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fetched = Fetched::default();
        let (mut at, mut into) = (offset, into);
        for frame in self.seek_table.frames(offset, into.len()) {
            if !frames.contains(frame) {
                let following = self.seek_table.frames(at, into.len());
                let packed = match self.source.in_memory() {
                    Some(bytes) => slice(bytes, frame.packed, frame.packed_length),
                    None => Some(fetched.frame(&self.source, frame, following)?),
                };
                frames.unpack(frame, packed.unwrap_or_default())?;
            }
            let rest = &frames.get(frame)[(at - frame.start) as usize..];
            let (now, later) = into.split_at_mut(rest.len().min(into.len()));
            now.copy_from_slice(&rest[..now.len()]);
            at += now.len() as u64;
            into = later;
        }
        Ok(())
    }
}

/// Returns whether the bytes begin with the four bytes of a Zstandard frame, as packed tables do.
pub(crate) fn is_packed(source: &dyn Source) -> Result<bool, TableError> {
    let mut magic = [0; 4];
    if source.size() < 4 {
        return Ok(false);
    }
    source.read_at(0, &mut magic)?;
    Ok(magic == [0x28, 0xB5, 0x2F, 0xFD])
}
