//! The rows of a layer in blocks: in memory as they are, or in files, packed, a file a block.
//!
//! A block is touched in order, strip after strip. A file of a block has for every strip four bytes of length and a frame of
//! Zstandard; it is replaced as a whole.

use crate::error::SolveError;
use crate::solve::entry::Entry;
use crate::solve::planes::{STRIP_ROWS, STRIPS};
use morpion_lookup::Counts;
use morpion_machine::frames::{FramePacker, FrameUnpacker};
use morpion_machine::memory::filled;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The level of packing: a block is packed again for every distance at which something in it changes.
const LEVEL: i32 = 1;

/// The rows of one layer.
pub struct Store<E> {
    /// What the names of the files begin with.
    prefix: PathBuf,
    rows: usize,
    columns: usize,
    /// The blocks, where they are in memory.
    memory: Option<Vec<Mutex<Vec<E>>>>,
    entry: PhantomData<E>,
}

impl<E: Entry> Store<E> {
    /// The layer `counts`, of `rows` rows and `columns` columns; its files are in `folder`, its blocks in memory or not.
    pub fn new(
        folder: &Path,
        counts: Counts,
        [rows, columns]: [usize; 2],
        in_memory: bool,
    ) -> Store<E> {
        let prefix = folder.join(format!("{}-{}", counts.mover, counts.waiter));
        let blocks = rows.div_ceil(STRIP_ROWS * STRIPS);
        let memory =
            in_memory.then(|| std::iter::repeat_with(Mutex::default).take(blocks).collect());
        Store { prefix, rows, columns, memory, entry: PhantomData }
    }

    /// How many blocks there are, if they are in memory.
    pub fn in_memory(&self) -> Option<usize> {
        self.memory.as_ref().map(Vec::len)
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.rows.div_ceil(STRIP_ROWS * STRIPS)
    }

    /// How many strips there are.
    pub fn strips(&self) -> usize {
        self.rows.div_ceil(STRIP_ROWS)
    }

    /// The strips of a block.
    pub fn strips_of(&self, block: usize) -> std::ops::Range<usize> {
        block * STRIPS..self.strips().min((block + 1) * STRIPS)
    }

    /// Entries of a strip.
    fn entries(&self, strip: usize) -> usize {
        (self.rows - strip * STRIP_ROWS).min(STRIP_ROWS) * self.columns
    }

    /// The file of a block.
    pub fn path(&self, block: usize) -> PathBuf {
        let mut name = self.prefix.clone().into_os_string();
        name.push(format!("-{block}.rows"));
        name.into()
    }

    /// Makes a block: the entries of a strip begin as no positions, and `fill` writes them.
    ///
    /// # Errors
    /// Those of `fill` and of the file.
    pub fn make(
        &self,
        block: usize,
        mut fill: impl FnMut(usize, &mut [E]) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        if let Some(blocks) = &self.memory {
            let entries = self.strips_of(block).map(|strip| self.entries(strip)).sum();
            let mut made = filled(entries, E::none());
            let strips = made.chunks_mut(STRIP_ROWS * self.columns);
            self.strips_of(block).zip(strips).try_for_each(|(strip, codes)| fill(strip, codes))?;
            *lock(&blocks[block]) = made;
            return Ok(());
        }
        let (mut file, mut packer) =
            (Replacement::new(self.path(block))?, FramePacker::new(Some(LEVEL))?);
        let mut codes = Vec::new();
        for strip in self.strips_of(block) {
            codes.clear();
            codes.resize(self.entries(strip), E::none());
            fill(strip, &mut codes)?;
            file.write(&packer.pack(&E::bytes(&codes))?)?;
        }
        Ok(file.put()?)
    }

    /// Visits the strips of a block in order.
    ///
    /// # Errors
    /// Those of `visit`, and where the file cannot be read.
    pub fn read(
        &self,
        block: usize,
        mut visit: impl FnMut(usize, &[E]) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        match &self.memory {
            Some(blocks) => self
                .strips_of(block)
                .zip(lock(&blocks[block]).chunks(STRIP_ROWS * self.columns))
                .try_for_each(|(strip, codes)| visit(strip, codes)),
            None => self.each_strip(block, |strip, codes, _| visit(strip, codes)),
        }
    }

