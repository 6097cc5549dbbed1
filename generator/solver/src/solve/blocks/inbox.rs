//! The inbox: batches that wait for the rows they belong to, in memory up to a limit and beyond it in a file.
//!
//! In: batches in any order. Out: those of one strip.

use crate::solve::blocks::batch::Batch;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Batches by strip.
pub struct Inbox {
    strips: Vec<Waiting>,
    /// Bytes of those in memory, and how many there may be.
    memory: usize,
    limit: usize,
    /// Where the others go.
    folder: Option<PathBuf>,
    spool: Option<File>,
    spooled: u64,
    received: u64,
}

/// What waits for one strip.
#[derive(Default)]
struct Waiting {
    batches: Vec<Batch>,
    /// Code, number of keys and offset of those in the file.
    spooled: Vec<(u16, u32, u64)>,
}

impl Inbox {
    /// An empty one for so many strips, which keeps what is more than `limit` bytes in a file of `folder`; without a folder
    /// all is kept in memory.
    pub fn new(strips: usize, limit: usize, folder: Option<PathBuf>) -> Inbox {
        let strips = std::iter::repeat_with(Waiting::default).take(strips).collect();
        Inbox { strips, memory: 0, limit, folder, spool: None, spooled: 0, received: 0 }
    }

    /// Whether nothing waits for any of these strips.
    pub fn is_empty(&self, strips: std::ops::Range<usize>) -> bool {
        let is_empty = |of: &Waiting| of.batches.is_empty() && of.spooled.is_empty();
        strips.into_iter().all(|strip| self.strips.get(strip).is_none_or(is_empty))
    }

    /// How many entries have been put in.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// Takes a batch in.
    ///
    /// # Errors
    /// Those of the file.
    pub fn put(&mut self, batch: Batch) -> io::Result<()> {
        self.memory += batch.memory();
        self.received += batch.keys.len() as u64;
        // A worker may not know yet how many strips there are when the first batch comes.
        let strip = batch.strip as usize;
        if strip >= self.strips.len() {
            self.strips.resize_with(strip + 1, Waiting::default);
        }
        self.strips[strip].batches.push(batch);
        if self.memory > self.limit && self.folder.is_some() { self.spool() } else { Ok(()) }
    }

    /// Moves all batches from memory to the end of the file, in the order of the strips.
    fn spool(&mut self) -> io::Result<()> {
        if let (None, Some(folder)) = (&self.spool, &self.folder) {
            // It has no name, so that nothing is left of it whatever happens.
            self.spool = Some(tempfile::tempfile_in(folder)?);
        }
        let Some(mut file) = self.spool.as_ref() else { return Ok(()) };
        file.seek(SeekFrom::End(0))?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        for waiting in &mut self.strips {
            for batch in waiting.batches.drain(..) {
                waiting.spooled.push((batch.code, batch.keys.len() as u32, self.spooled));
                for key in &batch.keys {
                    out.write_all(&key.to_le_bytes())?;
                }
                self.spooled += 4 * batch.keys.len() as u64;
            }
        }
        self.memory = 0;
        out.flush()
    }

    /// Takes out the batches of one strip.
    ///
    /// # Errors
    /// Those of the file.
    pub fn take(&mut self, strip: usize) -> io::Result<Vec<Batch>> {
        let Some(waiting) = self.strips.get_mut(strip) else { return Ok(Vec::new()) };
        let Waiting { mut batches, spooled } = std::mem::take(waiting);
        self.memory -= batches.iter().map(Batch::memory).sum::<usize>();
        let mut bytes = Vec::new();
        for (code, count, offset) in spooled {
            let Some(mut file) = self.spool.as_ref() else { continue };
            bytes.resize(4 * count as usize, 0);
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(&mut bytes)?;
            let keys = bytes
                .chunks_exact(4)
                .map(|key| u32::from_le_bytes([key[0], key[1], key[2], key[3]]));
            batches.push(Batch { strip: strip as u32, code, keys: keys.collect() });
        }
        Ok(batches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_taken_out_from_memory_or_a_file() {
        let folder = tempfile::tempdir().unwrap();
        for limit in [0, 200, usize::MAX] {
            let mut inbox = Inbox::new(3, limit, Some(folder.path().into()));
            let batch = |strip, code| Batch { strip, code, keys: (u32::from(code)..9).collect() };
            let all = [batch(2, 5), batch(0, 1), batch(2, 0)];
            all.iter().for_each(|batch| inbox.put(batch.clone()).unwrap());
            assert!(inbox.is_empty(1..2) && !inbox.is_empty(0..1));
            let mut taken = inbox.take(2).unwrap();
            taken.sort_by_key(|batch| batch.code);
            assert_eq!(taken, [all[2].clone(), all[0].clone()]);
            assert_eq!(inbox.take(0).unwrap(), [all[1].clone()]);
            assert!(inbox.is_empty(0..3) && inbox.take(2).unwrap().is_empty());
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
