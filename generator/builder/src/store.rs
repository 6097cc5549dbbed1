//! Rows in files: each block is a file with a Zstandard frame for every strip. A file is replaced as a whole, so a kill leaves the old
//! file or the new one.

use crate::files;
use crate::frames::{FramePacker, FrameUnpacker, split_frame};
use morpion_core::Source;
use morpion_lookup::Bytes;
use morpion_solver::solve::store::{BlockId, Contents, NewBlock, OldBlock, Scratch, Store};
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// The files of one folder.
#[derive(Clone, Debug)]
pub struct FileStore {
    /// The folder, which exists.
    pub folder: PathBuf,
}

impl FileStore {
    fn path(&self, BlockId { layer, block, contents }: BlockId) -> PathBuf {
        let ending = match contents {
            Contents::Table => "rows",
            Contents::Holds => "holds.rows",
        };
        self.folder.join(format!("{layer}-{block}.{ending}"))
    }
}

impl Store for FileStore {
    fn create(&self, block: BlockId) -> io::Result<Box<dyn NewBlock>> {
        let path = self.path(block);
        // A block is compressed again for every distance at which it changes, so the level is low.
        let packer = FramePacker::new(1);
        let out = BufWriter::with_capacity(1 << 16, files::beside(&path)?);
        Ok(Box::new(NewFile { path, out, packer }))
    }

    fn open(&self, block: BlockId, strip: usize) -> io::Result<Box<dyn OldBlock>> {
        let path = self.path(block);
        let opened = || {
            // SAFETY: a file of rows is replaced, but never changed.
            let bytes = unsafe { Bytes::map_file(&File::open(&path)?) }?;
            let unpacker = FrameUnpacker::default();
            let mut old = OldFile { path: path.clone(), bytes, frame: 0..0, unpacker };
            (0..strip).try_for_each(|_| old.advance())?;
            Ok(old)
        };
        Ok(Box::new(opened().map_err(|error| named(&path, error))?))
    }

    fn sync(&self, block: BlockId) -> io::Result<()> {
        let path = self.path(block);
        let synced = File::open(&path).and_then(|file| file.sync_all());
        synced.map_err(|error| named(&path, error))
    }

    fn remove(&self, block: BlockId) -> io::Result<()> {
        let path = self.path(block);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(named(&path, error)),
            _ => Ok(()),
        }
    }

    fn scratch(&self) -> io::Result<Box<dyn Scratch>> {
        // The file has no name, so it never remains after a kill.
        let file = tempfile::tempfile_in(&self.folder)?;
        Ok(Box::new(ScratchFile { file, position: Mutex::default() }))
    }
}

/// Adds the path to an error.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The replacement of a block's file. It is synced only by [`Store::sync`].
struct NewFile {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
    packer: FramePacker,
}

impl NewBlock for NewFile {
    fn write(&mut self, strip: &[u8]) -> io::Result<()> {
        self.out.write_all(&self.packer.pack(strip)?)
    }

    fn copy(&mut self, stored: &[u8]) -> io::Result<()> {
        self.out.write_all(stored)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.persist(self.path)?;
        Ok(())
    }
}

/// The mapped file of a block.
struct OldFile {
    path: PathBuf,
    bytes: Bytes,
    /// The frame of the strip that was read last.
    frame: Range<usize>,
    unpacker: FrameUnpacker,
}

impl OldFile {
    /// Moves to the next frame.
    fn advance(&mut self) -> io::Result<()> {
        let (start, bytes) = (self.frame.end, self.bytes.in_memory().unwrap_or_default());
        let (frame, _) = split_frame(&bytes[start..])?;
        self.frame = start..start + frame.len();
        Ok(())
    }
}

impl OldBlock for OldFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<()> {
        let mut read = || {
            self.advance()?;
            let bytes = self.bytes.in_memory().unwrap_or_default();
            self.unpacker.unpack(&bytes[self.frame.clone()], into)
        };
        read().map_err(|error| named(&self.path, error))
    }

    fn stored(&self) -> &[u8] {
        &self.bytes.in_memory().unwrap_or_default()[self.frame.clone()]
    }
}

