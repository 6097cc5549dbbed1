//! The inbox: batches that wait for the rows they belong to, in memory up to a limit and beyond it in a file.
//!
//! In: batches in any order. Out: those of one strip.

use crate::solve::blocks::batch::Batch;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Batches by strip, for threads that put in or take out.
pub struct Inbox {
    waiting: Mutex<Waiting>,
    /// Bytes of batches that may be in memory, and where the file for the others is made.
    limit: usize,
    folder: Option<PathBuf>,
    spool: OnceLock<File>,
}

/// What waits.
#[derive(Default)]
struct Waiting {
    strips: Vec<Strip>,
    /// Bytes of the batches in memory and in the file, and entries of all that were ever put in.
    memory: usize,
    spooled: u64,
    received: u64,
}

/// What waits for one strip.
#[derive(Default)]
struct Strip {
    batches: Vec<Batch>,
    /// Code, number of keys and offset of those in the file.
    spooled: Vec<(u16, u32, u64)>,
}

impl Inbox {
    /// An empty one for `strips` strips, which keeps what is more than `limit` bytes in a file of `folder`; without a folder
    /// all is kept in memory.
    pub fn new(strips: usize, limit: usize, folder: Option<PathBuf>) -> Inbox {
        let strips = std::iter::repeat_with(Strip::default).take(strips).collect();
        let waiting = Mutex::new(Waiting { strips, ..Waiting::default() });
        Inbox { waiting, limit, folder, spool: OnceLock::new() }
    }

    /// How many entries of each code wait for these strips.
    pub fn waiting(&self, strips: Range<usize>) -> BTreeMap<u16, u64> {
        let mut entries = BTreeMap::new();
        let waiting = self.lock();
        for strip in strips.filter_map(|strip| waiting.strips.get(strip)) {
            let batches = strip.batches.iter().map(|batch| (batch.code, batch.keys.len() as u64));
            let spooled = strip.spooled.iter().map(|&(code, count, _)| (code, u64::from(count)));
            for (code, count) in batches.chain(spooled) {
                *entries.entry(code).or_default() += count;
            }
        }
        entries
    }

    /// How many entries have been put in.
    pub fn received(&self) -> u64 {
        self.lock().received
    }

    /// Takes a batch in.
    ///
    /// # Errors
    /// Those of the file.
    pub fn put(&self, batch: Batch) -> io::Result<()> {
        let mut waiting = self.lock();
        waiting.memory += batch.memory();
        waiting.received += batch.keys.len() as u64;
        // A worker may not know yet how many strips there are when the first batch comes.
        let strip = batch.strip as usize;
        if strip >= waiting.strips.len() {
            waiting.strips.resize_with(strip + 1, Strip::default);
        }
        waiting.strips[strip].batches.push(batch);
        match &self.folder {
            Some(folder) if waiting.memory > self.limit => {
                if self.spool.get().is_none() {
                    // It has no name, so that nothing is left of it whatever happens.
                    let _ = self.spool.set(tempfile::tempfile_in(folder)?);
                }
                self.spool.get().map_or(Ok(()), |file| waiting.spool(file))
            }
            _ => Ok(()),
        }
    }

    /// Takes out the batches of one strip. What is in the file is read without keeping other threads waiting.
    ///
    /// # Errors
    /// Those of the file.
    pub fn take(&self, strip: usize) -> io::Result<Vec<Batch>> {
        let Strip { mut batches, spooled } = {
            let mut waiting = self.lock();
            let Some(of) = waiting.strips.get_mut(strip) else { return Ok(Vec::new()) };
            let of = std::mem::take(of);
            waiting.memory -= of.batches.iter().map(Batch::memory).sum::<usize>();
            of
        };
        let mut bytes = Vec::new();
        for (code, count, offset) in spooled {
            let Some(file) = self.spool.get() else { continue };
            bytes.resize(4 * count as usize, 0);
            self.read(file, offset, &mut bytes)?;
            let keys = bytes
                .chunks_exact(4)
                .map(|key| u32::from_le_bytes([key[0], key[1], key[2], key[3]]));
            batches.push(Batch { strip: strip as u32, code, keys: keys.collect() });
        }
        Ok(batches)
    }

    #[cfg(unix)]
    fn read(&self, file: &File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
    }

    /// One thread at a time: they share the position in the file.
    #[cfg(not(unix))]
    fn read(&self, mut file: &File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let _alone = self.lock();
        file.seek(SeekFrom::Start(offset))?;
        io::Read::read_exact(&mut file, bytes)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Moves all batches from memory to the end of the file, in the order of the strips.
    fn spool(&mut self, mut file: &File) -> io::Result<()> {
        file.seek(SeekFrom::End(0))?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        for strip in &mut self.strips {
            for batch in strip.batches.drain(..) {
                strip.spooled.push((batch.code, batch.keys.len() as u32, self.spooled));
                for key in &batch.keys {
                    out.write_all(&key.to_le_bytes())?;
                }
                self.spooled += 4 * batch.keys.len() as u64;
            }
        }
        self.memory = 0;
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_taken_out_from_memory_or_a_file() {
        let folder = tempfile::tempdir().unwrap();
        for limit in [0, 200, usize::MAX] {
            let inbox = Inbox::new(3, limit, Some(folder.path().into()));
            let batch = |strip, code| Batch { strip, code, keys: (u32::from(code)..9).collect() };
            let all = [batch(2, 5), batch(0, 1), batch(2, 0)];
            all.iter().for_each(|batch| inbox.put(batch.clone()).unwrap());
            assert!(inbox.waiting(0..2) == [(1, 8)].into() && inbox.waiting(1..2).is_empty());
            let mut taken = inbox.take(2).unwrap();
            taken.sort_by_key(|batch| batch.code);
            assert_eq!(taken, [all[2].clone(), all[0].clone()]);
            assert_eq!(inbox.take(0).unwrap(), [all[1].clone()]);
            assert!(inbox.waiting(0..3).is_empty() && inbox.take(2).unwrap().is_empty());
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn threads_take_what_waits_in_the_file_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::new(64, 1000, Some(folder.path().into()));
        let batch = |strip: u32, code: u16| {
            let keys = (0..100).map(|key| key << 16 | strip << 8 | u32::from(code));
            Batch { strip, code, keys: keys.collect() }
        };
        for (code, strip) in (0..20).flat_map(|code| (0..64).map(move |strip| (code, strip))) {
            inbox.put(batch(strip, code)).unwrap();
        }
        assert_eq!(inbox.received(), 20 * 64 * 100);
        std::thread::scope(|scope| {
            for first in 0..4 {
                let (inbox, batch) = (&inbox, &batch);
                scope.spawn(move || {
                    for strip in (first..64).step_by(4) {
                        let mut taken = inbox.take(strip).unwrap();
                        taken.sort_by_key(|batch| batch.code);
                        let expected = (0..20).map(|code| batch(strip as u32, code));
                        assert!(taken.into_iter().eq(expected));
                    }
                });
            }
        });
        assert!(inbox.waiting(0..64).is_empty());
    }
}
