//! Storage of the rows of a layer, block by block: in memory, or packed in files.
//!
//! A block is [`BLOCK_ROWS`](crate::solve::BLOCK_ROWS) neighbouring rows, visited strip by strip. A file has a
//! Zstandard frame for every strip of its block. It is replaced as a whole, so a kill leaves the old file or the new one.

use crate::error::SolveError;
use crate::solve::entry::Entry;
use crate::solve::planes::{STRIP_ROWS, STRIPS};
use crate::solve::shape::Shape;
use morpion_lookup::{Bytes, Source};
use morpion_machine::files;
use morpion_machine::frames::{FramePacker, FrameUnpacker, split_frame};
use morpion_machine::memory::filled;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// The end of the names of files with rows of a table.
pub const TABLE: &str = "rows";

/// Place in which a process stores rows.
#[derive(Clone, Debug)]
pub enum Storage {
    /// In memory. Blocks are saved to this folder, if there is one.
    Memory(Option<PathBuf>),
    /// In files in this folder.
    Files(PathBuf),
}

/// Fills or changes the entries of a strip. Returns true if it changed them.
pub type Change<'v, E> = dyn FnMut(usize, &mut [E]) -> Result<bool, SolveError> + 'v;

/// Visits the entries of a strip.
pub type Visit<'v, E> = dyn FnMut(usize, &[E]) -> Result<(), SolveError> + 'v;

/// Visits the entries of a strip, and the frame that contains them in the file.
type VisitFrame<'v, E> = dyn FnMut(usize, &mut [E], &[u8]) -> Result<(), SolveError> + 'v;

/// The rows of one layer. Several threads may work on different blocks at the same time.
pub struct Rows<E> {
    shape: Shape,
    /// The blocks, if they are in memory.
    blocks: Option<Vec<Mutex<Vec<E>>>>,
    /// Folder of the files; `None` if nothing is saved.
    folder: Option<PathBuf>,
    /// The end of the names of the files.
    name: &'static str,
}

impl<E: Entry> Rows<E> {
    /// The rows of a layer of this shape. Blocks in memory are empty at first. The names of files end with `name`.
    pub fn new(storage: &Storage, shape: Shape, name: &'static str) -> Rows<E> {
        let blocks = || std::iter::repeat_with(Mutex::default).take(shape.blocks()).collect();
        match storage.clone() {
            Storage::Memory(folder) => Rows { shape, blocks: Some(blocks()), folder, name },
            Storage::Files(folder) => Rows { shape, blocks: None, folder: Some(folder), name },
        }
    }

    /// The layer's shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns true if every block is in memory, so that visiting it costs nothing.
    pub fn is_in_memory(&self) -> bool {
        self.blocks.is_some()
    }

    /// Creates a block. The entries of each strip start as [`Entry::none`], and `fill` writes them.
    ///
    /// # Errors
    /// If `fill` fails, or a file cannot be written.
    pub fn make(&self, block: usize, fill: &mut Change<E>) -> Result<(), SolveError> {
        let Some(mut codes) = self.block(block) else { return self.write_file(block, fill) };
        let strips = self.shape.strips_of(block);
        let entries = strips.clone().map(|strip| self.shape.entries_of(strip)).sum();
        *codes = filled(entries, E::none());
        let mut strips = strips.zip(codes.chunks_mut(self.full_strip()));
        strips.try_for_each(|(strip, codes)| fill(strip, codes).map(drop))
    }

    /// Visits the strips of a block in order.
    ///
    /// # Errors
    /// If `visit` fails, or a file cannot be read.
    pub fn read(&self, block: usize, visit: &mut Visit<E>) -> Result<(), SolveError> {
        let Some(codes) = self.block(block) else {
            let strips = self.shape.strips_of(block);
            return self.read_file(strips, &mut |strip, codes, _| visit(strip, codes));
        };
        let mut strips = self.shape.strips_of(block).zip(codes.chunks(self.full_strip()));
        strips.try_for_each(|(strip, codes)| visit(strip, codes))
    }

    /// Visits the strips of a block in order, and stores the strips for which `visit` returns true.
    ///
    /// # Errors
    /// If `visit` fails, or a file cannot be read or written.
    pub fn change(&self, block: usize, visit: &mut Change<E>) -> Result<(), SolveError> {
        if let Some(mut codes) = self.block(block) {
            let mut strips = self.shape.strips_of(block).zip(codes.chunks_mut(self.full_strip()));
            return strips.try_for_each(|(strip, codes)| visit(strip, codes).map(drop));
        }
        let (mut file, mut has_changed) = (NewFile::new(self.path(block))?, false);
        self.read_file(self.shape.strips_of(block), &mut |strip, codes, frame| {
            if !visit(strip, codes)? {
                return Ok(file.out.write_all(frame)?);
            }
            has_changed = true;
            Ok(file.pack(codes)?)
        })?;
        if has_changed { Ok(file.put()?) } else { Ok(()) }
    }

