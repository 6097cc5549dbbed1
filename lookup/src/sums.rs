//! The sums of a file: one xxh3-64 for each MiB of everything before them, and one of the sums themselves.
//!
//! Finds in a source the first MiB that is not as it was written.

use crate::{Source, TableError};
use alloc::vec::Vec;
use core::fmt::Display;
use morpion_core::reader::Access;
use morpion_core::{SUM_UNIT, sums_length, word};
use xxhash_rust::xxh3::xxh3_64;

/// Checks all sums of a file whose sums begin at `before`. Reads the sums, and the whole file a MiB at a time.
///
/// # Errors
/// If the sum of a MiB, or the sum of the sums, is wrong (the first one is named), or the source cannot be read.
pub fn check_sums(source: &dyn Source, before: u64) -> Result<(), TableError> {
    let (found, expected) = (source.size(), before.saturating_add(sums_length(before)));
    if expected != found {
        return Err(TableError::length(found, expected));
    }
    let access = Access::new(source);
    let compare = |part: &dyn Display, found, expected| {
        if found == expected { Ok(()) } else { Err(TableError::checksum(part, found, expected)) }
    };
    let sum = |sums: &[u8], at| word(sums, at).map_or(0, u64::from_le_bytes);
    let (mut buffer, mut unit) = (Vec::new(), Vec::new());
    let sums = piece(access, before, found - before, &mut buffer)?;
    let (sums, last) = sums.split_at(sums.len() - 8);
    compare(&"the checksums", xxh3_64(sums), sum(last, 0))?;
    for start in (0..before).step_by(SUM_UNIT as usize) {
        let unit = piece(access, start, SUM_UNIT.min(before - start), &mut unit)?;
        let part = format_args!("bytes {start} to {}", start + unit.len() as u64 - 1);
        compare(&part, xxh3_64(unit), sum(sums, start / SUM_UNIT * 8))?;
    }
    Ok(())
}

/// The `length` bytes from `at` on, in memory or in the buffer. A source may have a wrong size.
fn piece<'b>(
    access: Access<'b>,
    at: u64,
    length: u64,
    buffer: &'b mut Vec<u8>,
) -> Result<&'b [u8], TableError> {
    if let Access::Remote(_) = access {
        let too_large = |_| TableError::io("the sums do not fit in memory");
        let more = (length as usize).saturating_sub(buffer.len());
        buffer.try_reserve_exact(more).map_err(too_large)?;
    }
    let piece = access.row(at, length as usize, buffer)?;
    piece.ok_or_else(|| TableError::io("fewer bytes in memory than the source has"))
}
