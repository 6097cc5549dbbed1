//! Packs the bytes of a table as a stream: Zstandard frames, which are compressed on all cores, and a seek table at the
//! end.
//!
//! The packed file depends only on the table, the level and the frame length. [`morpion_lookup::Packed`] reads it, and
//! `zstd -d` decompresses it.

use crate::frames::{FramePacker, split_frame};
use morpion_core::{Header, seek_index, seek_table};
use rayon::prelude::*;
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// Settings of packing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packing {
    /// Compression level of Zstandard, 1 to 22; `None` is [`FramePacker::LEVEL`].
    pub level: Option<i32>,
    /// Frame size: bytes of a layer per frame. `None` is 24 KiB, or the least multiple of 24 KiB that divides a table into at most
    /// 1,200,000 frames. With 32 KiB, the file would be 2 % smaller, but lookups would take 1.5 times as long.
    pub frame: Option<u32>,
}

impl Packing {
    /// Usual frame size, in bytes.
    pub(crate) const FRAME: usize = 24 << 10;

    /// Number of frames of a table with this header and of this many bytes.
    pub fn frame_count(&self, header: &Header, size: u64) -> u64 {
        let mut start = 0;
        let parts = Sections::of(header, self.frame).ends.into_iter().map(|(end, frame)| {
            let length = end.min(size).saturating_sub(start);
            start = end;
            length.div_ceil(frame as u64)
        });
        parts.sum()
    }
}

/// The frames of a table: the ends of its parts, and the frame size within each part.
///
/// A frame ends where the header, the maps, a layer or the file ends. So a build can stop between layers, and a lookup decompresses nothing
/// of a neighbouring layer. Frames of maps are shorter, because a lookup reads only one entry of a map. The first frame of the census is
/// short too, because every reader begins with it.
struct Sections {
    /// Ends of the parts, ascending, each with the frame size of its part.
    ends: Vec<(u64, usize)>,
}

impl Sections {
    /// Divides a table with this header.
    fn of(header: &Header, frame: Option<u32>) -> Sections {
        // The least multiple of `least` such that frames of this length divide `bytes` bytes into at most `count` frames.
        let divide = |bytes: u64, least: usize, count: u64| {
            least * bytes.div_ceil(least as u64 * count).max(1) as usize
        };
        let maps = header.maps.iter().map(|map| map.offset).min().unwrap_or(header.census);
        let mut layers: Vec<u64> = header.layers.iter().map(|layer| layer.offset).collect();
        layers.sort_unstable();
        // Layers end with shorter frames, which add to these counts.
        let (frame, of_maps, of_census) = match frame {
            Some(frame) => (frame as usize, frame.div_ceil(4) as usize, frame as usize),
            None => {
                let of_maps = divide(layers[0].saturating_sub(maps), Packing::FRAME / 4, 10_000);
                (divide(header.census, Packing::FRAME, 1_200_000), of_maps, Packing::FRAME)
            }
        };
        let mut ends = vec![(maps, frame), (layers[0], of_maps)];
        let census = header.census + of_census as u64;
        layers.extend([header.census, census, u64::MAX]);
        ends.extend(layers[1..].iter().map(|&end| (end, frame)));
        Sections { ends }
    }

    /// Length of the frame that begins at `start`. The last frame of a file may be shorter.
    fn frame(&self, start: u64) -> usize {
        let (end, frame) = self.ends[self.ends.partition_point(|&(end, _)| end <= start)];
        (end - start).min(frame as u64) as usize
    }
}

/// A written frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackedFrame {
    /// Length in the packed file.
    pub packed: u32,
    /// Length after decompression.
    pub unpacked: u32,
    /// The xxh3-64 of the packed bytes, because different packed bytes may decompress to the same bytes.
    pub sum: u64,
}

impl PackedFrame {
    /// Describes the frame `packed`, whose bytes decompress to `unpacked` bytes.
    fn new(packed: &[u8], unpacked: usize) -> PackedFrame {
        PackedFrame { packed: packed.len() as u32, unpacked: unpacked as u32, sum: xxh3_64(packed) }
    }
}

/// The written frames of a packed table; `None` for an unpacked table.
pub type FramesWritten = Option<Vec<PackedFrame>>;

/// Lists the frames of which `packed` consists.
///
/// # Errors
/// If the bytes are not a sequence of frames.
pub fn frames(mut packed: &[u8]) -> io::Result<Vec<PackedFrame>> {
    let mut frames = Vec::new();
    while !packed.is_empty() {
        let (frame, rest) = split_frame(packed)?;
        let unpacked = zstd_safe::get_frame_content_size(frame).ok().flatten().unwrap_or(0);
        frames.push(PackedFrame::new(frame, unpacked as usize));
        packed = rest;
    }
    Ok(frames)
}

