//! The bytes before the body of a file: magic, version, header, sum. bincode appears in this module and nowhere else.
//!
//! Reads the header of a source, which may be any bytes.

use crate::error::TableError;
use crate::error_kind::ErrorKind;
use crate::source::{Source, word};
use alloc::vec;
use alloc::vec::Vec;
use bincode::config::{self, Config};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The newest version of the format that this library writes and reads.
pub const VERSION: u32 = 3;

/// The first eight bytes of a table.
pub const MAGIC: [u8; 8] = *b"\x89MORPION";

/// The unit of alignment: header and sections begin at multiples of it.
pub const ALIGNMENT: u64 = 64;

/// The longest header or census that is read, in bytes.
pub const METADATA_LIMIT: usize = 1 << 22;

fn configuration() -> impl Config {
    config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<METADATA_LIMIT>()
}

/// Serialises a header or another small structure: fields in order, integers little endian and of fixed width, lengths
/// and counts as `u64`, variants as `u32`, options as a byte 0 or 1 before the value.
///
/// # Errors
/// If the result is longer than 4 MiB, the most that is read.
pub fn serialise(value: &impl Serialize) -> Result<Vec<u8>, TableError> {
    let bytes =
        bincode::serde::encode_to_vec(value, configuration()).map_err(TableError::header)?;
    within_limit(bytes.len()).map(|()| bytes)
}

/// Refuses a header that is too long to be read.
fn within_limit(length: usize) -> Result<(), TableError> {
    let fault = format_args!("{length} bytes, expected at most {METADATA_LIMIT}");
    if length <= METADATA_LIMIT { Ok(()) } else { Err(TableError::header(fault)) }
}

/// Reads what [`serialise`] wrote; all bytes have to be used.
///
/// # Errors
/// If the bytes are not such a structure.
pub fn deserialise<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Result<T, TableError> {
    let (value, used) = bincode::serde::borrow_decode_from_slice(bytes, configuration())
        .map_err(TableError::header)?;
    if used != bytes.len() {
        return Err(TableError::header(format_args!("{} bytes, expected {used}", bytes.len())));
    }
    Ok(value)
}

/// Bytes read first of a source that is not in memory: most headers are shorter.
const FIRST_READ: u64 = 1 << 14;

/// Reads the bytes before the body from the beginning of `source`, in a version from 1 to `newest`. Returns the version, the bytes of
/// the header, and the offset of the body.
///
/// # Errors
/// If the magic or the version is another, the file is truncated, the sum is wrong, the padding is not zero, or the source cannot be read.
pub fn read_preamble(
    magic: [u8; 8],
    newest: u32,
    source: &dyn Source,
) -> Result<(u32, Vec<u8>, u64), TableError> {
    let length = source.size();
    if let Some(bytes) = source.in_memory() {
        return parse(magic, newest, bytes, length);
    }
    let mut bytes = vec![0; length.min(FIRST_READ) as usize];
    source.read_at(0, &mut bytes)?;
    let (known, header) = (bytes.len(), word(&bytes, 12).map_or(0, u32::from_le_bytes) as usize);
    let end = body_begins(header).min(length) as usize;
    if bytes.starts_with(&magic) && header <= METADATA_LIMIT && end > known {
        bytes.resize(end, 0);
        source.read_at(known as u64, &mut bytes[known..])?;
    }
    parse(magic, newest, &bytes, length)
}

/// Offset of the body after a header of `header` bytes and its sum.
#[must_use]
pub fn body_begins(header: usize) -> u64 {
    (16 + header as u64 + 8).next_multiple_of(ALIGNMENT)
}

/// Reads the version, the header and the offset of the body from the first bytes of a file of `length` bytes.
fn parse(
    magic: [u8; 8],
    newest: u32,
    bytes: &[u8],
    length: u64,
) -> Result<(u32, Vec<u8>, u64), TableError> {
    if bytes.get(..8) != Some(&magic[..]) {
        let message = "not a table: it does not begin with the eight bytes of one";
        return Err(TableError::new(ErrorKind::Magic, message));
    }
    let short = |least: u64| TableError::cut(length, least);
    let field = |at| word(bytes, at).map(u32::from_le_bytes).ok_or_else(|| short(16));
    let version = field(8)?;
    if version == 0 || version > newest {
        let message = format_args!("format version {version}, expected at most {newest}");
        return Err(TableError::new(ErrorKind::Version, message));
    }
    let header = field(12)? as usize;
    within_limit(header)?;
    let (end, body) = (16 + header, body_begins(header));
    let padding = bytes.get(end + 8..body as usize).ok_or_else(|| short(body))?;
    let expected = word(bytes, end as u64).map(u64::from_le_bytes).ok_or_else(|| short(body))?;
    let found = xxh3_64(&bytes[..end]);
    if found != expected {
        return Err(TableError::Checksum { part: "the header".into(), found, expected });
    }
    if padding.iter().any(|&byte| byte != 0) {
        return Err(TableError::header("padding that is not zero"));
    }
    Ok((version, bytes[16..end].to_vec(), body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Group, LayerSection};
    use crate::position::Counts;

    #[test]
    fn serialised_bytes_are_the_fields_in_order() {
        let section = LayerSection {
            counts: Counts { mover: 1, waiter: 2 },
            rows: 3,
            columns: 4,
            offset: 5,
            bytes: 6,
        };
        let expected: Vec<u8> = [1u8, 2]
            .into_iter()
            .chain([3u64, 4, 5, 6].into_iter().flat_map(u64::to_le_bytes))
            .collect();
        assert_eq!(serialise(&section).unwrap(), expected);
        assert_eq!(
            serialise(&(Group::Board, "ab", Some(true))).unwrap(),
            [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 97, 98, 1, 1]
        );
    }
}
