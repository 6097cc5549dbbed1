//! Frames of Zstandard: bytes packed as one piece, with their length and sum, and unpacked again.

use std::io;
use zstd_safe::{CCtx, CParameter, DCtx, get_error_name};

/// Packs frames at one level.
pub struct FramePacker(CCtx<'static>);

impl FramePacker {
    /// A packer at a level of Zstandard.
    ///
    /// # Errors
    /// Where there is no such level, or no memory.
    pub fn new(level: i32) -> io::Result<FramePacker> {
        let mut context = CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        let parameters = [CParameter::CompressionLevel(level), CParameter::ChecksumFlag(true)];
        parameters
            .into_iter()
            .try_for_each(|set| context.set_parameter(set).map(drop))
            .map_err(named)?;
        Ok(FramePacker(context))
    }

    /// The frame of these bytes.
    ///
    /// # Errors
    /// Where there is no memory.
    pub fn pack(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut packed = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
        self.0.compress2(&mut packed, bytes).map_err(named)?;
        Ok(packed)
    }
}

/// Unpacks frames.
pub struct FrameUnpacker(DCtx<'static>);

impl FrameUnpacker {
    /// An unpacker.
    ///
    /// # Errors
    /// Where there is no memory.
    pub fn new() -> io::Result<FrameUnpacker> {
        Ok(FrameUnpacker(DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?))
    }

    /// Unpacks a frame that fills `into`.
    ///
    /// # Errors
    /// Where it is no frame, is damaged, or holds another number of bytes.
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

fn named(code: usize) -> io::Error {
    io::Error::other(get_error_name(code))
}
