//! The inbox: entries that wait for their rows, in memory up to a limit, and beyond it in a store.
//!
//! Accepts batches in any order, and returns the batches of one strip. If many entries of a strip get the same code,
//! their keys are replaced by a bit for each entry of the strip.

use crate::solve::exchange::{Batch, beyond, each_entry};
use crate::solve::store::{Scratch, Store};
use morpion_core::rank::cells;
use morpion_machine::threads::lock;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Batches by strip. Several threads may put and take at the same time.
#[derive(Default)]
pub struct Inbox {
    strips: Vec<Mutex<Strip>>,
    /// Bytes of pending entries in memory, and their maximum.
    memory: AtomicUsize,
    limit: usize,
    /// Number of entries ever put in.
    received: AtomicU64,
    /// Store for entries beyond the limit; `None` keeps all entries in memory.
    store: Option<Arc<dyn Store>>,
    /// The entries that do not fit in memory, and their size in bytes.
    spool: OnceLock<Box<dyn Scratch>>,
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
    /// A bit for each entry of the strip, instead of `list`, if the bits take less memory.
    bits: Vec<u64>,
    /// The spooled list that was written last.
    spooled: Spooled,
}

/// A list in the spool: the number of its keys, 0 if the spool has no list, and its offset. Each list begins with the place of the
/// previous list, so that an inbox stores in memory only the place of the last list.
type Spooled = (u32, u64);

/// Length of a [`Spooled`] in the spool.
const LINK: usize = 12;

/// Reads a [`Spooled`] from the spool.
fn read_link(bytes: &[u8; LINK]) -> Spooled {
    let [count, low, high] = *bytes.as_chunks().0 else { return (0, 0) };
    let [count, low, high] = [count, low, high].map(u32::from_le_bytes);
    (count, u64::from(low) | u64::from(high) << 32)
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
            self.bits.reserve_exact(words - self.bits.len());
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

    /// The keys that are in memory.
    fn keys(&self) -> impl Iterator<Item = u32> {
        let in_word =
            |(word, &bits): (u32, &u64)| cells(bits).map(move |bit| word * 64 + u32::from(bit));
        (0u32..).zip(&self.bits).flat_map(in_word).chain(self.list.iter().copied())
    }
}

/// Entries of one strip that get the same code. An entry may occur more than once.
pub struct Arrived<'i> {
    /// The code.
    pub code: u16,
    waiting: Waiting,
    inbox: &'i Inbox,
}

impl Arrived<'_> {
    /// Visits the keys, in the order of [`Arrived::each`].
    ///
    /// # Errors
    /// If `visit` or the store fails.
    pub fn each_key(&self, mut visit: impl FnMut(u32) -> io::Result<()>) -> io::Result<()> {
        self.waiting.keys().try_for_each(&mut visit)?;
        self.each_spooled(|keys| keys.iter().try_for_each(|&key| visit(key)))
    }

    /// Visits the entries of the strip with these keys.
    ///
    /// # Errors
    /// If the strip has fewer entries, or the store fails.
    #[inline(always)]
    pub fn each<E>(&self, codes: &mut [E], mut visit: impl FnMut(u32, &mut E)) -> io::Result<()> {
        for (word, &bits) in (0u32..).zip(&self.waiting.bits) {
            for bit in cells(bits) {
                let key = word * 64 + u32::from(bit);
                visit(key, codes.get_mut(key as usize).ok_or_else(beyond)?);
            }
        }
        each_entry(codes, &self.waiting.list, &mut visit)?;
        self.each_spooled(|keys| each_entry(codes, keys, &mut visit))
    }

    /// Visits the keys in the spool piece by piece, because all keys of a strip take more memory than its entries.
    fn each_spooled(&self, mut visit: impl FnMut(&[u32]) -> io::Result<()>) -> io::Result<()> {
        let Some(spool) = self.inbox.spool.get() else { return Ok(()) };
        let ((mut count, mut offset), mut before) = (self.waiting.spooled, Spooled::default());
        let (mut bytes, mut keys, mut head) = (Vec::new(), Vec::new(), LINK);
        while count > 0 {
            let piece = count.min(PIECE);
            bytes.resize(head + 4 * piece as usize, 0);
            spool.read_at(offset, &mut bytes)?;
            let (link, rest) = bytes.split_at(head);
            before = link.first_chunk().map_or(before, read_link);
            keys.clear();
            keys.extend(rest.as_chunks().0.iter().map(|&key| u32::from_le_bytes(key)));
            visit(&keys)?;
            (count, offset, head) = (count - piece, offset + bytes.len() as u64, 0);
            if count == 0 {
                ((count, offset), head) = (before, LINK);
            }
        }
        Ok(())
    }
}

