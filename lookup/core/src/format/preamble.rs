//! The bytes before the body of a file: magic, version, header, sum.
//!
//! Reads the header of a source, whose bytes are not trusted.

use crate::error::{ErrorKind, TableError};
use crate::fields::{METADATA_LIMIT, within_limit};
use crate::source::{Source, word};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use xxhash_rust::xxh3::xxh3_64;

/// The version of the format of tables. Files of other versions are refused.
pub const VERSION: u32 = 5;

/// The first eight bytes of a table.
pub const MAGIC: [u8; 8] = *b"\x89MORPION";

/// The unit of alignment: header and sections begin at multiples of it.
pub const ALIGNMENT: u64 = 64;

/// Length of the first read of a source that is not in memory: enough for most headers, so that one read suffices.
const FIRST_READ: u64 = 1 << 14;

/// Reads and checks the bytes before the body of `source`, which must have this magic and this version. Returns the bytes of the header.
///
/// # Errors
/// If the magic, the version or the sum is wrong, the file is truncated, the padding is not zero, or the source cannot be read.
pub fn read_preamble(
    magic: [u8; 8],
    version: u32,
    source: &dyn Source,
) -> Result<Vec<u8>, TableError> {
    let length = source.size();
    if let Some(bytes) = source.in_memory() {
        return parse(magic, version, bytes, length);
    }
    let mut bytes = vec![0; length.min(FIRST_READ) as usize];
    source.read_at(0, &mut bytes)?;
    let (known, header) = (bytes.len(), word(&bytes, 12).map_or(0, u32::from_le_bytes) as usize);
    let end = body_begins(header).min(length) as usize;
    if bytes.starts_with(&magic) && header <= METADATA_LIMIT && end > known {
        bytes.resize(end, 0);
        source.read_at(known as u64, &mut bytes[known..])?;
    }
    parse(magic, version, &bytes, length)
}

/// The bytes before the body of a file: magic, version, the header's bytes with their length and sum, zeros up to [`ALIGNMENT`]. The header
/// should have at most 4 MiB: readers refuse a longer one.
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

/// Offset of the body after a header of `header` bytes and its sum.
pub fn body_begins(header: usize) -> u64 {
    (16 + header as u64 + 8).next_multiple_of(ALIGNMENT)
}

/// Reads the header from the first bytes of a file of `length` bytes.
fn parse(magic: [u8; 8], version: u32, bytes: &[u8], length: u64) -> Result<Vec<u8>, TableError> {
    if bytes.get(..8) != Some(&magic[..]) {
        let message = "not a table: it does not begin with the eight bytes of one";
        return Err(TableError::new(ErrorKind::Magic, message));
    }
    let short = |least: u64| TableError::cut(length, least);
    let field = |at| word(bytes, at).map(u32::from_le_bytes).ok_or_else(|| short(16));
    let found = field(8)?;
    if found != version {
        return Err(TableError::new(ErrorKind::Version, other_version(found, version)));
    }
    let header = field(12)? as usize;
    within_limit(header)?;
    let (end, body) = (16 + header, body_begins(header));
    let padding = bytes.get(end + 8..body as usize).ok_or_else(|| short(body))?;
    let expected = word(bytes, end as u64).map(u64::from_le_bytes).ok_or_else(|| short(body))?;
    let found = xxh3_64(&bytes[..end]);
    if found != expected {
        return Err(TableError::checksum("the header", found, expected));
    }
    if padding.iter().any(|&byte| byte != 0) {
        return Err(TableError::header("padding that is not zero"));
    }
    Ok(bytes[16..end].to_vec())
}

/// Says which program wrote a file of another version, and what to do.
fn other_version(found: u32, version: u32) -> String {
    match found < version {
        true => format!(
            "format version {found}, written by a morpion before 0.5.0: build the table again (version {version} is read)"
        ),
        false => format!(
            "format version {found}, written by a newer morpion: update this program (version {version} is read)"
        ),
    }
}