/// The seek table at the end of a file with these frames. If there are many frames, the index of the seek table comes first.
pub fn closing(frames: &[PackedFrame]) -> Vec<u8> {
    let lengths: Vec<_> = frames.iter().map(|frame| (frame.packed, frame.unpacked)).collect();
    let mut end = (0, 0);
    let index = seek_index(lengths.iter().map(|&(packed, unpacked)| {
        end = (end.0 + u64::from(packed), end.1 + u64::from(unpacked));
        end
    }));
    [index, seek_table(&lengths)].concat()
}

/// A writer that packs its bytes. Several frames are compressed at a time, on all threads of the pool. Without [`Packing`], it writes the
/// bytes as they are.
pub struct Packer<W> {
    out: W,
    sections: Sections,
    /// One packer for each thread; none without packing. Packers are kept, because allocating one takes longer than compressing a frame.
    packers: Vec<FramePacker>,
    /// The full frames that are not written yet, followed by the bytes of the frame that is being filled.
    waiting: Vec<u8>,
    /// The starts in `waiting` of the full frames, and of the frame that is being filled.
    starts: Vec<usize>,
    /// Start of the frame that is being filled.
    start: u64,
    /// The written frames.
    frames: Vec<PackedFrame>,
}

impl<W: Write> Packer<W> {
    /// Packs the table with this header from the beginning.
    pub fn new(out: W, header: &Header, packing: impl Into<Option<Packing>>) -> Packer<W> {
        Packer::resume(out, header, packing.into(), Vec::new())
    }

    /// Resumes after frames already written.
    pub fn resume(
        out: W,
        header: &Header,
        packing: Option<Packing>,
        frames: Vec<PackedFrame>,
    ) -> Packer<W> {
        let threads = packing.map_or(0, |_| rayon::current_num_threads());
        let Packing { level, frame } = packing.unwrap_or_default();
        let sections = Sections::of(header, frame);
        let start = frames.iter().map(|frame| u64::from(frame.unpacked)).sum();
        let packers =
            (0..threads).map(|_| FramePacker::new(level.unwrap_or(FramePacker::LEVEL))).collect();
        let (waiting, starts) = (Vec::new(), vec![0]);
        Packer { out, sections, packers, waiting, starts, start, frames }
    }

    /// The written frames; `None` without packing.
    pub fn frames(&self) -> FramesWritten {
        self.packs().then(|| self.frames.clone())
    }

    fn packs(&self) -> bool {
        !self.packers.is_empty()
    }

