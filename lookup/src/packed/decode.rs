//! Unpacks a frame, and refuses whatever a frame of a packed table may not be (tables/FORMAT.md, "Packed tables").
//!
//! `lookup/js/decoder` compiles this file too, for JavaScript. So both refuse the same frames.

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fmt;
use std::io::Read;

/// Reason why a frame is refused.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Flags that a frame may not have.
    Flags(u8),
    /// Another length in the frame than in the seek table.
    Length { found: u64, expected: usize },
    /// Blocks of more bytes than the frame states.
    Long { expected: usize },
    /// Blocks of fewer bytes than the frame states.
    Short { found: usize, expected: usize },
    /// Bytes after the end of the frame.
    After(usize),
    /// A wrong sum.
    Sum { found: u32, expected: u32 },
    /// A frame without a sum.
    NoSum,
    /// A header or a block that is not one of Zstandard, or too large a window.
    Damaged(FrameDecoderError),
    /// Blocks that cannot be copied.
    Copy(std::io::Error),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Flags(flags) => write!(f, "flags {flags:#04x}, expected {:#04x}", flags & !0x1b),
            Fault::Length { found, expected } => {
                write!(f, "it unpacks to {found} bytes by itself, {expected} by the seek table")
            }
            Fault::Long { expected } => {
                write!(f, "more than the {expected} bytes that it is to unpack to")
            }
            Fault::Short { found, expected } => write!(f, "{found} bytes, expected {expected}"),
            Fault::After(bytes) => write!(f, "{bytes} bytes after its end"),
            Fault::Sum { found, expected } => write!(f, "sum {found:08x}, expected {expected:08x}"),
            Fault::NoSum => f.write_str("no sum, expected one"),
            Fault::Damaged(error) => error.fmt(f),
            Fault::Copy(error) => error.fmt(f),
        }
    }
}

/// Unpacks one frame at a time, and keeps its memory for the next one.
pub(crate) struct Decoder(FrameDecoder);

impl Decoder {
    /// Makes a decoder of frames whose windows have at most so many bytes.
    pub(crate) fn new(window: u64) -> Decoder {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(window);
        Decoder(decoder)
    }

    /// Unpacks bytes that must be one frame, and must unpack to the length of `into`.
    pub(crate) fn unpack(&mut self, mut packed: &[u8], into: &mut [u8]) -> Result<(), Fault> {
        let Decoder(decoder) = self;
        // Decoders ignore two bits without a meaning, and accept a dictionary with the number 0.
        if let Some(&flags) = packed.get(4).filter(|&flags| flags & 0x1b != 0) {
            return Err(Fault::Flags(flags));
        }
        decoder.reset(&mut packed).map_err(Fault::Damaged)?;
        let (found, expected) = (decoder.content_size(), into.len());
        if found != expected as u64 {
            return Err(Fault::Length { found, expected });
        }
        let mut filled = 0;
        while !decoder.is_finished() {
            // Block by block, at most 128 KiB each, so that a frame that lies about its length is found before it takes memory.
            let block = BlockDecodingStrategy::UptoBlocks(1);
            decoder.decode_blocks(&mut packed, block).map_err(Fault::Damaged)?;
            filled += decoder.read(&mut into[filled..]).map_err(Fault::Copy)?;
            if decoder.can_collect() > 0 {
                return Err(Fault::Long { expected });
            }
        }
        if filled != expected {
            return Err(Fault::Short { found: filled, expected });
        }
        if !packed.is_empty() {
            return Err(Fault::After(packed.len()));
        }
        match (decoder.get_checksum_from_data(), decoder.get_calculated_checksum()) {
            (Some(found), Some(expected)) if found != expected => {
                Err(Fault::Sum { found, expected })
            }
            (None, _) => Err(Fault::NoSum),
            _ => Ok(()),
        }
    }
}
