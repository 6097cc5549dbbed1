//! Checks and hashes each MiB of a table.
//!
//! A [`Units`] has the list of checksums of a table. `check` compares units of the file with this list, checks that unused bits are zero,
//! and returns the digests of the units.

use super::digest::{self, Digest, UNIT};
use crate::fault::{Fault, Unfinished};
use crate::report::Report;
use morpion_core::{TableError, word};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;
use morpion_machine::threads::share;
use morpion_machine::unpacker::{Unpacker, bytes};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Number of units that a thread takes at a time: neighbouring units share a frame of a packed table.
const TOGETHER: u64 = 16;

/// The digest of each MiB that was read, in the BLAKE3 tree of the file, by the number of the MiB, from 0.
pub type Digests = BTreeMap<u64, Digest>;

/// The checksums of a table, and its unused bits.
pub(crate) struct Units<'t> {
    table: &'t Table,
    /// Number of bytes before the list of sums.
    covered: u64,
    /// The list of sums, and the sum of the list.
    sums: Cow<'t, [u8]>,
    unused: Vec<Unused>,
}

/// Bits of a table that must be zero: the bits of a mask in each byte of a range.
struct Unused {
    what: String,
    bytes: Range<u64>,
    mask: u8,
}

impl<'t> Units<'t> {
    pub fn new(table: &'t Table) -> Result<Units<'t>, TableError> {
        let covered = table.raw().covered();
        let sums = bytes(table.source(), covered, table.size() - covered)?;
        Ok(Units { table, covered, sums, unused: unused(table) })
    }

    /// Checks the list of checksums and the units with these numbers. Adds a fault of the list and the first fault of the units to the
    /// report. Returns the digests.
    pub fn check(
        &self,
        numbers: impl Iterator<Item = u64>,
        progress: &dyn Progress,
        report: &mut Report,
    ) -> Result<Digests, Unfinished> {
        let (list, sum) = self.sums.split_at(self.sums.len() - 8);
        let wrong_list = wrong_sum(list, word(sum, 0), "the checksums");
        let numbers: Vec<u64> = numbers.collect();
        let count = numbers.len() as u64;
        progress.checking(count * UNIT);
        let new = || Ok::<_, TableError>((Vec::new(), Unpacker::new(self.table.source())?));
        let shares = share(0..count, TOGETHER, progress, new, |(checked, unpacker), places| {
            for &number in &numbers[places.start as usize..places.end as usize] {
                checked.push((number, self.unit(number, unpacker)?));
                progress.advance(UNIT);
            }
            Ok(())
        })?;
        progress.check()?;
        let checked = shares.into_iter().flat_map(|(checked, _)| checked);
        let checked: BTreeMap<u64, (Digest, Option<Fault>)> = checked.collect();
        let wrong_unit = checked.values().find_map(|unit| unit.1.clone());
        wrong_list.into_iter().chain(wrong_unit).for_each(|fault| report.add(fault));
        Ok(checked.into_iter().map(|(number, (digest, _))| (number, digest)).collect())
    }

    fn unit(
        &self,
        number: u64,
        unpacker: &Unpacker,
    ) -> Result<(Digest, Option<Fault>), TableError> {
        let start = number * UNIT;
        let end = self.table.size().min(start + UNIT);
        let bytes = unpacker.bytes(start, end - start)?;
        let digest = digest::of_unit(number, &bytes, self.table.size());
        let covered = self.covered.saturating_sub(start).min(bytes.len() as u64);
        let wrong_sum = (covered > 0).then(|| {
            let part = format!("bytes {start} to {}", start + covered - 1);
            wrong_sum(&bytes[..covered as usize], word(&self.sums, number * 8), &part)
        });
        Ok((digest, wrong_sum.flatten().or_else(|| self.used(start, &bytes))))
    }

    /// Finds the first unused bits in a unit that are not zero.
    fn used(&self, start: u64, bytes: &[u8]) -> Option<Fault> {
        let inside = |at: u64| at.saturating_sub(start).min(bytes.len() as u64) as usize;
        self.unused.iter().find_map(|unused| {
            let [first, end] = [unused.bytes.start, unused.bytes.end].map(inside);
            let at = bytes[first..end].iter().position(|byte| byte & unused.mask != 0)?;
            let found =
                format!("byte {} with unused bits that are not zero", start + (first + at) as u64);
            Some(Fault::of_part(&unused.what, found, "zeros"))
        })
    }
}

/// The unused bits after the sections, which must be zero.
fn unused(table: &Table) -> Vec<Unused> {
    let (header, padding) = (table.raw().header(), table.raw().padding());
    let mut unused: Vec<Unused> =
        padding.map(|bytes| Unused { what: "padding".into(), bytes, mask: u8::MAX }).collect();
    if !header.encoding.has_distances() {
        let cut = header.layers.iter().filter(|layer| layer.entries() % 4 > 0);
        unused.extend(cut.map(|layer| {
            let end = layer.offset + layer.bytes;
            Unused {
                what: format!("layer ({}, {})", layer.counts.mover, layer.counts.waiter),
                bytes: end - 1..end,
                mask: u8::MAX << (layer.entries() % 4 * 2),
            }
        }));
    }
    unused
}

/// The fault of a part of a table whose checksum is not the expected one.
fn wrong_sum(bytes: &[u8], expected: Option<[u8; 8]>, part: &str) -> Option<Fault> {
    let (found, expected) = (xxh3_64(bytes), expected.map_or(0, u64::from_le_bytes));
    let fault = || {
        let found = format!("{found:016x} of {part}");
        Fault::of_part("checksums", found, format!("{expected:016x}"))
    };
    (found != expected).then(fault)
}
