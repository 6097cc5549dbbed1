//! The bytes before the body of a file.

use morpion_core::ALIGNMENT;
use xxhash_rust::xxh3::xxh3_64;

/// The bytes before the body of a file: magic, version, the header's bytes with their length and sum, zeros up to
/// [`ALIGNMENT`]. The header has at most 4 MiB, because more is not read.
pub fn preamble(magic: [u8; 8], version: u32, header: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(header.len() + 128);
    bytes.extend(magic);
    bytes.extend(version.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT as usize), 0);
    bytes
}
