//! The seek table: the place of each frame in the packed and in the unpacked file.
//!
//! Reads the last bytes of a packed file, and finds frames by their offset in the table. The layout is the seekable
//! format of Zstandard, version 0.1.0: a skippable frame at the end,
//!
//! ```text
//! 5E 2A 4D 18   length of the rest, u32
//! for each frame: packed length u32, unpacked length u32, and if the table says so a sum u32
//! number of frames u32   flags u8 (bit 7: sums)   B1 EA 92 8F
//! ```
//!
//! Before the seek table of many frames, a skippable frame contains an [index](seek_index) of it.

use crate::{ErrorKind, Source, TableError};
use alloc::format;
use alloc::vec::Vec;
use morpion_core::{
    MAX_FRAME, MAX_FRAMES, SEEK_FOOTER as FOOTER, SEEK_FRAME as SKIPPABLE, SEEK_MAGIC as MAGIC,
    seek_index,
};

/// Length of the header of a frame with a seek table in bytes.
const HEADER: u64 = 8;

/// Number of bytes at the end that are read first. Most seek tables are shorter, so that one request to a remote source is enough.
const TAIL: u64 = 1 << 16;

/// Maximum packed length of a frame that unpacks to `length` bytes: not less than the maximum that Zstandard states for its output.
fn packed_limit(length: u32) -> u32 {
    length + length / 256 + 64
}

/// The error of bytes that are not a packed table, or of a frame that cannot be unpacked.
pub(super) fn packed_fault(fault: impl core::fmt::Display) -> TableError {
    TableError::new(ErrorKind::Packed, format_args!("packed: {fault}"))
}

/// The ends of all frames.
pub(super) struct SeekTable(Vec<Ends>);

/// End of a frame in the packed and in the unpacked file, where the next frame begins.
#[derive(Clone, Copy, Default)]
struct Ends {
    packed: u64,
    unpacked: u64,
}

/// A frame and its place, in bytes from the beginning of the packed and of the unpacked file.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) number: usize,
    pub(super) packed: u64,
    pub(super) packed_length: usize,
    pub(super) start: u64,
    pub(super) length: usize,
}

impl SeekTable {
    /// Reads the seek table of packed bytes and checks it against their length.
    pub(super) fn read(source: &dyn Source) -> Result<SeekTable, TableError> {
        let fault = |what: String| Err(packed_fault(what));
        let size = source.size();
        if size < HEADER + FOOTER {
            return fault(format!("{size} bytes, too few for a seek table"));
        }
        let mut bytes = alloc::vec![0; size.min(TAIL) as usize];
        source.read_at(size - bytes.len() as u64, &mut bytes)?;
        let footer = &bytes[bytes.len() - FOOTER as usize..];
        let (count, flags, magic) = (word(footer, 0), footer[4], word(footer, 5));
        if magic != MAGIC {
            return fault(format!(
                "it ends in {magic:08x}, expected {MAGIC:08x}, the end of a seek table"
            ));
        }
        if flags & 0x7f != 0 {
            return fault(format!("flags {flags:#04x} of the seek table, expected 0x00 or 0x80"));
        }
        if count > MAX_FRAMES {
            return fault(format!("{count} frames, expected at most {MAX_FRAMES}"));
        }
        let entry = if flags & 0x80 != 0 { 12 } else { 8 };
        let length = u64::from(count) * entry + FOOTER;
        let Some(frames) = size.checked_sub(HEADER + length) else {
            return fault(format!("a seek table of {count} frames in a file of {size} bytes"));
        };

        match bytes.len().checked_sub((HEADER + length) as usize) {
            Some(before) => drop(bytes.drain(..before)),
            None => {
                bytes = zeros((HEADER + length) as usize)?;
                source.read_at(frames, &mut bytes)?;
            }
        }
        let (magic, found) = (word(&bytes, 0), u64::from(word(&bytes, 4)));
        if (magic, found) != (SKIPPABLE, length) {
            return fault(format!(
                "a seek table that begins with {magic:08x} and {found} bytes, expected {SKIPPABLE:08x} and {length}"
            ));
        }
        let ends = read_ends(&bytes[8..][..(length - FOOTER) as usize], entry as usize)?;
        let packed = ends.last().map_or(0, |last| last.packed);
        let index = seek_index(ends.iter().map(|end| (end.packed, end.unpacked)));
        // Old packed tables have no index.
        if packed != frames && packed + index.len() as u64 != frames {
            return fault(format!(
                "frames of {packed} bytes in the seek table, {frames} bytes of frames in the file"
            ));
        }
        let mut found = zeros((frames - packed) as usize)?;
        source.read_at(packed, &mut found)?;
        if !index.starts_with(&found) {
            return fault("the index of the seek table differs from it".into());
        }
        Ok(SeekTable(ends))
    }

