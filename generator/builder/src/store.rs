//! Rows in files: each block is a file with a Zstandard frame for every strip, and then a log. A file is replaced as a whole, so a kill
//! leaves the old file or the new file. Appended bytes follow their length and checksum in the log, so an append that a kill cut off is
//! ignored.

use crate::files;
use crate::frames::{FramePacker, FrameUnpacker, split_frame};
use morpion_core::Source;
use morpion_lookup::Bytes;
use morpion_solver::solve::store::{
    BlockId, Budget, NewBlock, OldBlock, Room, Scratch, Storage, Store,
};
use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_64;

thread_local! {
    // Each thread keeps these, because allocating them takes longer than packing a short strip. The level is low, because rows are packed
    // again soon.
    static PACKER: RefCell<FramePacker> = RefCell::new(FramePacker::new(1));
    static UNPACKER: RefCell<FrameUnpacker> = RefCell::default();
}

/// The files of one folder.
#[derive(Clone, Debug)]
pub struct FileStore {
    /// The folder, which exists.
    pub folder: PathBuf,
}

impl FileStore {
    /// Storage of rows that has this store. With `budgets`, by layer, it has room for the first blocks of rows; otherwise for all blocks.
    pub fn storage(self, budgets: Option<Vec<Budget>>) -> Storage {
        Storage { store: Some(Arc::new(self)), room: budgets.map(Room::new) }
    }

    fn path(&self, BlockId { layer, block, .. }: BlockId) -> PathBuf {
        self.folder.join(format!("{layer}-{block}.rows"))
    }
}

impl Store for FileStore {
    fn create(&self, block: BlockId) -> io::Result<Box<dyn NewBlock>> {
        let path = self.path(block);
        let out = BufWriter::with_capacity(1 << 16, files::beside(&path)?);
        Ok(Box::new(NewFile { path, out }))
    }

    fn open(&self, block: BlockId) -> io::Result<Box<dyn OldBlock>> {
        let path = self.path(block);
        let opened = || {
            // SAFETY: a file of rows is replaced or grows, but its bytes never change.
            let bytes = unsafe { Bytes::map_file(&File::open(&path)?) }?;
            let mut rest = bytes.in_memory().unwrap_or_default();
            let mut ends = vec![0];
            for strip in 0..block.strips {
                let (frame, after) = split_frame(rest)?;
                ends.push(ends[strip] + frame.len());
                rest = after;
            }
            Ok((bytes, ends))
        };
        let (bytes, ends) = opened().map_err(|error| named(&path, error))?;
        Ok(Box::new(OldFile { path, bytes, ends }))
    }

    fn append(&self, block: BlockId, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(block);
        let file = OpenOptions::new().append(true).open(&path);
        let appended = file.and_then(|mut file| file.write_all(&sealed(bytes)));
        appended.map_err(|error| named(&path, error))
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
        Ok(Box::new(ScratchFile(SharedFile::from(file))))
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
}

impl NewBlock for NewFile {
    fn write(&mut self, strip: &[u8]) -> io::Result<()> {
        PACKER.with_borrow_mut(|packer| self.out.write_all(&packer.pack(strip)?))
    }

    fn finish(mut self: Box<Self>, log: &[u8]) -> io::Result<()> {
        self.out.write_all(&sealed(log))?;
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.persist(self.path)?;
        Ok(())
    }
}

/// Bytes that the length and the checksum of appended bytes take.
const SEAL: usize = 8;

/// Puts the length and the checksum of appended bytes in front of them.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let [length, sum] = [bytes.len() as u32, xxh3_64(bytes) as u32].map(u32::to_le_bytes);
    [&length, &sum, bytes].concat()
}

/// Splits the bytes of the first append from the bytes that follow; `None` if the append is damaged or cut off.
fn unsealed(log: &[u8]) -> Option<(&[u8], &[u8])> {
    let (seal, rest) = log.split_first_chunk::<SEAL>()?;
    let length = u32::from_le_bytes(*seal.first_chunk()?) as usize;
    let (bytes, rest) = rest.split_at_checked(length)?;
    (seal[..] == sealed(bytes)[..SEAL]).then_some((bytes, rest))
}

