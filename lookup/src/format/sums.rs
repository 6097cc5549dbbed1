//! The sums of a file: one xxh3-64 for each MiB of everything before them, and one of the sums themselves.
//!
//! Computes the bytes that close a file while it is written, and finds in a source the first MiB that is not as it was written.

use crate::error::TableError;
use crate::format::preamble::read_u64;
use crate::reader::{Access, Reader};
use crate::source::Source;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Number of bytes that one checksum covers.
pub const SUM_UNIT: u64 = 1 << 20;

/// Length of the checksum section after `before` bytes.
#[must_use]
pub fn sums_length(before: u64) -> u64 {
    (before.div_ceil(SUM_UNIT) + 1) * 8
}

/// Checks all sums of a file whose sums begin at `before`. Reads the whole file, a MiB at a time.
///
/// # Errors
/// If the sum of a MiB, or the sum of the sums, is wrong (the first one is named), or the source cannot be read.
pub fn check_sums(source: &dyn Source, before: u64) -> Result<(), TableError> {
    let expected = before.saturating_add(sums_length(before));
    let found = source.size();
    if expected != found {
        return Err(TableError::length(found, expected));
    }
    let (reader, end) = (Access::new(source), found - 8);
    let compare = |part: String, found, expected| {
        if found == expected { Ok(()) } else { Err(TableError::Checksum { part, found, expected }) }
    };
    let mut sum_of_sums = Xxh3::new();
    each_piece(reader, before..end, |_, sums| {
        sum_of_sums.update(sums);
        Ok(())
    })?;
    let expected = reader.word(end)?.map_or(0, u64::from_le_bytes);
    compare("the checksums".into(), sum_of_sums.digest(), expected)?;
    each_piece(reader, before..end, |at, sums| {
        let first = (at - before) / 8 * SUM_UNIT;
        let covered = first..before.min(first + sums.len() as u64 / 8 * SUM_UNIT);
        each_piece(reader, covered, |start, unit| {
            compare(
                format!("bytes {start} to {}", start + unit.len() as u64 - 1),
                xxh3_64(unit),
                read_u64(sums, (start - first) / SUM_UNIT * 8).unwrap_or_default(),
            )
        })
    })
}

/// Visits the bytes of a range, [`SUM_UNIT`] of them at a time, with the offset of the first.
fn each_piece(
    reader: Access<'_>,
    range: Range<u64>,
    mut visit: impl FnMut(u64, &[u8]) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let mut buffer = Vec::new();
    for at in range.clone().step_by(SUM_UNIT as usize) {
        let length = (range.end - at).min(SUM_UNIT);
        let piece = reader.row(at, length as usize, &mut buffer)?;
        let short = || TableError::length(at, range.end);
        visit(at, piece.ok_or_else(short)?)?;
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

    /// The bytes that close the file: the sums, and their own.
    #[must_use]
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(check_sums(&&file[..file.len() - 1], body.len() as u64).is_err());
    }
}
