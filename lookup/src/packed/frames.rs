//! Unpacks frames one by one, and caches the most recently used ones.
//!
//! Returns the unpacked bytes of a frame, from the cache if possible. Before a frame is used, its length is compared with the seek table,
//! and its bytes with the checksum in the frame.

use super::decode::Decoder;
use super::seek_table::{Frame, packed_fault, reserve, zeros};
use crate::{Source, TableError};
use alloc::vec::Vec;
use morpion_core::{MAX_FRAME, slice};
use std::collections::HashMap;

/// Maximum of packed bytes that one read fetches, unless one frame has more.
const FETCH: u64 = 8 << 20;

/// The decoder and the cached frames.
pub(super) struct Frames {
    decoder: Decoder,
    kept: HashMap<usize, Kept>,
    /// Total length of the cached frames in bytes; `capacity` is its maximum.
    bytes: usize,
    capacity: usize,
    /// Number of uses of frames so far. Each frame has the number of its last use, which finds the least recently used one.
    clock: u64,
}

struct Kept {
    bytes: Vec<u8>,
    used: u64,
}

impl Frames {
    pub(super) fn new(capacity: usize) -> Frames {
        let decoder = Decoder::new(u64::from(MAX_FRAME));
        Frames { decoder, kept: HashMap::new(), bytes: 0, capacity, clock: 0 }
    }

    /// Sets the maximum of cached bytes, and evicts excess frames.
    pub(super) fn set_capacity(&mut self, capacity: usize) {
        self.capacity = capacity;
        self.make_room(0);
    }

    /// Returns whether a frame is cached.
    pub(super) fn contains(&self, frame: Frame) -> bool {
        self.kept.contains_key(&frame.number)
    }

    /// The bytes of a cached frame, which becomes the most recently used one.
    pub(super) fn get(&mut self, frame: Frame) -> &[u8] {
        self.clock += 1;
        let kept = self.kept.get_mut(&frame.number).expect("the frame is cached");
        kept.used = self.clock;
        &kept.bytes
    }

    /// Unpacks a frame into the cache.
    pub(super) fn unpack(&mut self, frame: Frame, packed: &[u8]) -> Result<(), TableError> {
        let mut bytes = self.make_room(frame.length);
        reserve(&mut bytes, frame.length)?;
        bytes.resize(frame.length, 0);
        let fault = |what| packed_fault(format_args!("frame {}: {what}", frame.number));
        self.decoder.unpack(packed, &mut bytes).map_err(fault)?;
        self.bytes += bytes.len();
        self.kept.insert(frame.number, Kept { bytes, used: 0 });
        Ok(())
    }

    /// Evicts the least recently used frames until `length` more bytes fit. Returns the buffer of an evicted frame, or an empty one.
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
}

/// Packed bytes of consecutive frames from a source that is not in memory.
#[derive(Default)]
pub(super) struct Fetched {
    start: u64,
    bytes: Vec<u8>,
}

impl Fetched {
    /// The packed bytes of a frame. If they have not been fetched, fetches them with the frames that follow in one read, up to 8 MiB.
    pub(super) fn frame(
        &mut self,
        source: &dyn Source,
        frame: Frame,
        following: impl Iterator<Item = Frame>,
    ) -> Result<&[u8], TableError> {
        let end = |frame: Frame| frame.packed + frame.packed_length as u64;
        if end(frame) > self.start + self.bytes.len() as u64 {
            // The read reaches to the last frame, even over cached frames, since unpacking may evict them.
            let last = following.map(end).take_while(|&end| end - frame.packed <= FETCH).last();
            let length = last.unwrap_or(0).max(end(frame)) - frame.packed;
            self.bytes = zeros(length as usize)?;
            self.start = frame.packed;
            source.read_at(self.start, &mut self.bytes)?;
        }
        Ok(slice(&self.bytes, frame.packed - self.start, frame.packed_length).unwrap_or_default())
    }
}
