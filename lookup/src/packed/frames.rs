//! Frames: they are unpacked one by one, and the last ones are cached.
//!
//! Returns the unpacked bytes of a frame, from the cache if possible. Each
//! frame is checked against its length in the seek table and against its own sum before it is used.

use super::error::PackedFault;
use super::seek_table::{Frame, MAX_FRAME};
use crate::{ReadError, Source};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use morpion_core::slice;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::collections::HashMap;
use std::io::Read;

/// The decoder and the cached frames.
pub(super) struct Frames {
    decoder: FrameDecoder,
    /// Packed bytes from a source that is not in memory, and their offset.
    packed: Vec<u8>,
    fetched: u64,
    kept: HashMap<usize, Kept>,
    /// Bytes of all cached frames, and their maximum.
    bytes: usize,
    capacity: usize,
    /// Counts uses, to find the least recently used frame.
    clock: u64,
}

struct Kept {
    bytes: Vec<u8>,
    used: u64,
}

impl Frames {
    pub(super) fn new(capacity: usize) -> Frames {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(u64::from(MAX_FRAME));
        let (packed, kept) = (Vec::new(), HashMap::new());
        Frames { decoder, packed, fetched: 0, kept, bytes: 0, capacity, clock: 0 }
    }

    /// Sets the maximum of cached bytes. Excess frames are evicted at the next decode.
    pub(super) fn set_capacity(&mut self, capacity: usize) {
        self.capacity = capacity;
    }

    /// Fetches consecutive frames in one read, from the first that is not cached, if their source is not in memory.
    pub(super) fn fetch(
        &mut self,
        source: &dyn Source,
        mut frames: impl Iterator<Item = Frame>,
    ) -> Result<(), ReadError> {
        if source.in_memory().is_some() {
            return Ok(());
        }
        let missing = frames.find(|frame| !self.kept.contains_key(&frame.number));
        let Some(first) = missing else { return Ok(()) };
        // All following frames too: unpacking one may evict another.
        let last = frames.last().unwrap_or(first);
        self.fetched = first.packed;
        // If the read fails, nothing has been fetched.
        self.packed.clear();
        let mut packed = core::mem::take(&mut self.packed);
        packed.resize((last.packed - first.packed) as usize + last.packed_length, 0);
        source.read_at(first.packed, &mut packed)?;
        self.packed = packed;
        Ok(())
    }

    /// The unpacked bytes of a frame. If its source is not in memory, the frame has been fetched.
    pub(super) fn unpacked(
        &mut self,
        source: &dyn Source,
        frame: Frame,
    ) -> Result<&[u8], PackedFault> {
        self.clock += 1;
        if !self.kept.contains_key(&frame.number) {
            let buffer = self.make_room(frame.length);
            let bytes = self.unpack(source, frame, buffer)?;
            self.bytes += bytes.len();
            self.kept.insert(frame.number, Kept { bytes, used: 0 });
        }
        let kept = self.kept.get_mut(&frame.number).expect("it was kept just now");
        kept.used = self.clock;
        Ok(&kept.bytes)
    }

    /// Evicts the least recently used frames until `length` more bytes fit. Returns a buffer for reuse.
    fn make_room(&mut self, length: usize) -> Vec<u8> {
        let mut buffer = Vec::new();
        while self.bytes + length > self.capacity {
            let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.used);
            let Some((&oldest, _)) = oldest else { break };
            if let Some(kept) = self.kept.remove(&oldest) {
                self.bytes -= kept.bytes.len();
                buffer = kept.bytes;
            }
        }
        buffer
    }

    fn unpack(
        &mut self,
        source: &dyn Source,
        frame: Frame,
        mut into: Vec<u8>,
    ) -> Result<Vec<u8>, PackedFault> {
        let packed = match source.in_memory() {
            Some(bytes) => slice(bytes, frame.packed, frame.packed_length).unwrap_or_default(),
            None => slice(&self.packed, frame.packed - self.fetched, frame.packed_length)
                .unwrap_or_default(),
        };
        into.resize(frame.length, 0);
        let fault = |what| PackedFault::Frame(frame.number, what);
        decode(&mut self.decoder, packed, &mut into).map_err(fault)?;
        Ok(into)
    }
}

/// Unpacks one frame, which must have exactly the expected length.
fn decode(decoder: &mut FrameDecoder, mut packed: &[u8], into: &mut [u8]) -> Result<(), String> {
    let text = |error: &dyn core::fmt::Display| error.to_string();
    // Decoders ignore two bits without a meaning.
    if let Some(flags) = packed.get(4).filter(|&flags| flags & 0x18 != 0) {
        return Err(alloc::format!("flags {flags:#04x}, expected {:#04x}", flags & !0x18));
    }
    decoder.reset(&mut packed).map_err(|error| text(&error))?;
    let (found, expected) = (decoder.content_size(), into.len());
    if found != expected as u64 {
        return Err(alloc::format!(
            "it unpacks to {found} bytes by itself, {expected} by the seek table"
        ));
    }
    let mut filled = 0;
    while !decoder.is_finished() {
        // Block by block, at most 128 KiB each, so that a frame that lies about its length is found before it takes memory.
        decoder
            .decode_blocks(&mut packed, BlockDecodingStrategy::UptoBlocks(1))
            .map_err(|error| text(&error))?;
        filled += decoder.read(&mut into[filled..]).map_err(|error| text(&error))?;
        if decoder.can_collect() > 0 {
            return Err(alloc::format!("more than the {expected} bytes that it is to unpack to"));
        }
    }
    if filled != expected {
        return Err(alloc::format!("{filled} bytes, expected {expected}"));
    }
    if !packed.is_empty() {
        return Err(alloc::format!("{} bytes after its end", packed.len()));
    }
    match (decoder.get_checksum_from_data(), decoder.get_calculated_checksum()) {
        (Some(found), Some(expected)) if found != expected => {
            Err(alloc::format!("sum {found:08x}, expected {expected:08x}"))
        }
        (None, _) => Err("no sum, expected one".into()),
        _ => Ok(()),
    }
}
