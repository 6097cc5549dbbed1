//! Writes the bytes of a table to a partial file and reads them back. Callers need not know whether the file is packed.

use morpion_lookup::raw::Header;
use morpion_lookup::{Packed, ReadError, Source};
use morpion_machine::files;
use morpion_machine::packer::{PackedFrame, Packer, Packing, closing};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use xxhash_rust::xxh3::xxh3_64;

/// The written frames of a packed table; `None` for a plain table.
pub type FramesWritten = Option<Vec<PackedFrame>>;

/// Writes the bytes of a table to its partial file.
pub enum TableWriter<'f> {
    /// Unpacked.
    Plain(BufWriter<&'f File>),
    /// Packed.
    Packed(Packer<BufWriter<&'f File>>),
}

impl<'f> TableWriter<'f> {
    /// Resumes a table with this header after `written` bytes or, if it is packed, after these frames. The file is
    /// truncated there.
    pub fn resume(
        file: &'f File,
        header: &Header,
        packing: Option<Packing>,
        written: u64,
        frames: FramesWritten,
    ) -> io::Result<TableWriter<'f>> {
        let frames = frames.unwrap_or_default();
        let length = match packing {
            None => written,
            Some(_) => frames.iter().map(|frame| u64::from(frame.packed)).sum(),
        };
        file.set_len(length)?;
        let mut file = file;
        file.seek(SeekFrom::Start(length))?;
        let out = BufWriter::new(file);
        Ok(match packing {
            None => TableWriter::Plain(out),
            Some(packing) => TableWriter::Packed(Packer::resume(out, header, packing, frames)),
        })
    }

    /// Completes the file.
    pub fn finish(self) -> io::Result<()> {
        match self {
            TableWriter::Plain(mut out) => out.flush(),
            TableWriter::Packed(packer) => packer.finish().map(drop),
        }
    }

    /// The frames that are in the file after a flush.
    pub fn frames(&self) -> FramesWritten {
        match self {
            TableWriter::Plain(_) => None,
            TableWriter::Packed(packer) => Some(packer.frames().to_vec()),
        }
    }
}

impl Write for TableWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            TableWriter::Plain(out) => out.write(bytes),
            TableWriter::Packed(packer) => packer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            TableWriter::Plain(out) => out.flush(),
            TableWriter::Packed(packer) => packer.flush(),
        }
    }
}

/// Checks that a partial file begins with these frames.
pub fn check_frames(file: &File, frames: &[PackedFrame]) -> io::Result<()> {
    let mut packed = BufReader::with_capacity(1 << 20, file);
    packed.rewind()?;
    let mut bytes = Vec::new();
    for frame in frames {
        bytes.resize(frame.packed as usize, 0);
        packed.read_exact(&mut bytes)?;
        if xxh3_64(&bytes) != frame.sum {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "another frame"));
        }
    }
    Ok(())
}

/// The bytes of a table that are in its partial file. If it is packed, the file must begin with these frames.
pub fn read_back(file: File, frames: Option<&[PackedFrame]>) -> io::Result<Box<dyn Source>> {
    let Some(frames) = frames else {
        let length = file.metadata()?.len();
        return Ok(Box::new(Partial { file, length, seek_table: Vec::new() }));
    };
    let length = frames.iter().map(|frame| u64::from(frame.packed)).sum();
    let partial = Partial { file, length, seek_table: closing(frames) };
    let packed =
        Packed::open(partial).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(Box::new(packed))
}

/// A partial file, together with the seek table that is not written yet.
struct Partial {
    file: File,
    length: u64,
    seek_table: Vec<u8>,
}

impl Source for Partial {
    fn size(&self) -> u64 {
        self.length + self.seek_table.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), ReadError> {
        let in_file = self.length.saturating_sub(offset).min(into.len() as u64) as usize;
        let (frames, rest) = into.split_at_mut(in_file);
        if !frames.is_empty() {
            files::read_at(&self.file, offset, frames)?;
        }
        self.seek_table.read_at(offset.saturating_sub(self.length), rest)
    }
}
