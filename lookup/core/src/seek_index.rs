//! The seek table of a packed table and its limits. A long seek table has an index, for readers that fetch it over a network in parts.
//!
//! The reader of `morpion-lookup` describes the layout of a seek table.

use alloc::vec::Vec;
use xxhash_rust::xxh3::xxh3_64;

/// Magic number of the frame with the index.
const INDEX: u32 = 0x184D_2A5D;

/// Magic number of the frame with the seek table.
pub const SEEK_FRAME: u32 = 0x184D_2A5E;

/// Magic number at the end of a packed file.
pub const SEEK_MAGIC: u32 = 0x8F92_EAB1;

/// Length of the footer of a seek table in bytes.
pub const SEEK_FOOTER: u64 = 9;

/// Maximum length of an unpacked frame in bytes, which limits the allocation for a damaged or hostile file.
pub const MAX_FRAME: u32 = 8 << 20;

/// Maximum number of frames, which limits the seek table to 24 MiB. `morpion pack` writes fewer than two thirds of this number.
pub const MAX_FRAMES: u32 = 1 << 21;

/// Number of frames for which the index has one entry.
const GROUP: usize = 256;

/// Maximum number of frames without an index.
const UNINDEXED: usize = 1 << 15;

/// Returns the index of a seek table, given the end of each frame in the packed and in the unpacked file. Up to 32,768 frames have no
/// index: the result is empty.
///
/// The index is a skippable frame directly before the seek table. Its length follows from the number of frames.
///
/// ```text
/// 5D 2A 4D 18   length of the rest, u32
/// for each 256 frames, and for the rest: end of the last one, packed u64, unpacked u64
/// xxh3-64 of all bytes before it
/// ```
pub fn seek_index(ends: impl ExactSizeIterator<Item = (u64, u64)>) -> Vec<u8> {
    let count = ends.len();
    if count <= UNINDEXED {
        return Vec::new();
    }
    let length = count.div_ceil(GROUP) * 16 + 8;
    let mut bytes = Vec::with_capacity(8 + length);
    bytes.extend(INDEX.to_le_bytes());
    bytes.extend((length as u32).to_le_bytes());
    let is_last = |number: usize| number.is_multiple_of(GROUP) || number == count;
    for (_, (packed, unpacked)) in (1..).zip(ends).filter(|&(number, _)| is_last(number)) {
        bytes.extend(packed.to_le_bytes());
        bytes.extend(unpacked.to_le_bytes());
    }
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes
}

/// The bytes of a seek table for frames of these packed and unpacked lengths.
pub fn seek_table(frames: &[(u32, u32)]) -> Vec<u8> {
    let length = frames.len() as u64 * 8 + SEEK_FOOTER;
    let mut bytes = Vec::with_capacity((8 + length) as usize);
    bytes.extend(SEEK_FRAME.to_le_bytes());
    bytes.extend((length as u32).to_le_bytes());
    for (packed, unpacked) in frames {
        bytes.extend(packed.to_le_bytes());
        bytes.extend(unpacked.to_le_bytes());
    }
    bytes.extend((frames.len() as u32).to_le_bytes());
    bytes.push(0);
    bytes.extend(SEEK_MAGIC.to_le_bytes());
    bytes
}
