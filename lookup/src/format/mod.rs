//! The bytes of a table file; `tables/FORMAT.md` is the same in words. bincode appears in this module and nowhere else.
//!
//! ```text
//! magic (8) │ version u32 │ header length u32 │ header │ xxh3-64 of all before │ zeros to 64 │ body │ sums │ sum of sums
//! ```
//!
//! The body of a table: the maps (set → row and symmetry) and the layers, each from a multiple of 64 bytes, and the
//! census behind its length. The sums are one xxh3-64 for each MiB of everything before them.

mod census;
mod header;

pub use census::{Census, Deepest, LayerCensus};
pub use header::{Group, Header, LayerSection, MapSection, fingerprint, symmetry_bits};

use crate::error::TableError;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use bincode::config::{self, Config};
use serde::{Serialize, de::DeserializeOwned};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The version of the format that this library writes and reads.
pub const VERSION: u32 = 1;

/// The first eight bytes of a table.
pub const MAGIC: [u8; 8] = *b"\x89MORPION";

/// The unit of alignment: header and sections begin at multiples of it.
pub const ALIGNMENT: u64 = 64;

/// How many bytes one checksum covers.
pub const SUM_UNIT: u64 = 1 << 20;

/// The longest header or census that is read, in bytes.
pub const METADATA_LIMIT: usize = 1 << 22;

/// The largest group whose elements are written out; see `tables/FORMAT.md`.
pub const MAX_SYMMETRIES: usize = 1024;

fn configuration() -> impl Config {
    config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<METADATA_LIMIT>()
}

/// The first eight bytes of what a build keeps to go on from.
pub const CHECKPOINT_MAGIC: [u8; 8] = *b"\x89MORPCKP";

/// Serialises a header or another small structure: fields in order, integers little endian and of fixed width, lengths
/// and counts as `u64`, variants as `u32`, options as a byte 0 or 1 before the value.
///
/// # Errors
/// Where the result is longer than [`METADATA_LIMIT`].
pub fn serialise(value: &impl Serialize) -> Result<Vec<u8>, TableError> {
    let bytes = bincode::serde::encode_to_vec(value, configuration()).map_err(malformed)?;
    if bytes.len() > METADATA_LIMIT {
        return Err(TableError::Header(format!(
            "{} bytes, expected at most {METADATA_LIMIT}",
            bytes.len()
        )));
    }
    Ok(bytes)
}

/// Reads what [`serialise`] wrote; all bytes have to be used.
///
/// # Errors
/// Where the bytes are no such structure.
pub fn deserialise<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, TableError> {
    let (value, used) =
        bincode::serde::decode_from_slice(bytes, configuration()).map_err(malformed)?;
    if used != bytes.len() {
        return Err(TableError::Header(format!("{} bytes, expected {used}", bytes.len())));
    }
    Ok(value)
}

fn malformed(error: impl ToString) -> TableError {
    TableError::Header(error.to_string())
}

/// Rounds up to a multiple of [`ALIGNMENT`]; `None` beyond 2⁶⁴.
pub fn aligned(offset: u64) -> Option<u64> {
    offset.checked_next_multiple_of(ALIGNMENT)
}

/// The bytes before the body: magic, version, the header with its length and sum, zeros up to [`ALIGNMENT`].
///
/// # Errors
/// Where the header is too long.
pub fn frame(magic: [u8; 8], header: &impl Serialize) -> Result<Vec<u8>, TableError> {
    let header = serialise(header)?;
    let mut bytes = Vec::with_capacity(header.len() + 128);
    bytes.extend(magic);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT as usize), 0);
    Ok(bytes)
}

/// Reads what [`frame`] wrote from the beginning of `bytes`: the header and where the body begins.
///
/// # Errors
/// Other magic, another version, a truncated file, a wrong sum, a malformed header, padding that is not zero.
pub fn unframe<T: DeserializeOwned>(magic: [u8; 8], bytes: &[u8]) -> Result<(T, u64), TableError> {
    if bytes.get(..8) != Some(&magic[..]) {
        return Err(TableError::Magic);
    }
    let short = |expected: usize| TableError::Length {
        found: bytes.len() as u64,
        expected: expected as u64,
    };
    let word = |at: usize| read_u32(bytes, at as u64).ok_or_else(|| short(16));
    let version = word(8)?;
    if version != VERSION {
        return Err(TableError::Version { found: version, expected: VERSION });
    }
    let length = word(12)? as usize;
    if length > METADATA_LIMIT {
        return Err(TableError::Header(format!(
            "{length} bytes, expected at most {METADATA_LIMIT}"
        )));
    }
    let end = 16 + length;
    let body = (end + 8).next_multiple_of(ALIGNMENT as usize);
    let padding = bytes.get(end + 8..body).ok_or_else(|| short(body))?;
    let expected = read_u64(bytes, end as u64).ok_or_else(|| short(body))?;
    let found = xxh3_64(&bytes[..end]);
    if found != expected {
        return Err(TableError::Checksum { part: "the header".into(), found, expected });
    }
    if padding.iter().any(|&byte| byte != 0) {
        return Err(TableError::Header("padding that is not zero".into()));
    }
    Ok((deserialise(&bytes[16..end])?, body as u64))
}