    /// Visits the strips of a block in order. Where `visit` says that it has changed a strip, it is kept.
    ///
    /// # Errors
    /// Those of `visit`, and where the file cannot be read or written.
    pub fn change(
        &self,
        block: usize,
        mut visit: impl FnMut(usize, &mut [E]) -> Result<bool, SolveError>,
    ) -> Result<(), SolveError> {
        if let Some(blocks) = &self.memory {
            let mut codes = lock(&blocks[block]);
            let strips = codes.chunks_mut(STRIP_ROWS * self.columns);
            let mut strips = self.strips_of(block).zip(strips);
            return strips.try_for_each(|(strip, codes)| visit(strip, codes).map(drop));
        }
        let (mut file, mut packer) =
            (Replacement::new(self.path(block))?, FramePacker::new(Some(LEVEL))?);
        let mut has_changed = false;
        self.each_strip(block, |strip, codes, mut frame| {
            if visit(strip, codes)? {
                has_changed = true;
                frame = packer.pack(&E::bytes(codes))?;
            }
            Ok(file.write(&frame)?)
        })?;
        if has_changed { Ok(file.put()?) } else { Ok(()) }
    }

    /// Writes the block to its file and syncs it, so that it survives this process and the machine.
    ///
    /// # Errors
    /// Those of the file.
    pub fn save(&self, block: usize) -> io::Result<()> {
        if let Some(blocks) = &self.memory {
            let (codes, mut packer) = (lock(&blocks[block]), FramePacker::new(Some(LEVEL))?);
            let mut file = Replacement::new(self.path(block))?;
            for codes in codes.chunks(STRIP_ROWS * self.columns) {
                file.write(&packer.pack(&E::bytes(codes))?)?;
            }
            file.put()?;
        }
        File::open(self.path(block))?.sync_all()
    }

    /// Reads a block back from its file, where the store is in memory.
    ///
    /// # Errors
    /// Where the file is missing or is not that of the block.
    pub fn load(&self, block: usize) -> Result<(), SolveError> {
        let Some(blocks) = &self.memory else { return Ok(()) };
        let mut all = Vec::new();
        self.each_strip(block, |_, codes, _| {
            all.extend_from_slice(codes);
            Ok(())
        })?;
        *lock(&blocks[block]) = all;
        Ok(())
    }

    /// Frees the memory of all blocks.
    pub fn free(&self) {
        self.memory.iter().flatten().for_each(|block| *lock(block) = Vec::new());
    }

    /// Visits the strips of a block in its file, each with its frame.
    fn each_strip(
        &self,
        block: usize,
        mut visit: impl FnMut(usize, &mut [E], Vec<u8>) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let path = self.path(block);
        let at =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let mut file = BufReader::with_capacity(1 << 16, File::open(&path).map_err(at)?);
        let (mut unpacker, mut codes) = (FrameUnpacker::new()?, Vec::new());
        for strip in self.strips_of(block) {
            let frame = read_frame(&mut file).map_err(at)?;
            codes.resize(self.entries(strip), E::default());
            E::fill(&mut codes, |bytes| unpacker.unpack(&frame, bytes)).map_err(at)?;
            visit(strip, &mut codes, frame)?;
        }
        Ok(())
    }
}

fn read_frame(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    file.read_exact(&mut length)?;
    let (length, mut frame) = (u64::from(u32::from_le_bytes(length)), Vec::new());
    file.take(length).read_to_end(&mut frame)?;
    if frame.len() as u64 == length {
        return Ok(frame);
    }
    let fault = format!("{} bytes of a frame, expected {length}", frame.len());
    Err(io::Error::new(ErrorKind::InvalidData, fault))
}

/// The new file of a block. A process that is killed before the new one is put in its place leaves the old one; nothing is
/// synced but by [`Store::save`].
struct Replacement {
    path: PathBuf,
    out: BufWriter<File>,
    is_put: bool,
}

impl Replacement {
    fn new(path: PathBuf) -> io::Result<Replacement> {
        let temporary = temporary(&path);
        let at = |error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", temporary.display()))
        };
        let out = BufWriter::with_capacity(1 << 16, File::create(&temporary).map_err(at)?);
        Ok(Replacement { path, out, is_put: false })
    }

    fn write(&mut self, frame: &[u8]) -> io::Result<()> {
        self.out.write_all(&(frame.len() as u32).to_le_bytes())?;
        self.out.write_all(frame)
    }

    fn put(mut self) -> io::Result<()> {
        self.out.flush()?;
        fs::rename(temporary(&self.path), &self.path)?;
        self.is_put = true;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_put {
            // If it cannot be removed, the next replacement overwrites it.
            let _ = fs::remove_file(temporary(&self.path));
        }
    }
}

fn temporary(path: &Path) -> PathBuf {
    path.with_extension("new")
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
