//! Unpacks a frame, and refuses whatever a frame of a packed table may not be (tables/FORMAT.md, "Packed tables").
//!
//! `lookup/js/decoder` compiles this file too, for JavaScript. So both refuse the same frames.

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::Read;

/// A header or a block that is not one of Zstandard, or that cannot be copied. The messages of ruzstd would double the size of the module
/// of JavaScript.
const DAMAGED: &str = "a damaged header or block, or too large a window";

/// Unpacks one frame at a time, and keeps its memory for the next one.
pub(crate) struct Decoder(FrameDecoder);

impl Decoder {
    /// Makes a decoder of frames whose windows have at most `window` bytes.
    pub(crate) fn new(window: u64) -> Decoder {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(window);
        Decoder(decoder)
    }

    /// Unpacks bytes that must be one frame, and must unpack to the length of `into`. The error is the reason why the frame is refused.
    pub(crate) fn unpack(
        &mut self,
        mut packed: &[u8],
        into: &mut [u8],
    ) -> Result<(), &'static str> {
        let Decoder(decoder) = self;
        // Decoders ignore two bits without a meaning, and accept a dictionary with the number 0.
        if packed.get(4).is_some_and(|flags| flags & 0x1b != 0) {
            return Err("flags that a frame may not have");
        }
        decoder.reset(&mut packed).map_err(|_| DAMAGED)?;
        if decoder.content_size() != into.len() as u64 {
            return Err("another length than in the seek table");
        }
        let mut filled = 0;
        while !decoder.is_finished() {
            // Block by block, at most 128 KiB each, so that a frame that lies about its length is found before it takes memory.
            let block = BlockDecodingStrategy::UptoBlocks(1);
            decoder.decode_blocks(&mut packed, block).map_err(|_| DAMAGED)?;
            filled += decoder.read(&mut into[filled..]).map_err(|_| DAMAGED)?;
            if decoder.can_collect() > 0 {
                return Err("more bytes than it is to unpack to");
            }
        }
        if filled != into.len() {
            return Err("fewer bytes than it is to unpack to");
        }
        if !packed.is_empty() {
            return Err("bytes after its end");
        }
        match (decoder.get_checksum_from_data(), decoder.get_calculated_checksum()) {
            (Some(found), Some(expected)) if found != expected => Err("a wrong sum"),
            (None, _) => Err("no sum"),
            _ => Ok(()),
        }
    }
}
