//! Batches of results that an operator sends to their rows in the table.
//!
//! An [`Outbox`] collects entries with their codes, and sends them in batches. A batch contains entries of one strip
//! that get the same code, with four bytes per entry.

use crate::error::SolveError;
use morpion_machine::memory::prefetch;
use serde::{Deserialize, Serialize};
use std::io;

/// Entries of one strip that get the same code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// The strip: `STRIP_ROWS` neighbouring rows of the table.
    pub strip: u32,
    /// The code.
    pub code: u16,
    /// The entries inside the strip: row of the strip × columns + column.
    pub keys: Vec<u32>,
}

impl Batch {
    /// Size of the batch in memory, in bytes.
    pub fn memory(&self) -> usize {
        size_of::<Batch>() + self.keys.capacity() * size_of::<u32>()
    }

    /// Moves the keys to a new batch and returns it.
    pub fn take(&mut self) -> Batch {
        Batch { keys: std::mem::take(&mut self.keys), ..*self }
    }
}

/// Visits the entries of a strip with these keys.
///
/// # Errors
/// If the strip has fewer entries.
#[inline(always)]
pub fn each_entry<E>(
    codes: &mut [E],
    keys: &[u32],
    mut visit: impl FnMut(u32, &mut E),
) -> io::Result<()> {
    /// Number of keys between the prefetch of an entry and its visit.
    const AHEAD: usize = 16;
    for (index, &key) in keys.iter().enumerate() {
        if let Some(&next) = keys.get(index + AHEAD) {
            prefetch(codes, next as usize);
        }
        visit(key, codes.get_mut(key as usize).ok_or_else(beyond)?);
    }
    Ok(())
}

/// The error for a key or a strip beyond the end.
pub(crate) fn beyond() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a batch beyond the end of its layer")
}

/// Number of keys at which a batch is full and is sent.
pub const FULL: usize = 1 << 13;

/// Number of keys after which the outbox of a table of `strips` strips sends everything: large enough for long batches, and small enough
/// for small games.
fn most_added(strips: usize) -> usize {
    (strips * 1024).clamp(1 << 16, 1 << 22)
}

/// Sends a batch to the owner of its strip. The function may take the keys out of the batch; keys that it leaves are dropped.
pub type Send<'s> = dyn FnMut(&mut Batch) -> Result<(), SolveError> + 's;

/// Collects batches, and sends full ones.
pub struct Outbox<'s> {
    strips: usize,
    /// For each code, the number of its buckets; [`NO_BUCKETS`] if the code has no buckets.
    numbers: Vec<u16>,
    codes: Vec<u16>,
    /// The keys of each strip, for each code with buckets.
    buckets: Vec<Vec<u32>>,
    /// Number of keys added since everything was sent, and the number at which everything is sent again.
    added: usize,
    most: usize,
    send: &'s mut Send<'s>,
    failed: Option<SolveError>,
}

/// Number of possible codes.
const CODES: usize = 1 << 16;

const NO_BUCKETS: u16 = u16::MAX;

/// The maximum number of codes with buckets at the same time, which covers all codes of one byte.
const MOST_CODES: usize = 1 << 8;

