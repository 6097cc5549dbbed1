//! The inbox: entries that wait for their rows, in memory up to a limit, and beyond it in a file.
//!
//! Accepts batches in any order, and returns the batches of one strip. If many entries of a strip get the same code,
//! their keys are replaced by a bit for each entry of the strip.

use crate::solve::exchange::{Batch, beyond, each_entry};
use morpion_core::rank::cells;
use morpion_machine::files;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Batches by strip. Several threads may put and take at the same time.
#[derive(Default)]
pub struct Inbox {
    strips: Vec<Mutex<Strip>>,
    /// Bytes of pending entries in memory, and their maximum.
    memory: AtomicUsize,
    limit: usize,
    /// Number of entries ever put in.
    received: AtomicU64,
    /// Folder for the file of other entries; `None` keeps all in memory.
    folder: Option<PathBuf>,
    /// The file of entries that do not fit in memory, and its length.
    spool: OnceLock<File>,
    spooled: Mutex<u64>,
}

/// Pending entries of one strip, in ascending order of their codes.
type Strip = Vec<Waiting>;

/// Pending entries with one code.
#[derive(Default)]
struct Waiting {
    code: u16,
    list: Vec<u32>,
    /// One more than the greatest key so far.
    end: u32,
    /// A bit for each key, if that takes less memory.
    bits: Vec<u64>,
    /// Number of keys and file offset of each spooled list.
    spooled: Vec<(u32, u64)>,
}

/// Maximum number of keys of a code that a strip keeps as a list. Beyond it, the strip uses bits.
const LISTED: usize = 1 << 9;

impl Waiting {
    fn put(&mut self, keys: &[u32]) {
        self.end = keys.iter().fold(self.end, |end, key| end.max(key.saturating_add(1)));
        if self.bits.is_empty() {
            let listed = self.list.len() + keys.len();
            if listed < LISTED || listed as u64 * 64 < u64::from(self.end) {
                self.list.extend_from_slice(keys);
            } else {
                self.set(keys);
                let list = std::mem::take(&mut self.list);
                self.set(&list);
            }
        } else {
            self.set(keys);
        }
    }

    fn set(&mut self, keys: &[u32]) {
        let words = self.end.div_ceil(64) as usize;
        if self.bits.len() < words {
            self.bits.resize(words, 0);
        }
        for &key in keys {
            self.bits[key as usize / 64] |= 1 << (key % 64);
        }
    }

    /// Size in memory, in bytes.
    fn memory(&self) -> usize {
        self.list.capacity() * size_of::<u32>() + self.bits.len() * size_of::<u64>()
    }

    /// Takes the keys that are in memory.
    fn take(&mut self) -> Arrived {
        let (list, bits) = (std::mem::take(&mut self.list), std::mem::take(&mut self.bits));
        Arrived { code: self.code, lists: vec![list], bits }
    }
}

/// Entries of one strip that get the same code. An entry may occur more than once.
pub struct Arrived {
    /// The code.
    pub code: u16,
    lists: Vec<Vec<u32>>,
    bits: Vec<u64>,
}

impl Arrived {
    /// The keys, in the order of [`Arrived::each`].
    pub(crate) fn keys(&self) -> impl Iterator<Item = u32> {
        let in_word =
            |(word, &bits): (u32, &u64)| cells(bits).map(move |bit| word * 64 + u32::from(bit));
        (0u32..).zip(&self.bits).flat_map(in_word).chain(self.lists.iter().flatten().copied())
    }

    /// Visits the entries of the strip with these keys.
    ///
    /// # Errors
    /// If the strip has fewer entries.
    #[inline(always)]
    pub fn each<E>(&self, codes: &mut [E], mut visit: impl FnMut(u32, &mut E)) -> io::Result<()> {
        for (word, &bits) in (0u32..).zip(&self.bits) {
            for bit in cells(bits) {
                let key = word * 64 + u32::from(bit);
                visit(key, codes.get_mut(key as usize).ok_or_else(beyond)?);
            }
        }
        self.lists.iter().try_for_each(|keys| each_entry(codes, keys, &mut visit))
    }
}

impl Inbox {
    /// Creates an empty inbox for `strips` strips. If there is a folder, more than `limit` bytes are stored in a file
    /// there.
    pub fn new(strips: usize, limit: usize, folder: Option<PathBuf>) -> Inbox {
        let strips = std::iter::repeat_with(Mutex::default).take(strips).collect();
        Inbox { strips, limit, folder, ..Inbox::default() }
    }

    /// Sufficient memory in bytes for `entries` pending entries in `strips` strips, with at most `codes` codes.
    pub fn memory(entries: u64, strips: usize, codes: u64) -> u64 {
        // One bit per entry, and lists of limited length, whose capacity is up to twice their length.
        (entries.div_ceil(8) + (strips * 2 * LISTED * size_of::<u32>()) as u64) * codes
    }