/// The mapped file of a block.
struct OldFile {
    path: PathBuf,
    bytes: Bytes,
    /// The start of each frame, and the end of the last one.
    ends: Vec<usize>,
}

impl OldFile {
    fn bytes(&self) -> &[u8] {
        self.bytes.in_memory().unwrap_or_default()
    }
}

impl OldBlock for OldFile {
    fn read(&self, strip: usize, into: &mut [u8]) -> io::Result<()> {
        let frame = &self.bytes()[self.ends[strip]..self.ends[strip + 1]];
        let read = UNPACKER.with_borrow_mut(|unpacker| unpacker.unpack(frame, into));
        read.map_err(|error| named(&self.path, error))
    }

    fn log(&self) -> Vec<&[u8]> {
        let mut rest = &self.bytes()[self.ends[self.ends.len() - 1]..];
        let mut log = Vec::new();
        while let Some((bytes, after)) = unsealed(rest) {
            log.push(bytes);
            rest = after;
        }
        log
    }
}

/// A file that several threads can use: on Unix at once, elsewhere one after the other.
#[cfg(unix)]
type SharedFile = File;
#[cfg(not(unix))]
type SharedFile = std::sync::Mutex<File>;

/// An unnamed file.
struct ScratchFile(SharedFile);

#[cfg(unix)]
impl Scratch for ScratchFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.0, bytes, offset)
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, into, offset)
    }
}

#[cfg(not(unix))]
impl Scratch for ScratchFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = morpion_machine::threads::lock(&self.0);
        io::Seek::seek(&mut *file, io::SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let mut file = morpion_machine::threads::lock(&self.0);
        io::Seek::seek(&mut *file, io::SeekFrom::Start(offset))?;
        io::Read::read_exact(&mut *file, into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_solver::solve::exchange::{Batch, Inbox};
    use std::collections::BTreeMap;

    #[test]
    fn an_append_that_was_cut_off_is_ignored_and_those_before_it_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore { folder: folder.path().into() };
        let id = BlockId { layer: 3, block: 0, strips: 2 };
        let strips = [[1; 1000], [2; 1000]];
        let mut new = store.create(id).unwrap();
        strips.iter().try_for_each(|strip| new.write(strip)).unwrap();
        new.finish(b"first").unwrap();
        let path = store.path(id);
        let ends = ["second", ""].map(|text| {
            let before = fs::metadata(&path).unwrap().len();
            store.append(id, text.as_bytes()).unwrap();
            before
        });
        let whole = fs::read(&path).unwrap();
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let old = store.open(id).unwrap();
            for (number, strip) in strips.iter().enumerate() {
                let mut into = [0; 1000];
                old.read(number, &mut into).unwrap();
                assert_eq!(into, *strip);
            }
            old.log().iter().map(|bytes| bytes.to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(read(&whole), [&b"first"[..], b"second", b""]);
        for length in ends[0] as usize..whole.len() {
            let expected = if (length as u64) < ends[1] { 1 } else { 2 };
            assert_eq!(read(&whole[..length]).len(), expected, "{length}");
        }
        for at in ends[0] as usize..ends[1] as usize {
            let mut wrong = whole.clone();
            wrong[at] ^= 1;
            assert_eq!(read(&wrong), [b"first"], "{at}");
        }
    }

    fn store(folder: &tempfile::TempDir) -> Arc<dyn Store> {
        Arc::new(FileStore { folder: folder.path().into() })
    }

    /// The distinct keys that wait for a strip, in order, by code.
    fn taken(inbox: &Inbox, strip: usize) -> BTreeMap<u16, Vec<u32>> {
        let mut taken: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
        for arrived in inbox.take(strip) {
            let keys = taken.entry(arrived.code).or_default();
            let push = |key| {
                keys.push(key);
                Ok(())
            };
            arrived.each_key(push).unwrap();
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
            assert!(inbox.waiting(0..3).is_empty() && inbox.take(2).is_empty());
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
