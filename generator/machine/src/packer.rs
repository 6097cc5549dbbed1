//! Packs the bytes of a table as a stream: Zstandard frames, which are compressed on all cores, and a seek table at the
//! end.
//!
//! The packed file depends only on the table, the level and the frame length. [`morpion_lookup::Packed`] reads it, and
//! `zstd -d` decompresses it.

use crate::frames::FramePacker;
use morpion_lookup::raw::{Header, seek_table};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// Settings of packing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packing {
    /// Compression level of Zstandard, 1 to 22; `None` chooses by the length of the frames.
    pub level: Option<i32>,
    /// Frame size: bytes of a layer per frame. `None` is 24 KiB, doubled until a table has at most 32,768 frames.
    /// Frames of 32 KiB would make the file 2 % smaller, but lookups take half as long again.
    pub frame: Option<u32>,
}

/// The frames of a table: the ends of its parts, and the frame size within each part.
///
/// A frame ends with the header, the maps, every layer and the file. So a build can stop between layers, and a lookup
/// decompresses nothing of a neighbouring layer. Frames of maps have a quarter of the size, because a lookup reads only
/// one entry of a map.
#[derive(Clone, Debug)]
pub struct Sections {
    /// Ends of the parts, ascending, and the frame size up to there. Frames after the last end have the same size.
    ends: Vec<(u64, usize)>,
}

impl Sections {
    /// Divides a table with this header.
    pub fn of(header: &Header, frame: Option<u32>) -> Sections {
        // The maximum number of frames. It limits the seek table, which a reader needs first, to 256 KiB.
        const FRAMES: u64 = 1 << 15;
        let frame = frame.unwrap_or_else(|| {
            let mut frame = 24 << 10;
            while header.census / u64::from(frame) > FRAMES {
                frame *= 2;
            }
            frame
        }) as usize;
        let maps = header.maps.iter().map(|map| map.offset).min().unwrap_or(header.census);
        let mut layers: Vec<u64> = header.layers.iter().map(|layer| layer.offset).collect();
        layers.sort_unstable();
        let mut ends = vec![(maps, frame), (layers[0], frame.div_ceil(4))];
        ends.extend(layers[1..].iter().chain([&header.census]).map(|&end| (end, frame)));
        Sections { ends }
    }

    /// Length of the frame that begins at `start`, if the file is long enough.
    fn frame(&self, start: u64) -> usize {
        let next = self.ends.partition_point(|&(end, _)| end <= start);
        match (self.ends.get(next), self.ends.last()) {
            (Some(&(end, frame)), _) => (end - start).min(frame as u64) as usize,
            (None, Some(&(_, frame))) => frame,
            (None, None) => unreachable!("a table has parts"),
        }
    }
}

/// A written frame.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct PackedFrame {
    /// Length in the packed file.
    pub packed: u32,
    /// Length after decompression.
    pub unpacked: u32,
    /// The xxh3-64 of the packed bytes, since different bytes may decompress to the same.
    pub sum: u64,
}

/// The seek table at the end of a file with these frames.
pub fn closing(frames: &[PackedFrame]) -> Vec<u8> {
    let lengths: Vec<_> = frames.iter().map(|frame| (frame.packed, frame.unpacked)).collect();
    seek_table(&lengths)
}

/// Packs the bytes written to it. Several frames are compressed at a time, on all threads of the pool.
pub struct Packer<W> {
    out: W,
    level: Option<i32>,
    sections: Sections,
    /// Full frames, and the frame that is being filled.
    full: Vec<Vec<u8>>,
    filling: Vec<u8>,
    /// Start of the frame that is being filled.
    start: u64,
    /// The written frames.
    frames: Vec<PackedFrame>,
}

impl<W: Write> Packer<W> {
    /// A packer at the beginning of `out`.
    pub fn new(out: W, level: Option<i32>, sections: Sections) -> Packer<W> {
        Packer::resume(out, level, sections, Vec::new())
    }