    /// Makes room for at least this many strips.
    pub fn grow(&mut self, strips: usize) {
        if self.strips.len() < strips {
            self.strips.resize_with(strips, Mutex::default);
        }
    }

    /// Returns the codes of the pending entries in these strips, those of each strip once.
    pub fn waiting(&self, strips: Range<usize>) -> Vec<u16> {
        let mut codes = Vec::new();
        for strip in strips.filter_map(|strip| self.strips.get(strip)) {
            codes.extend(lock(strip).iter().map(|waiting| waiting.code));
        }
        codes
    }

    /// Returns the number of entries ever put in.
    pub fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// Puts a batch in.
    ///
    /// # Errors
    /// If its strip does not exist, or the file cannot be written.
    pub fn put(&self, batch: &Batch) -> io::Result<()> {
        let strip = self.strips.get(batch.strip as usize).ok_or_else(beyond)?;
        self.received.fetch_add(batch.keys.len() as u64, Ordering::Relaxed);
        let memory = {
            let mut strip = lock(strip);
            let at = match strip.binary_search_by_key(&batch.code, |waiting| waiting.code) {
                Ok(at) => at,
                Err(at) => {
                    strip.insert(at, Waiting { code: batch.code, ..Waiting::default() });
                    at
                }
            };
            let waiting = &mut strip[at];
            let before = waiting.memory();
            waiting.put(&batch.keys);
            let after = waiting.memory();
            self.memory.fetch_add(after, Ordering::Relaxed);
            self.memory.fetch_sub(before, Ordering::Relaxed) - before
        };
        match &self.folder {
            Some(folder) if memory > self.limit => self.spill(folder),
            _ => Ok(()),
        }
    }

    /// Takes the pending entries of one strip. Reading the file does not block other threads.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn take(&self, strip: usize) -> io::Result<Vec<Arrived>> {
        let Some(waiting) = self.strips.get(strip) else { return Ok(Vec::new()) };
        let waiting = std::mem::take(&mut *lock(waiting));
        let mut all = Vec::new();
        for mut waiting in waiting {
            self.memory.fetch_sub(waiting.memory(), Ordering::Relaxed);
            let mut arrived = waiting.take();
            for &(count, offset) in &waiting.spooled {
                arrived.lists.push(self.read(count, offset)?);
            }
            all.push(arrived);
        }
        Ok(all)
    }

    fn read(&self, count: u32, offset: u64) -> io::Result<Vec<u32>> {
        let mut bytes = vec![0; 4 * count as usize];
        if let Some(file) = self.spool.get() {
            let _lock = (!files::READS_KEEP_THE_POSITION).then(|| lock(&self.spooled));
            files::read_at(file, offset, &mut bytes)?;
        }
        Ok(bytes.as_chunks().0.iter().map(|&key| u32::from_le_bytes(key)).collect())
    }

    /// Moves all pending entries from memory to the end of the file, in the order of the strips.
    fn spill(&self, folder: &PathBuf) -> io::Result<()> {
        let mut length = lock(&self.spooled);
        // Another thread may have spilled meanwhile.
        if self.memory.load(Ordering::Relaxed) <= self.limit {
            return Ok(());
        }
        if *length == 0 {
            // The file has no name, so it never remains after a kill.
            let file = tempfile::tempfile_in(folder)?;
            self.spool.get_or_init(|| file);
        }
        let Some(mut file) = self.spool.get() else { return Ok(()) };
        file.seek(SeekFrom::Start(*length))?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        for strip in &self.strips {
            for waiting in lock(strip).iter_mut() {
                self.memory.fetch_sub(waiting.memory(), Ordering::Relaxed);
                let (offset, mut count) = (*length, 0);
                for key in waiting.take().keys() {
                    count += 1;
                    out.write_all(&key.to_le_bytes())?;
                }
                if count > 0 {
                    waiting.spooled.push((count, offset));
                }
                *length += 4 * u64::from(count);
            }
        }
        out.flush()
    }
}

/// Poisoning is harmless, because a panic ends the build.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

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
            let inbox = Inbox::new(3, limit, Some(folder.path().into()));
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
    fn pending_entries_take_no_more_memory_than_planned() {
        let (strips, entries) = (4, 100_000);
        let inbox = Inbox::new(strips, usize::MAX, None);
        let mut most = 0;
        for n in 0..400 {
            let keys = (0..1000).map(|key| (n * 1000 + key) * 77 % entries).collect();
            inbox.put(&Batch { strip: n % 4, code: (n / 4 % 2) as u16, keys }).unwrap();
            most = most.max(inbox.memory.load(Ordering::Relaxed));
        }
        let planned = Inbox::memory(u64::from(entries) * strips as u64, strips, 2) as usize;
        assert!(planned / 2 < most && most <= planned, "{most} bytes, planned {planned}");
    }

    #[test]
    fn threads_read_the_spooled_entries_at_the_same_time() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::new(64, 1000, Some(folder.path().into()));
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
