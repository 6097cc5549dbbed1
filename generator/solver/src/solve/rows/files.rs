//! Rows in files, one file per block.
//!
//! For every strip, a file has a length of four bytes and a Zstandard frame. A file is replaced as a whole.

use super::{Change, Grid, Rows, Visit};
use crate::error::SolveError;
use crate::solve::entry::Entry;
use morpion_lookup::Counts;
use morpion_machine::frames::{FramePacker, FrameUnpacker};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Compression level. It is low, since a block is compressed again for every distance at which it changes.
const LEVEL: i32 = 1;

/// The files of the blocks of one layer.
pub struct FileRows {
    /// First part of the file names.
    prefix: PathBuf,
    grid: Grid,
}

/// Extension of the files.
pub const ENDING: &str = "rows";

impl FileRows {
    /// The files of the layer `counts` in this folder.
    pub fn new(folder: &Path, counts: Counts, grid: Grid) -> FileRows {
        FileRows { prefix: folder.join(format!("{}-{}", counts.mover, counts.waiter)), grid }
    }

    fn path(&self, block: usize) -> PathBuf {
        let mut name = self.prefix.clone().into_os_string();
        name.push(format!("-{block}.{ENDING}"));
        name.into()
    }

    /// Visits the strips of a block with their frames.
    fn each_strip<E: Entry>(
        &self,
        block: usize,
        mut visit: impl FnMut(usize, &mut [E], Vec<u8>) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let path = self.path(block);
        let at = |error| named(&path, error);
        let mut file = BufReader::with_capacity(1 << 16, File::open(&path).map_err(at)?);
        let (mut unpacker, mut codes) = (FrameUnpacker::default(), Vec::new());
        for strip in self.grid.strips_of(block) {
            let frame = read_frame(&mut file).map_err(at)?;
            codes.resize(self.grid.entries(strip), E::default());
            E::fill(&mut codes, |bytes| unpacker.unpack(&frame, bytes)).map_err(at)?;
            visit(strip, &mut codes, frame)?;
        }
        Ok(())
    }
}

impl<E: Entry> Rows<E> for FileRows {
    fn grid(&self) -> Grid {
        self.grid
    }

    fn is_in_memory(&self) -> bool {
        false
    }

    fn make(&self, block: usize, fill: &mut Change<E>) -> Result<(), SolveError> {
        let (mut file, mut packer) =
            (Replacement::new(self.path(block))?, FramePacker::new(Some(LEVEL)));
        let mut codes = Vec::new();
        for strip in self.grid.strips_of(block) {
            codes.clear();
            codes.resize(self.grid.entries(strip), E::none());
            fill(strip, &mut codes)?;
            file.write(&packer.pack(&E::bytes(&codes))?)?;
        }
        Ok(file.put()?)
    }

    fn read(&self, block: usize, visit: &mut Visit<E>) -> Result<(), SolveError> {
        self.each_strip(block, |strip, codes, _| visit(strip, codes))
    }

    fn change(&self, block: usize, visit: &mut Change<E>) -> Result<(), SolveError> {
        let (mut file, mut packer) =
            (Replacement::new(self.path(block))?, FramePacker::new(Some(LEVEL)));
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

    fn write_now(
        &self,
        _: usize,
        _: &mut dyn FnMut(&mut [E]) -> io::Result<()>,
    ) -> io::Result<bool> {
        Ok(false)
    }

    fn save(&self, block: usize) -> Result<(), SolveError> {
        let path = self.path(block);
        let saved = File::open(&path).and_then(|file| file.sync_all());
        Ok(saved.map_err(|error| named(&path, error))?)
    }

    fn load(&self, _: usize) -> Result<(), SolveError> {
        Ok(())
    }

    fn free(&self, _: usize) {}

    fn remove(&self, block: usize) -> io::Result<()> {
        let path = self.path(block);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(named(&path, error)),
            _ => Ok(()),
        }
    }
}

/// Adds the path to an error.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
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

/// The replacement of a block's file. A process that is killed earlier leaves the old file. Files are synced only by
/// [`Rows::save`].
struct Replacement {
    path: PathBuf,
    out: BufWriter<File>,
    is_put: bool,
}

impl Replacement {
    fn new(path: PathBuf) -> io::Result<Replacement> {
        let temporary = temporary(&path);
        let file = File::create(&temporary).map_err(|error| named(&temporary, error))?;
        let out = BufWriter::with_capacity(1 << 16, file);
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
            // A file that cannot be removed is overwritten by the next replacement.
            let _ = fs::remove_file(temporary(&self.path));
        }
    }
}

fn temporary(path: &Path) -> PathBuf {
    path.with_extension("new")
}