/// An unnamed file.
struct ScratchFile {
    file: File,
    /// Held while the file's position moves.
    position: Mutex<()>,
}

impl ScratchFile {
    fn lock(&self) -> Option<MutexGuard<'_, ()>> {
        let lock = || self.position.lock().unwrap_or_else(PoisonError::into_inner);
        (!files::KEEPS_THE_POSITION).then(lock)
    }
}

impl Scratch for ScratchFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let _lock = self.lock();
        files::write_at(&self.file, offset, bytes)
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let _lock = self.lock();
        files::read_at(&self.file, offset, into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_solver::solve::exchange::{Batch, Inbox};
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn store(folder: &tempfile::TempDir) -> Arc<dyn Store> {
        Arc::new(FileStore { folder: folder.path().into() })
    }

    /// The distinct keys that wait for a strip, in order, by code.
    fn taken(inbox: &Inbox, strip: usize) -> BTreeMap<u16, Vec<u32>> {
        let mut taken: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
        for arrived in inbox.take(strip).unwrap() {
            let keys = taken.entry(arrived.code).or_default();
            keys.extend(arrived.keys());
            keys.sort_unstable();
            keys.dedup();
        }
        taken
    }

    #[test]
    fn entries_are_returned_from_lists_bits_and_the_file() {
        let folder = tempfile::tempdir().unwrap();
        // Few keys, many keys, and many keys far apart.
        let few = |n: u32| (n..n + 9).collect::<Vec<_>>();
        let many = |n: u32| (n..n + 1500).map(|key| key * 7).collect::<Vec<_>>();
        let apart = |n: u32| (n..n + 1500).map(|key| key * 70_000).collect::<Vec<_>>();
        for limit in [0, 3000, usize::MAX] {
            let inbox = Inbox::new(3, limit, Some(store(&folder)));
            let mut expected: Vec<BTreeMap<u16, Vec<u32>>> = vec![BTreeMap::new(); 3];
            for n in 0..8 {
                for (code, keys) in [(1, few(20 * n)), (2, many(1500 * n)), (9, apart(1500 * n))] {
                    let strip = n * 2 % 3;
                    expected[strip as usize].entry(code).or_default().extend(&keys);
                    inbox.put(&Batch { strip, code, keys }).unwrap();
                }
            }
            assert_eq!(inbox.received(), 8 * (9 + 1500 + 1500));
            for (strip, expected) in expected.iter_mut().enumerate() {
                let codes: Vec<_> = expected.keys().copied().collect();
                assert_eq!(inbox.waiting(strip..strip + 1), codes);
                expected.values_mut().for_each(|keys| keys.sort_unstable());
                assert!(taken(&inbox, strip) == *expected, "{limit} {strip}");
            }
            assert!(inbox.waiting(0..3).is_empty() && inbox.take(2).unwrap().is_empty());
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn threads_read_the_spooled_entries_at_the_same_time() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::new(64, 1000, Some(store(&folder)));
        let key = |strip: u32, code: u16| move |key: u32| key << 16 | strip << 8 | u32::from(code);
        let keys = |strip, code| (0..100).map(key(strip, code)).collect::<Vec<u32>>();
        for (code, strip) in (0..20).flat_map(|code| (0..64).map(move |strip| (code, strip))) {
            inbox.put(&Batch { strip, code, keys: keys(strip, code) }).unwrap();
        }
        assert_eq!(inbox.received(), 20 * 64 * 100);
        std::thread::scope(|scope| {
            for first in 0..4 {
                let (inbox, keys) = (&inbox, &keys);
                scope.spawn(move || {
                    for strip in (first..64).step_by(4) {
                        let expected = (0..20).map(|code| (code, keys(strip, code)));
                        assert!(taken(inbox, strip as usize) == expected.collect());
                    }
                });
            }
        });
        assert!(inbox.waiting(0..64).is_empty());
    }
}
