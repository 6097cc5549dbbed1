//! Compresses bytes to Zstandard frames, which contain their length and a checksum, and decompresses frames.

use std::io;
use zstd_safe::{CCtx, CParameter, DCtx, ParamSwitch, ResetDirective, get_error_name};

/// Packs frames, with settings that depend on the level, and on the length and content of each frame.
pub struct FramePacker {
    context: CCtx<'static>,
    level: Option<i32>,
}

/// Number of bytes above which a frame counts as long. Such frames occur in tables of more than 27 GiB.
const LONG: usize = 256 << 10;
/// Number of bytes above which a frame counts as very long. Such frames occur in tables of more than 115 GiB.
const VERY_LONG: usize = 1 << 20;

impl FramePacker {
    /// Creates a packer for a level of Zstandard, 1 to 22; `None` chooses for each frame.
    pub fn new(level: Option<i32>) -> FramePacker {
        FramePacker { context: CCtx::create(), level }
    }

    /// Compresses one frame.
    ///
    /// # Errors
    /// If the level does not exist, or the system is out of memory.
    pub fn pack(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        use CParameter::{
            CompressionLevel, HashLog, MaxBlockSize, MinMatch, SearchLog, UseRowMatchFinder,
        };
        let level = self.level;
        let settings: &[CParameter] = match level {
            Some(level) => &[CompressionLevel(level)],
            // Level 15 takes a third of the time of level 19 for 2 % more bytes.
            None if bytes.len() <= LONG => &[CompressionLevel(15)],
            // The row match finder compares 64 places at most. In very long frames whose bytes are nearly all equal, a
            // hash chain of 128 places saves 5 % of the bytes, for twice the time. In other frames, it takes ten times
            // as long. Few sequences differ, so the hash table can be small. Blocks of less than 128 KiB are not split
            // further, which saves a tenth of the time and 1 % of the bytes.
            None if bytes.len() > VERY_LONG && self.is_sparse(bytes)? => &[
                CompressionLevel(12),
                UseRowMatchFinder(ParamSwitch::Disable),
                HashLog(17),
                MaxBlockSize((128 << 10) - 1),
                MinMatch(6),
                SearchLog(7),
            ],
            // A third of the time of level 15 for 2 % more bytes.
            None => &[CompressionLevel(12), MinMatch(6)],
        };
        self.compress(bytes, settings)
    }

    /// Returns whether the fastest level packs the first eighth of a frame to less than a 32nd of it.
    fn is_sparse(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let sample = &bytes[..bytes.len() / 8];
        Ok(self.compress(sample, &[CParameter::CompressionLevel(1)])?.len() < sample.len() / 32)
    }

    fn compress(&mut self, bytes: &[u8], settings: &[CParameter]) -> io::Result<Vec<u8>> {
        let context = &mut self.context;
        let mut packed = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
        context
            .reset(ResetDirective::SessionAndParameters)
            .and_then(|_| context.set_parameter(CParameter::ChecksumFlag(true)))
            .and_then(|_| settings.iter().try_for_each(|&set| context.set_parameter(set).map(drop)))
            .and_then(|()| context.compress2(&mut packed, bytes))
            .map_err(|code| io::Error::other(get_error_name(code)))?;
        Ok(packed)
    }
}

/// Unpacks frames.
#[derive(Default)]
pub struct FrameUnpacker(DCtx<'static>);

impl FrameUnpacker {
    /// Decompresses a frame, which must fill `into`.
    ///
    /// # Errors
    /// If the bytes are not a frame, are damaged, or decompress to another length.
    pub fn unpack(&mut self, frame: &[u8], into: &mut [u8]) -> io::Result<()> {
        let length = self
            .0
            .decompress(into, frame)
            .map_err(|code| io::Error::new(io::ErrorKind::InvalidData, get_error_name(code)))?;
        if length == into.len() {
            return Ok(());
        }
        let fault = format!("a frame of {length} bytes, expected {}", into.len());
        Err(io::Error::new(io::ErrorKind::InvalidData, fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_format::seek_table;
    use morpion_lookup::{Packed, Source};
    use xxhash_rust::xxh3::xxh3_64;

    #[test]
    fn a_packer_gives_the_same_bytes_whatever_it_packed_before() {
        let sparse = |at: usize| if at.is_multiple_of(1009) { (at / 7) as u8 } else { 0 };
        let dense = |at: usize| xxh3_64(&at.to_le_bytes()) as u8;
        let mut frames: Vec<Vec<u8>> = Vec::new();
        for length in [1000, LONG + 1, VERY_LONG + 1] {
            frames.push((0..length).map(sparse).collect());
            frames.push((0..length).map(dense).collect());
        }
        let mut used = FramePacker::new(None);
        for frame in frames.iter().chain(frames.iter().rev()) {
            let packed = used.pack(frame).unwrap();
            assert!(packed == FramePacker::new(None).pack(frame).unwrap());
            let end = seek_table(&[(packed.len() as u32, frame.len() as u32)]);
            let mut unpacked = vec![0; frame.len()];
            Packed::open([packed, end].concat()).unwrap().read_at(0, &mut unpacked).unwrap();
            assert!(unpacked == *frame);
        }
    }
}
