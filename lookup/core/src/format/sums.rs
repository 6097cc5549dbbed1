//! The checksums that close a file: the xxh3-64 of each MiB before the checksums, and the xxh3-64 of the list of checksums.
//!
//! Computes the checksums while a file is written. Finds the first MiB of a source that differs from its checksum.

use crate::error::TableError;
use crate::reader::Access;
use crate::source::{Source, word};
use alloc::vec::Vec;
use core::fmt::Display;
use core::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Number of bytes that one checksum covers.
pub const SUM_UNIT: u64 = 1 << 20;

/// Length of the checksum section after `before` bytes.
pub fn sums_length(before: u64) -> u64 {
    (before.div_ceil(SUM_UNIT) + 1) * 8
}

/// The checksums of a file, computed while the file is written from its beginning to its end.
#[derive(Clone, Default)]
pub struct Sums {
    finished: Vec<u8>,
    unit: Xxh3,
    in_unit: u64,
}

impl Sums {
    /// Adds the next bytes of the file.
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

    /// The bytes that close the file: the checksums, then the checksum of these.
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

/// Checks all checksums of a file, which begin at `before`, and that the bytes in the ranges `padding` are zero. Reads the checksums at once,
/// and the bytes before them a MiB at a time.
///
/// # Errors
/// If a checksum is wrong (the message names the first one), padding is not zero, or the source cannot be read.
pub fn check_sums(
    source: &dyn Source,
    before: u64,
    padding: impl IntoIterator<Item = Range<u64>>,
) -> Result<(), TableError> {
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
    for Range { start, end } in padding {
        if piece(access, start, end - start, &mut unit)?.iter().any(|&byte| byte != 0) {
            let message = format_args!("padding at byte {start} that is not zero");
            return Err(TableError::header(message));
        }
    }
    Ok(())
}

/// The `length` bytes from `at` on, borrowed from memory or read into the buffer. Fails if the source is shorter than its `size`, or if the
/// buffer cannot be allocated.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_of_each_unit_and_of_themselves() {
        let body: Vec<u8> = (0..SUM_UNIT as usize + 5000).map(|i| (i * 7) as u8).collect();
        let mut sums = Sums::default();
        body.chunks(777).for_each(|chunk| sums.update(chunk));
        let mut expected: Vec<u8> =
            body.chunks(SUM_UNIT as usize).flat_map(|unit| xxh3_64(unit).to_le_bytes()).collect();
        expected.extend(xxh3_64(&expected).to_le_bytes());
        assert_eq!(sums.finish(), expected);
    }
}
