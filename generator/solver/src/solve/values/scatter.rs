//! Writes two-bit entries in any order from several threads.
//!
//! In a table of hundreds of megabytes, a write at a random place is as slow as a read from memory. So each thread collects records for
//! each part of the table. It writes these records when they are enough to use most cache lines of the part more than once.

use morpion_machine::memory::prefetch;
use morpion_machine::threads::lock;
use std::sync::Mutex;

/// Entries per byte.
pub const PACKED: usize = 4;

/// Entries per part: 512 KiB, half of a usual second-level cache.
const PART: usize = 1 << 21;

/// Records that all threads together collect for a part: four per cache line. All records take a quarter of the table's memory.
const RECORDS: usize = PART / PACKED / 16;

/// Records per cache line.
const LINE: usize = 16;

/// Number of records between the prefetch of a cache line and its use.
const AHEAD: usize = 16;

/// A table of two-bit entries in parts.
pub struct Scatter<'t> {
    parts: Vec<Mutex<&'t mut [u8]>>,
    threads: usize,
}

impl<'t> Scatter<'t> {
    /// Prepares a table for writing by `threads` threads.
    pub fn new(packed: &'t mut [u8], threads: usize) -> Scatter<'t> {
        Scatter { parts: packed.chunks_mut(PART / PACKED).map(Mutex::new).collect(), threads }
    }

    /// Creates the collection of one thread.
    pub fn collect(&self) -> Collected<'_, 't> {
        // A few lines more than a power of two, so that the ends of all parts do not fall into one set of the cache.
        let capacity = RECORDS / self.threads + 5 * LINE;
        Collected {
            scatter: self,
            capacity,
            records: vec![0; capacity * self.parts.len()],
            lengths: vec![0; self.parts.len()],
        }
    }
}

/// Pending writes of one thread.
pub struct Collected<'s, 't> {
    scatter: &'s Scatter<'t>,
    capacity: usize,
    /// `capacity` records for each part: the number of an entry inside the part, above two bits.
    records: Vec<u32>,
    /// Number of records of each part.
    lengths: Vec<u32>,
}

impl Collected<'_, '_> {
    /// In the entry `key`, sets the bits that are set in `bits`.
    #[inline(always)]
    pub fn set(&mut self, key: usize, bits: u32) {
        let part = key / PART;
        let length = self.lengths[part] as usize;
        if length.is_multiple_of(LINE) {
            prefetch(&self.records, part * self.capacity + length + LINE);
        }
        self.records[part * self.capacity + length] = ((key % PART) as u32) << 2 | bits;
        self.lengths[part] = length as u32 + 1;
        if length + 1 == self.capacity {
            self.write(part);
        }
    }

    /// Performs all pending writes.
    pub fn write_all(&mut self) {
        (0..self.lengths.len()).for_each(|part| self.write(part));
    }

    #[inline(never)]
    fn write(&mut self, part: usize) {
        let length = std::mem::take(&mut self.lengths[part]) as usize;
        if length == 0 {
            return;
        }
        let mut packed = lock(&self.scatter.parts[part]);
        let records = &self.records[part * self.capacity..][..length];
        for (index, &record) in records.iter().enumerate() {
            if let Some(ahead) = records.get(index + AHEAD) {
                prefetch(&packed, (ahead >> 2) as usize / PACKED);
            }
            let (key, bits) = ((record >> 2) as usize, (record & 3) as u8);
            packed[key / PACKED] |= bits << (key % PACKED * 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_write_all_their_bits() {
        const ENTRIES: usize = 2 * PART + 12;
        let mut packed = vec![0; ENTRIES / PACKED];
        let scatter = Scatter::new(&mut packed, 3);
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let scatter = &scatter;
                scope.spawn(move || {
                    let mut collected = scatter.collect();
                    // Multiples of an odd number reach every entry in scattered order.
                    for index in (thread..ENTRIES).step_by(3) {
                        let key = index * 1_000_003 % ENTRIES;
                        collected.set(key, (key * 7 % 4) as u32);
                    }
                    collected.write_all();
                });
            }
        });
        drop(scatter);
        for key in 0..ENTRIES {
            assert_eq!(usize::from(packed[key / PACKED] >> (key % PACKED * 2) & 3), key * 7 % 4);
        }
    }
}