/// How long the sums of a file are that has `before` bytes before them, in bytes.
pub fn sums_length(before: u64) -> u64 {
    (before.div_ceil(SUM_UNIT) + 1) * 8
}

/// Checks all sums of a file whose sums begin at `before`. Reads the whole file.
///
/// # Errors
/// The first MiB whose sum is wrong, or the sum of the sums.
pub fn check_sums(bytes: &[u8], before: u64) -> Result<(), TableError> {
    let expected = before.saturating_add(sums_length(before));
    let found = bytes.len() as u64;
    if expected != found {
        return Err(TableError::Length { found, expected });
    }
    let (body, sums) = bytes.split_at(before as usize);
    let compare = |part: String, found, expected| {
        if found == expected { Ok(()) } else { Err(TableError::Checksum { part, found, expected }) }
    };
    let last = sums.len() - 8;
    let read = |at: usize| read_u64(sums, at as u64).unwrap_or_default();
    compare("the checksums".into(), xxh3_64(&sums[..last]), read(last))?;
    for (index, unit) in body.chunks(SUM_UNIT as usize).enumerate() {
        let start = index as u64 * SUM_UNIT;
        compare(
            format!("bytes {start} to {}", start + unit.len() as u64 - 1),
            xxh3_64(unit),
            read(index * 8),
        )?;
    }
    Ok(())
}

/// Computes the sums of a file while it is written from its beginning to its end.
#[derive(Clone, Default)]
pub struct Sums {
    finished: Vec<u8>,
    unit: Xxh3,
    in_unit: u64,
}

impl Sums {
    /// Takes in the next bytes of the file.
    pub fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = (SUM_UNIT - self.in_unit).min(bytes.len() as u64);
            let (now, rest) = bytes.split_at(room as usize);
            self.unit.update(now);
            self.in_unit += room;
            bytes = rest;
            if self.in_unit == SUM_UNIT {
                self.close_unit();
            }
        }
    }

    /// The sums of the whole units so far.
    pub fn finished(&self) -> &[u8] {
        &self.finished
    }

    /// The bytes that close the file: the sums, and their own.
    pub fn finish(mut self) -> Vec<u8> {
        if self.in_unit > 0 {
            self.close_unit();
        }
        let sum = xxh3_64(&self.finished);
        self.finished.extend(sum.to_le_bytes());
        self.finished
    }

    fn close_unit(&mut self) {
        self.finished.extend(self.unit.digest().to_le_bytes());
        self.unit.reset();
        self.in_unit = 0;
    }
}

/// The `u32` at byte `at`, or `None` beyond the end.
#[inline]
pub fn read_u32(bytes: &[u8], at: u64) -> Option<u32> {
    let rest = bytes.get(usize::try_from(at).ok()?..)?;
    rest.first_chunk().map(|chunk| u32::from_le_bytes(*chunk))
}

/// The `u64` at byte `at`, or `None` beyond the end.
#[inline]
pub fn read_u64(bytes: &[u8], at: u64) -> Option<u64> {
    let rest = bytes.get(usize::try_from(at).ok()?..)?;
    rest.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialised_bytes_are_the_fields_in_order() {
        let section =
            LayerSection { mover: 1, waiter: 2, rows: 3, columns: 4, offset: 5, bytes: 6 };
        let expected: Vec<u8> = [1u8, 2]
            .into_iter()
            .chain([3u64, 4, 5, 6].into_iter().flat_map(u64::to_le_bytes))
            .collect();
        assert_eq!(serialise(&section).unwrap(), expected);
        let deepest = Some(Deepest { plies: 0x0102, mover: 1, waiter: 2 });
        let mut expected = alloc::vec![1u8, 2, 1];
        expected.extend([1u64, 2].into_iter().flat_map(u64::to_le_bytes));
        assert_eq!(serialise(&deepest).unwrap(), expected);
        assert_eq!(
            serialise(&(Group::Board, "ab", true)).unwrap(),
            [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 97, 98, 1]
        );
    }

    #[test]
    fn sums_find_any_flipped_byte() {
        let body: Vec<u8> = (0..SUM_UNIT as usize + 5000).map(|i| (i * 7) as u8).collect();
        let mut sums = Sums::default();
        body.chunks(777).for_each(|chunk| sums.update(chunk));
        let mut file = body.clone();
        file.extend(sums.finish());
        check_sums(&file, body.len() as u64).unwrap();
        for at in [0, 5000, SUM_UNIT as usize, body.len() - 1, body.len(), file.len() - 1] {
            file[at] ^= 1;
            assert!(check_sums(&file, body.len() as u64).is_err(), "byte {at}");
            file[at] ^= 1;
        }
        assert!(check_sums(&file[..file.len() - 1], body.len() as u64).is_err());
    }
}