    /// Resumes after frames already written.
    pub fn resume(
        out: W,
        level: Option<i32>,
        sections: Sections,
        frames: Vec<PackedFrame>,
    ) -> Packer<W> {
        let start = frames.iter().map(|frame| u64::from(frame.unpacked)).sum();
        let (full, filling) = (Vec::new(), Vec::new());
        Packer { out, level, sections, full, filling, start, frames }
    }

    /// The written frames.
    pub fn frames(&self) -> &[PackedFrame] {
        &self.frames
    }

    /// The writer of the packed bytes.
    pub fn out(&mut self) -> &mut W {
        &mut self.out
    }

    /// Completes the file with the last frame and the seek table.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.filling.is_empty() {
            self.full.push(std::mem::take(&mut self.filling));
        }
        self.flush()?;
        self.out.write_all(&closing(&self.frames))?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Compresses the full frames and writes them.
    fn pack(&mut self) -> io::Result<()> {
        let packed: Vec<io::Result<Vec<u8>>> = self
            .full
            .par_iter()
            .map_init(
                || FramePacker::new(self.level),
                |packer, frame| match packer {
                    Ok(packer) => packer.pack(frame),
                    Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                },
            )
            .collect();
        for (packed, frame) in packed.into_iter().zip(&self.full) {
            let packed = packed?;
            self.out.write_all(&packed)?;
            self.frames.push(PackedFrame {
                packed: packed.len() as u32,
                unpacked: frame.len() as u32,
                sum: xxh3_64(&packed),
            });
        }
        self.full.clear();
        Ok(())
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.sections.frame(self.start);
        let taken = bytes.len().min(length - self.filling.len());
        self.filling.extend_from_slice(&bytes[..taken]);
        if self.filling.len() == length {
            self.start += length as u64;
            self.full.push(std::mem::take(&mut self.filling));
            if self.full.len() == 8 * rayon::current_num_threads() {
                self.pack()?;
            }
        }
        Ok(taken)
    }

    /// Writes all full frames, and keeps the rest.
    fn flush(&mut self) -> io::Result<()> {
        self.pack()?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_lookup::{Packed, Source, Table};

    fn packed(bytes: &[u8], frame: u32, pieces: usize) -> Vec<u8> {
        let table = Table::from_source(bytes).unwrap();
        let sections = Sections::of(table.raw().header(), Some(frame));
        let mut packer = Packer::new(Vec::new(), Some(3), sections);
        bytes.chunks(pieces).try_for_each(|piece| packer.write_all(piece)).unwrap();
        packer.finish().unwrap()
    }

    fn bytes() -> Vec<u8> {
        let table = Table::builtin("classic").unwrap();
        table.source().in_memory().unwrap().to_vec()
    }

    #[test]
    fn packed_bytes_unpack_to_the_table_and_to_nothing_else() {
        let bytes = bytes();
        for frame in [1, 7, 64, 1000, 1 << 20] {
            let packed = Packed::open(packed(&bytes, frame, 100)).unwrap();
            let mut unpacked = vec![0; packed.size() as usize];
            packed.read_at(0, &mut unpacked).unwrap();
            assert!(unpacked == bytes, "frames of {frame}");
        }
    }

    #[test]
    fn packed_bytes_depend_on_neither_threads_nor_pieces() {
        let bytes = bytes();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let alone = pool.install(|| packed(&bytes, 64, usize::MAX));
        assert_eq!(alone, packed(&bytes, 64, 5));
    }

    #[test]
    fn packing_resumed_after_a_layer_gives_the_same_bytes() {
        let bytes = bytes();
        let bytes = &bytes[..];
        let table = Table::from_source(bytes).unwrap();
        let sections = Sections::of(table.raw().header(), Some(100));
        let whole = packed(bytes, 100, 1000);
        for layer in &table.raw().header().layers {
            let (before, after) = bytes.split_at(layer.offset as usize);
            let mut packer = Packer::new(Vec::new(), Some(3), sections.clone());
            packer.write_all(before).unwrap();
            packer.flush().unwrap();
            let (frames, written) = (packer.frames().to_vec(), packer.out().clone());
            let mut packer = Packer::resume(written, Some(3), sections.clone(), frames);
            packer.write_all(after).unwrap();
            assert_eq!(packer.finish().unwrap(), whole);
        }
    }
}
