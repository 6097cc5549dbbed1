//! The sums of a file: one xxh3-64 for each MiB of everything before them, and one of the sums themselves.
//!
//! Finds in a source the first MiB that is not as it was written.

use crate::{ErrorKind, Source, TableError};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use morpion_core::reader::Access;
use morpion_core::{SUM_UNIT, sums_length, word};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Checks all sums of a file whose sums begin at `before`. Reads the whole file, a MiB at a time.
///
/// # Errors
/// If the sum of a MiB, or the sum of the sums, is wrong (the first one is named), or the source cannot be read.
pub fn check_sums(source: &dyn Source, before: u64) -> Result<(), TableError> {
    let expected = before.saturating_add(sums_length(before));
    let found = source.size();
    if expected != found {
        return Err(TableError::new(
            ErrorKind::Length,
            format_args!("{found} bytes, expected {expected}"),
        ));
    }
    let end = found - 8;
    let compare = |part: String, found, expected| {
        if found == expected { Ok(()) } else { Err(TableError::checksum(part, found, expected)) }
    };
    let mut sum_of_sums = Xxh3::new();
    each_piece(source, before..end, |_, sums| {
        sum_of_sums.update(sums);
        Ok(())
    })?;
    let mut expected = [0; 8];
    source.read_at(end, &mut expected)?;
    let expected = u64::from_le_bytes(expected);
    compare("the checksums".into(), sum_of_sums.digest(), expected)?;
    each_piece(source, before..end, |at, sums| {
        let first = (at - before) / 8 * SUM_UNIT;
        let covered = first..before.min(first + sums.len() as u64 / 8 * SUM_UNIT);
        each_piece(source, covered, |start, unit| {
            compare(
                format!("bytes {start} to {}", start + unit.len() as u64 - 1),
                xxh3_64(unit),
                word(sums, (start - first) / SUM_UNIT * 8).map_or(0, u64::from_le_bytes),
            )
        })
    })
}

/// Visits the bytes of a range, [`SUM_UNIT`] of them at a time, with the offset of the first.
fn each_piece(
    source: &dyn Source,
    range: Range<u64>,
    mut visit: impl FnMut(u64, &[u8]) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let (access, mut buffer) = (Access::new(source), Vec::new());
    for at in range.clone().step_by(SUM_UNIT as usize) {
        let length = (range.end - at).min(SUM_UNIT);
        let piece = access.row(at, length as usize, &mut buffer)?;
        visit(
            at,
            piece.ok_or_else(|| TableError::io("fewer bytes in memory than the source has"))?,
        )?;
    }
    Ok(())
}