/// Maximum number of keys that are read from the spool at once.
const PIECE: u32 = 1 << 13;

impl Inbox {
    /// Creates an empty inbox for `strips` strips. If there is a store, entries beyond `limit` bytes are spooled to it.
    pub fn new(strips: usize, limit: usize, store: Option<Arc<dyn Store>>) -> Inbox {
        let strips = std::iter::repeat_with(Mutex::default).take(strips).collect();
        Inbox { strips, limit, store, ..Inbox::default() }
    }

    /// An upper bound, in bytes, of the memory for `entries` pending entries in `strips` strips, with at most `codes` codes.
    pub fn memory(entries: u64, strips: usize, codes: u64) -> u64 {
        // One bit per entry, and lists of limited length, whose capacity is up to twice their length.
        (entries.div_ceil(8) + (strips * 2 * LISTED * size_of::<u32>()) as u64) * codes
    }

    /// Memory in bytes that the inbox keeps even if all entries are in the store, for at most `codes` codes.
    pub fn index(strips: usize, codes: usize) -> u64 {
        // A vector has room for at least four elements, and its capacity is a power of two.
        let waiting = codes.next_power_of_two().max(4) * size_of::<Waiting>();
        (strips * (size_of::<Mutex<Strip>>() + waiting)) as u64
    }

    /// Makes room for at least this many strips.
    pub fn grow(&mut self, strips: usize) {
        if self.strips.len() < strips {
            self.strips.resize_with(strips, Mutex::default);
        }
    }

    /// Returns the codes of the pending entries in these strips. A code of several strips occurs several times.
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
    /// If its strip does not exist, or the store fails.
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
        match &self.store {
            Some(store) if memory > self.limit => self.spill(&**store),
            _ => Ok(()),
        }
    }

    /// Takes the pending entries of one strip. Reading spooled entries does not block other threads.
    pub fn take(&self, strip: usize) -> Vec<Arrived<'_>> {
        let Some(waiting) = self.strips.get(strip) else { return Vec::new() };
        let waiting = std::mem::take(&mut *lock(waiting));
        let arrived = |waiting: Waiting| {
            self.memory.fetch_sub(waiting.memory(), Ordering::Relaxed);
            Arrived { code: waiting.code, waiting, inbox: self }
        };
        waiting.into_iter().map(arrived).collect()
    }

    /// Moves all pending entries from memory to the end of the spool, in the order of the strips.
    fn spill(&self, store: &dyn Store) -> io::Result<()> {
        /// Number of bytes that are written at once.
        const FULL: usize = 1 << 20;
        let mut length = lock(&self.spooled);
        // Another thread may have spilled meanwhile.
        if self.memory.load(Ordering::Relaxed) <= self.limit {
            return Ok(());
        }
        if *length == 0 {
            let spool = store.scratch()?;
            self.spool.get_or_init(|| spool);
        }
        let Some(spool) = self.spool.get() else { return Ok(()) };
        let (mut bytes, mut at) = (Vec::with_capacity(FULL), *length);
        for strip in &self.strips {
            for waiting in lock(strip).iter_mut() {
                if waiting.list.is_empty() && waiting.bits.is_empty() {
                    continue;
                }
                self.memory.fetch_sub(waiting.memory(), Ordering::Relaxed);
                let ((before, place), mut count) = (waiting.spooled, 0);
                bytes.extend(before.to_le_bytes().into_iter().chain(place.to_le_bytes()));
                for key in waiting.keys() {
                    count += 1;
                    bytes.extend_from_slice(&key.to_le_bytes());
                    if bytes.len() >= FULL {
                        spool.write_at(at, &bytes)?;
                        at += bytes.len() as u64;
                        bytes.clear();
                    }
                }
                (waiting.list, waiting.bits) = (Vec::new(), Vec::new());
                waiting.spooled = (count, *length);
                *length += LINK as u64 + 4 * u64::from(count);
            }
        }
        spool.write_at(at, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