    /// Number of frames.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Number of bytes that the frames unpack to.
    pub(super) fn size(&self) -> u64 {
        self.0.last().map_or(0, |ends| ends.unpacked)
    }

    /// The frames that contain the `length` bytes from `offset` on, which must exist.
    pub(super) fn frames(&self, offset: u64, length: usize) -> impl Iterator<Item = Frame> {
        let end = offset + length as u64;
        let at = move |offset: u64| (offset < end).then(|| self.frame_at(offset));
        core::iter::successors(at(offset), move |frame| at(frame.start + frame.length as u64))
    }

    /// The frame that contains the byte at `offset` of the unpacked file. `offset` must be less than [`SeekTable::size`].
    fn frame_at(&self, offset: u64) -> Frame {
        let number = self.0.partition_point(|ends| ends.unpacked <= offset);
        let end = self.0[number];
        let start = number.checked_sub(1).map_or(Ends::default(), |before| self.0[before]);
        Frame {
            number,
            packed: start.packed,
            packed_length: (end.packed - start.packed) as usize,
            start: start.unpacked,
            length: (end.unpacked - start.unpacked) as usize,
        }
    }
}

/// Reserves memory for `count` items, a number that comes from a file. Returns an error instead of aborting if memory is short.
pub(super) fn reserve<T>(items: &mut Vec<T>, count: usize) -> Result<(), TableError> {
    let too_large = |_| TableError::io(format!("{count} items do not fit in memory"));
    items.try_reserve_exact(count.saturating_sub(items.len())).map_err(too_large)
}

/// Allocates a buffer of `length` zeros, a number that comes from a file. Returns an error instead of aborting if memory is short.
pub(super) fn zeros(length: usize) -> Result<Vec<u8>, TableError> {
    let mut bytes = Vec::new();
    reserve(&mut bytes, length)?;
    bytes.resize(length, 0);
    Ok(bytes)
}

/// Reads the entries of a seek table, each of `entry` bytes, and checks the lengths of the frames.
fn read_ends(entries: &[u8], entry: usize) -> Result<Vec<Ends>, TableError> {
    let fault = |what: String| Err(packed_fault(what));
    let mut end = Ends::default();
    let mut ends = Vec::new();
    reserve(&mut ends, entries.len() / entry)?;
    for (number, entry) in entries.chunks(entry).enumerate() {
        let (packed, unpacked) = (word(entry, 0), word(entry, 4));
        if packed == 0 || unpacked == 0 || unpacked > MAX_FRAME {
            return fault(format!(
                "frame {number} of {packed} bytes that unpack to {unpacked}, expected 1 to {MAX_FRAME}"
            ));
        }
        if packed > packed_limit(unpacked) {
            return fault(format!(
                "frame {number} of {packed} bytes that unpack to {unpacked}, expected at most {}",
                packed_limit(unpacked)
            ));
        }
        end.packed += u64::from(packed);
        end.unpacked += u64::from(unpacked);
        ends.push(end);
    }
    Ok(ends)
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