    /// Completes the file: if it is packed, with the last frame and the seek table.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn finish(mut self) -> io::Result<W> {
        if self.packs() {
            if self.filled() > 0 {
                self.end_frame();
            }
            self.pack()?;
            self.out.write_all(&closing(&self.frames))?;
        }
        self.out.flush()?;
        Ok(self.out)
    }

    /// Length of the frame that is being filled.
    fn filled(&self) -> usize {
        self.waiting.len() - self.starts[self.starts.len() - 1]
    }

    /// Ends the frame that is being filled.
    fn end_frame(&mut self) {
        self.start += self.filled() as u64;
        self.starts.push(self.waiting.len());
    }

    /// Compresses the full frames and writes them.
    fn pack(&mut self) -> io::Result<()> {
        let frames = self.starts.windows(2).map(|ends| &self.waiting[ends[0]..ends[1]]);
        let frames: Vec<&[u8]> = frames.collect();
        // Each packer gets an equal share.
        let share = frames.len().div_ceil(self.packers.len()).max(1);
        let shares = self.packers.par_iter_mut().zip(frames.par_chunks(share));
        let packed = shares
            .flat_map_iter(|(packer, frames)| frames.iter().map(|frame| packer.pack(frame)))
            .collect::<io::Result<Vec<Vec<u8>>>>()?;
        for (packed, frame) in packed.iter().zip(&frames) {
            self.out.write_all(packed)?;
            self.frames.push(PackedFrame::new(packed, frame.len()));
        }
        self.waiting.drain(..self.waiting.len() - self.filled());
        self.starts.truncate(1);
        Ok(())
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.packs() {
            return self.out.write(bytes);
        }
        let length = self.sections.frame(self.start);
        let taken = bytes.len().min(length - self.filled());
        self.waiting.extend_from_slice(&bytes[..taken]);
        if self.filled() == length {
            self.end_frame();
            if self.starts.len() > 8 * self.packers.len() {
                self.pack()?;
            }
        }
        Ok(taken)
    }

    /// Writes all full frames, and keeps the rest.
    fn flush(&mut self) -> io::Result<()> {
        if self.packs() {
            self.pack()?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_core::MAX_FRAMES;
    use morpion_core::Source;
    use morpion_lookup::{Packed, Table};

    fn packed(bytes: &[u8], frame: u32, pieces: usize) -> Vec<u8> {
        let table = Table::from_source(bytes).unwrap();
        let packing = Packing { level: Some(3), frame: Some(frame) };
        let mut packer = Packer::new(Vec::new(), table.raw().header(), packing);
        bytes.chunks(pieces).try_for_each(|piece| packer.write_all(piece)).unwrap();
        packer.finish().unwrap()
    }

    /// Packs bytes by two packers: one up to `offset`, a start or an end of a layer, and one after it.
    fn resumed(bytes: &[u8], frame: u32, offset: u64) -> Vec<u8> {
        let table = Table::from_source(bytes).unwrap();
        let header = table.raw().header();
        let packing = Packing { level: Some(3), frame: Some(frame) };
        let (before, after) = bytes.split_at(offset as usize);
        let mut packer = Packer::new(Vec::new(), header, packing);
        packer.write_all(before).unwrap();
        packer.flush().unwrap();
        let (frames, written) = (packer.frames().unwrap(), packer.out.clone());
        let mut packer = Packer::resume(written, header, Some(packing), frames);
        packer.write_all(after).unwrap();
        packer.finish().unwrap()
    }

    fn bytes() -> Vec<u8> {
        let table = Table::builtin("classic").unwrap();
        table.source().in_memory().unwrap().to_vec()
    }

    #[test]
    fn frames_are_counted_before_they_are_written_and_are_few_by_default() {
        let bytes = bytes();
        let mut header = Table::from_source(&bytes).unwrap().raw().header().clone();
        for frame in [1, 64, 1000] {
            let packing = Packing { level: None, frame: Some(frame) };
            let packed = Packed::open(packed(&bytes, frame, 100)).unwrap();
            let count = packing.frame_count(&header, bytes.len() as u64);
            assert_eq!(count, packed.frame_count() as u64);
        }
        // The same sections in a table of 60 GB.
        let enlarged = |offset: u64| offset << 24;
        header.maps.iter_mut().for_each(|map| map.offset = enlarged(map.offset));
        header.layers.iter_mut().for_each(|layer| layer.offset = enlarged(layer.offset));
        header.census = enlarged(header.census);
        let size = enlarged(bytes.len() as u64);
        assert!(Packing::default().frame_count(&header, size) < u64::from(MAX_FRAMES) * 2 / 3);
        let short = Packing { level: None, frame: Some(4 << 10) };
        assert!(short.frame_count(&header, size) > u64::from(MAX_FRAMES));
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
        let whole = packed(bytes, 100, 1000);
        for layer in &table.raw().header().layers {
            assert_eq!(resumed(bytes, 100, layer.offset), whole);
        }
    }

    #[test]
    fn many_frames_have_an_index_of_their_seek_table() {
        let six =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../lookup/conformance/tables/six.morpion");
        let bytes = std::fs::read(six).unwrap();
        let whole = packed(&bytes, 1, 1000);
        let mut unpacked = Vec::with_capacity(bytes.len());
        zstd_safe::decompress(&mut unpacked, &whole[..]).unwrap();
        assert!(unpacked == bytes);

        let count = Packed::open(&whole[..]).unwrap().frame_count();
        assert_eq!(count, bytes.len());
        let seek_table = whole.len() - (8 * count + 17);
        let index = seek_table - (16 * count.div_ceil(256) + 16);
        assert_eq!(whole[index..][..4], [0x5d, 0x2a, 0x4d, 0x18]);
        let old = [&whole[..index], &whole[seek_table..]].concat();
        assert_eq!(Packed::open(old).unwrap().frame_count(), count);
        for at in (index..whole.len() - 9).step_by(997) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert!(Packed::open(damaged).is_err(), "byte {at}");
        }
        let closing = |count| closing(&vec![PackedFrame { packed: 9, unpacked: 1, sum: 0 }; count]);
        assert_eq!(closing(1 << 15).len(), (8 << 15) + 17);
        assert_eq!(closing((1 << 15) + 1).len(), (8 << 15) + 25 + 16 * 129 + 16);
        let table = Table::from_source(&bytes[..]).unwrap();
        assert!(resumed(&bytes, 1, table.raw().header().census) == whole);
    }
}