impl<'s> Outbox<'s> {
    /// Creates an empty outbox for a table of `strips` strips.
    pub fn new(strips: usize, send: &'s mut Send<'s>) -> Outbox<'s> {
        let numbers = vec![NO_BUCKETS; CODES];
        let (codes, buckets) = (Vec::new(), Vec::new());
        let most = most_added(strips);
        Outbox { strips, numbers, codes, buckets, added: 0, most, send, failed: None }
    }

    /// Maximum memory in bytes for a table of `strips` strips and this many codes.
    pub fn memory(strips: usize, codes: usize) -> u64 {
        // A vector's capacity is at most the number of keys sent the last time, or twice the number added since. All
        // vectors together have at most three times the maximum.
        let keys = 3 * most_added(strips) * size_of::<u32>();
        let buckets = codes.min(MOST_CODES) * strips * size_of::<Vec<u32>>();
        (keys + buckets + CODES * size_of::<u16>()) as u64
    }

    /// Adds an entry.
    #[inline(always)]
    pub fn add(&mut self, code: u16, strip: usize, key: u32) {
        let mut number = self.numbers[usize::from(code)];
        if number == NO_BUCKETS {
            number = self.number(code);
        }
        let bucket = usize::from(number) * self.strips + strip;
        let keys = &mut self.buckets[bucket];
        keys.push(key);
        self.added += 1;
        if keys.len() == FULL {
            self.send(bucket);
        }
        if self.added == self.most {
            self.send_all();
        }
    }

    #[inline(never)]
    fn number(&mut self, code: u16) -> u16 {
        if self.codes.len() == MOST_CODES {
            self.send_all();
            self.buckets.clear();
            self.codes.drain(..).for_each(|code| self.numbers[usize::from(code)] = NO_BUCKETS);
        }
        let number = self.codes.len() as u16;
        self.codes.push(code);
        self.buckets.resize(self.codes.len() * self.strips, Vec::new());
        self.numbers[usize::from(code)] = number;
        number
    }

    /// Checks that no batch has failed so far.
    ///
    /// # Errors
    /// If a batch cannot be sent.
    pub fn check(&mut self) -> Result<(), SolveError> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Sends all collected entries.
    ///
    /// # Errors
    /// If a batch cannot be sent.
    pub fn finish(mut self) -> Result<(), SolveError> {
        self.send_all();
        self.check()
    }

    #[inline(never)]
    fn send_all(&mut self) {
        (0..self.buckets.len()).for_each(|bucket| self.send(bucket));
        self.added = 0;
    }

    #[inline(never)]
    fn send(&mut self, bucket: usize) {
        let mut keys = std::mem::take(&mut self.buckets[bucket]);
        let length = keys.len();
        if length > 0 && self.failed.is_none() {
            let (strip, code) = ((bucket % self.strips) as u32, self.codes[bucket / self.strips]);
            let mut batch = Batch { strip, code, keys };
            self.failed = (self.send)(&mut batch).err();
            keys = batch.keys;
            keys.clear();
        }
        // The next batch of the bucket will be about as long.
        if keys.capacity() < length || keys.capacity() > 2 * length {
            keys = Vec::with_capacity(length);
        }
        self.buckets[bucket] = keys;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_entry_is_sent_once_with_its_strip_and_code() {
        let mut sent: BTreeMap<(u32, u16), Vec<u32>> = BTreeMap::new();
        let mut send = |batch: &mut Batch| {
            assert!(batch.keys.len() <= FULL);
            sent.entry((batch.strip, batch.code)).or_default().append(&mut batch.keys);
            Ok(())
        };
        let mut outbox = Outbox::new(3, &mut send);
        let entries = |n: usize| ([7, 65_535, 0][n % 3], n % 7 % 3, n as u32);
        let mut expected: BTreeMap<(u32, u16), Vec<u32>> = BTreeMap::new();
        for n in 0..200_000 {
            let (code, strip, key) = entries(n);
            outbox.add(code, strip, key);
            expected.entry((strip as u32, code)).or_default().push(key);
        }
        outbox.finish().unwrap();
        assert!(sent == expected);
    }

    #[test]
    fn an_outbox_takes_no_more_memory_than_planned() {
        let strips = 100;
        // First fills one bucket after the other, then adds keys anywhere, with more codes than buckets.
        let in_turn = (0..2_000_000).map(|n| ((n / FULL / strips) as u16, n / FULL % strips));
        let spread = (0..2_000_000).map(|n| ((n % 1009) as u16, n % 97));
        let mut count = 0;
        let mut send = |batch: &mut Batch| {
            count += batch.keys.len();
            Ok(())
        };
        let mut outbox = Outbox::new(strips, &mut send);
        let mut most = 0;
        for (n, (code, strip)) in in_turn.chain(spread).enumerate() {
            outbox.add(code, strip, n as u32);
            if n % 10_007 == 0 {
                let keys = outbox.buckets.iter().map(|keys| keys.capacity() * size_of::<u32>());
                let buckets = outbox.buckets.capacity() * size_of::<Vec<u32>>();
                most = most.max(keys.sum::<usize>() + buckets + outbox.numbers.len() * 2);
            }
        }
        outbox.finish().unwrap();
        assert_eq!(count, 4_000_000);
        let planned = Outbox::memory(strips, MOST_CODES) as usize;
        assert!(planned / 4 < most && most <= planned, "{most} bytes, planned {planned}");
    }
}