    /// Writes one strip of a block that is in memory. Returns false if it is not in memory.
    ///
    /// # Errors
    /// If `write` fails.
    pub fn write_now(
        &self,
        strip: usize,
        write: impl FnOnce(&mut [E]) -> io::Result<()>,
    ) -> io::Result<bool> {
        let Some(mut codes) = self.block(strip / STRIPS).filter(|codes| !codes.is_empty()) else {
            return Ok(false);
        };
        let start = strip % STRIPS * self.full_strip();
        write(&mut codes[start..start + self.shape.entries_of(strip)])?;
        Ok(true)
    }

    /// Copies one strip; nothing if its block was not created.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn copy_strip(&self, strip: usize, into: &mut Vec<E>) -> Result<(), SolveError> {
        into.clear();
        if let Some(codes) = self.block(strip / STRIPS) {
            let codes = codes.chunks(self.full_strip()).nth(strip % STRIPS);
            into.extend_from_slice(codes.unwrap_or_default());
            return Ok(());
        }
        self.read_file(strip..strip + 1, &mut |_, codes, _| {
            into.extend_from_slice(codes);
            Ok(())
        })
    }

    /// Saves a block so that it survives a crash of the machine.
    ///
    /// # Errors
    /// If its file cannot be written.
    pub fn save(&self, block: usize) -> Result<(), SolveError> {
        if self.folder.is_none() {
            return Ok(());
        }
        if let Some(codes) = self.block(block) {
            let mut file = NewFile::new(self.path(block))?;
            codes.chunks(self.full_strip()).try_for_each(|codes| file.pack(codes))?;
            file.put()?;
        }
        let path = self.path(block);
        let saved = File::open(&path).and_then(|file| file.sync_all());
        Ok(saved.map_err(|error| named(&path, error))?)
    }

    /// Reads a saved block back to memory, if rows are in memory.
    ///
    /// # Errors
    /// If its file is missing or damaged.
    pub fn load(&self, block: usize) -> Result<(), SolveError> {
        let (Some(mut all), Some(_)) = (self.block(block), &self.folder) else { return Ok(()) };
        all.clear();
        self.read_file(self.shape.strips_of(block), &mut |_, codes, _| {
            all.extend_from_slice(codes);
            Ok(())
        })
    }

    /// Removes the files of all blocks.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn remove_files(&self) -> io::Result<()> {
        let blocks = if self.folder.is_some() { self.shape.blocks() } else { 0 };
        (0..blocks).map(|block| self.path(block)).try_for_each(|path| {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(named(&path, error)),
                _ => Ok(()),
            }
        })
    }

    /// The entries of a block in memory. Poisoning is harmless, because a panic ends the build.
    fn block(&self, block: usize) -> Option<MutexGuard<'_, Vec<E>>> {
        let blocks = self.blocks.as_ref()?;
        Some(blocks[block].lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Number of entries of a full strip.
    fn full_strip(&self) -> usize {
        STRIP_ROWS * self.shape.columns
    }

    /// Path of a block's file, if blocks are saved.
    fn path(&self, block: usize) -> PathBuf {
        let folder = self.folder.as_deref();
        let name = format!("{}-{block}.{}", self.shape.layer, self.name);
        folder.unwrap_or(Path::new("")).join(name)
    }

    fn write_file(&self, block: usize, fill: &mut Change<E>) -> Result<(), SolveError> {
        let (mut file, mut codes) = (NewFile::new(self.path(block))?, Vec::new());
        for strip in self.shape.strips_of(block) {
            codes.clear();
            codes.resize(self.shape.entries_of(strip), E::none());
            fill(strip, &mut codes)?;
            file.pack(&codes)?;
        }
        Ok(file.put()?)
    }

    /// Visits strips of a block with their frames.
    fn read_file(&self, strips: Range<usize>, visit: &mut VisitFrame<E>) -> Result<(), SolveError> {
        let path = self.path(strips.start / STRIPS);
        let at = |error| named(&path, error);
        let file = File::open(&path).map_err(at)?;
        // SAFETY: a file of rows is replaced, but never changed.
        let bytes = unsafe { Bytes::map_file(&file) }.map_err(at)?;
        let mut rest = bytes.in_memory().unwrap_or_default();
        for _ in 0..strips.start % STRIPS {
            rest = split_frame(rest).map_err(at)?.1;
        }
        let (mut unpacker, mut codes) = (FrameUnpacker::default(), Vec::new());
        for strip in strips {
            let (frame, after) = split_frame(rest).map_err(at)?;
            codes.resize(self.shape.entries_of(strip), E::default());
            E::fill(&mut codes, |bytes| unpacker.unpack(frame, bytes)).map_err(at)?;
            visit(strip, &mut codes, frame)?;
            rest = after;
        }
        Ok(())
    }
}

/// Adds the path to an error.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The replacement of a block's file. It is synced only by [`Rows::save`].
struct NewFile {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
    packer: FramePacker,
}

impl NewFile {
    fn new(path: PathBuf) -> io::Result<NewFile> {
        // A block is compressed again for every distance at which it changes, so the level is low.
        let packer = FramePacker::new(1);
        let out = BufWriter::with_capacity(1 << 16, files::beside(&path)?);
        Ok(NewFile { path, out, packer })
    }

    fn pack<E: Entry>(&mut self, codes: &[E]) -> io::Result<()> {
        self.out.write_all(&self.packer.pack(&E::bytes(codes))?)
    }

    fn put(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.persist(self.path)?;
        Ok(())
    }
}
