//! An open table of Grundy values.
//!
//! Finds the Grundy value of a heap, or of a set of occupied cells, by one read of the bytes of a `*.grundy` file.

use crate::header::{Cram, Header, MAGIC, Octal, check};
use crate::octal::Code;
use alloc::string::{String, ToString};
use core::ops::Range;
use morpion_core::{
    Source, TableError, body_begins, check_sums, deserialise, read_preamble, sums_length,
};
use morpion_lookup::Bytes;
#[cfg(feature = "std")]
use std::path::Path;

/// Reason why a table of Grundy values gives no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GrundyError {
    /// The table's values end before this heap and no period is certified.
    #[error(
        "{code}: heap {heap} is beyond the table, which has no certified period: expected at most {last}"
    )]
    Beyond {
        /// The game.
        code: String,
        /// The heap asked for.
        heap: u64,
        /// The last heap of the table.
        last: u64,
    },
    /// A value of 2^64, in Lasker's nim.
    #[error("{code}: the value of heap {heap} is 2^64, which does not fit in 64 bits")]
    TooGreat {
        /// The game.
        code: String,
        /// The heap asked for.
        heap: u64,
    },
    /// The table belongs to another kind of game.
    #[error("a table of {found}, expected one of {expected}")]
    OtherKind {
        /// Kind of the table.
        found: &'static str,
        /// Kind that was asked for.
        expected: &'static str,
    },
    /// A set with a cell off the board, which has this number of cells.
    #[error("a cell is off the board, which has {0} cells")]
    OffTheBoard(u32),
    /// The source did not give the bytes of the value.
    #[error(transparent)]
    Read(#[from] TableError),
}

/// An open table of Grundy values. Each answer reads the source; a table has no other state.
pub struct GrundyTable<S = Bytes> {
    source: S,
    header: Header,
    /// The code of an octal game.
    code: Option<Code>,
    /// Offsets of the bytes of the values.
    values: Range<u64>,
}

impl<S: Source> GrundyTable<S> {
    /// Opens a table: a slice, a `Vec`, a mapped file or any other [`Source`]. Reads and checks only the header and the length;
    /// [`GrundyTable::check_sums`] checks the values.
    ///
    /// # Errors
    /// If the bytes are not a table: [`TableError`] says what was found and expected.
    pub fn open(source: S) -> Result<GrundyTable<S>, TableError> {
        let header = read_preamble(MAGIC, 1, &source)?;
        let start = body_begins(header.len());
        let header: Header = deserialise(&header)?;
        let code = check(&header)?;
        let too_large = || TableError::header("more values than a file can hold");
        let body = header.body().ok_or_else(too_large)?;
        let end = start.checked_add(body).ok_or_else(too_large)?;
        let sums = end.checked_next_multiple_of(8).ok_or_else(too_large)?;
        let expected = sums.checked_add(sums_length(sums)).ok_or_else(too_large)?;
        let found = source.size();
        if found != expected {
            return Err(TableError::length(found, expected));
        }
        Ok(GrundyTable { source, header, code, values: start..end })
    }

    /// Length of the table file in bytes.
    pub fn size(&self) -> u64 {
        self.source.size()
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The code and header of an octal game.
    ///
    /// # Errors
    /// [`GrundyError::OtherKind`].
    pub fn octal(&self) -> Result<(&Code, &Octal), GrundyError> {
        match (&self.header, &self.code) {
            (Header::Octal(octal), Some(code)) => Ok((code, octal)),
            _ => Err(GrundyError::OtherKind { found: "cram", expected: "an octal game" }),
        }
    }

    /// The header of cram.
    ///
    /// # Errors
    /// [`GrundyError::OtherKind`].
    pub fn cram(&self) -> Result<Cram, GrundyError> {
        match &self.header {
            Header::Cram(cram) => Ok(*cram),
            Header::Octal(_) => {
                Err(GrundyError::OtherKind { found: "an octal game", expected: "cram" })
            }
        }
    }

    /// The Grundy value of a heap of an octal game. If the period is certified or the game has a closed form, every heap has an answer.
    /// Costs one remainder and one read.
    ///
    /// # Errors
    /// [`GrundyError::Beyond`] after the last heap of a table without a period, [`GrundyError::Read`] if the source cannot be read.
    #[inline]
    pub fn heap(&self, heap: u64) -> Result<u64, GrundyError> {
        let (code, octal) = self.octal()?;
        if octal.values == 0
            && let Some(closed) = code.closed()
        {
            let too_great = || GrundyError::TooGreat { code: code.to_string(), heap };
            return closed.value(heap).ok_or_else(too_great);
        }
        let within = octal.period.map_or(heap, |period| period.first(heap));
        if within == 0 {
            return Ok(0);
        }
        if within > octal.values {
            return Err(GrundyError::Beyond { code: octal.code.clone(), heap, last: octal.values });
        }
        let width = usize::from(octal.width);
        let mut word = [0; 8];
        // `width` is at most 4 and the read is inside the file: `open` checked both.
        self.source.read_at(self.values.start + (within - 1) * width as u64, &mut word[..width])?;
        Ok(u64::from_le_bytes(word))
    }

    /// The Grundy value of a set of occupied cells in cram.
    ///
    /// # Errors
    /// [`GrundyError::OffTheBoard`] for bits that are not cells, [`GrundyError::Read`] if the source cannot be read.
    #[inline]
    pub fn cells(&self, occupied: u64) -> Result<u8, GrundyError> {
        let cram = self.cram()?;
        let cells = u32::from(cram.rows) * u32::from(cram.columns);
        if occupied >> cells != 0 {
            return Err(GrundyError::OffTheBoard(cells));
        }
        let mut value = [0];
        self.source.read_at(self.values.start + occupied, &mut value)?;
        Ok(value[0])
    }

    /// Compares the whole file with its checksums, and checks that the padding is zero.
    ///
    /// # Errors
    /// If a checksum is wrong (the message names the first one), padding is not zero, or the source cannot be read.
    pub fn check_sums(&self) -> Result<(), TableError> {
        let end = self.values.end;
        let sums = end.next_multiple_of(8);
        check_sums(&self.source, sums, core::iter::once(end..sums))
    }
}

impl GrundyTable {
    /// The values as they are stored; empty if the source is not in memory. Tables of [`GrundyTable::read`] and [`GrundyTable::map`] are in
    /// memory.
    pub fn values(&self) -> &[u8] {
        let values = self.values.start as usize..self.values.end as usize;
        self.source.in_memory().and_then(|bytes| bytes.get(values)).unwrap_or_default()
    }

    /// Maps a table file into memory; see [`Bytes::map`].
    ///
    /// # Safety
    /// Nobody may change or truncate the file while it is mapped. To replace the file, rename another file over it.
    ///
    /// # Errors
    /// Errors of [`Bytes::map`] or of [`GrundyTable::open`], with the path.
    #[cfg(feature = "map")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<GrundyTable, TableError> {
        // SAFETY: the caller guarantees that the file does not change.
        let bytes = unsafe { Bytes::map(path.as_ref()) }?;
        GrundyTable::of_file(path.as_ref(), bytes)
    }

    /// Reads a table file into memory.
    ///
    /// # Errors
    /// Errors of [`Bytes::open`] or of [`GrundyTable::open`], with the path.
    #[cfg(feature = "std")]
    pub fn read(path: impl AsRef<Path>) -> Result<GrundyTable, TableError> {
        let (path, bytes) = (path.as_ref(), Bytes::open(path.as_ref())?);
        GrundyTable::of_file(path, bytes.loaded().map_err(|error| error.at(path))?)
    }

    #[cfg(feature = "std")]
    fn of_file(path: &Path, bytes: Bytes) -> Result<GrundyTable, TableError> {
        GrundyTable::open(bytes).map_err(|error| error.at(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Period;
    use alloc::vec::Vec;
    use morpion_core::serialise;
    use morpion_core::{Sums, preamble};

    fn kayles() -> Octal {
        Octal {
            code: "0.77".into(),
            width: 1,
            values: 3,
            heaps: 3,
            period: None,
            greatest: 3,
            mask: None,
        }
    }

    fn file(header: &Header, body: &[u8]) -> Vec<u8> {
        let mut bytes = preamble(MAGIC, 1, &serialise(header).unwrap());
        bytes.extend(body);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let mut sums = Sums::default();
        sums.update(&bytes);
        bytes.extend(sums.finish());
        bytes
    }

    #[test]
    fn an_open_table_refuses_the_next_heap() {
        let bytes = file(&Header::Octal(kayles()), &[1, 2, 3]);
        let table = GrundyTable::open(&bytes).unwrap();
        table.check_sums().unwrap();
        let values: Vec<_> = (0..4).map(|n| table.heap(n).unwrap()).collect();
        assert_eq!(values, [0, 1, 2, 3]);
        assert!(matches!(table.heap(4), Err(GrundyError::Beyond { heap: 4, last: 3, .. })));
        assert!(table.cells(0).is_err());
    }

    #[test]
    fn a_periodic_table_answers_the_last_heap() {
        // 0.3: 0 1 0 1 …, from heap 1 with period 2.
        let header = Octal {
            code: "0.3".into(),
            values: 2,
            heaps: 6,
            width: 2,
            period: Some(Period { length: 2, start: 1 }),
            greatest: 1,
            mask: None,
        };
        let bytes = file(&Header::Octal(header), &[1, 0, 0, 0]);
        let table = GrundyTable::open(&bytes).unwrap();
        for heap in [0, 1, 2, 3, 4, 1 << 40, u64::MAX - 1, u64::MAX] {
            assert_eq!(table.heap(heap).unwrap(), heap % 2);
        }
    }

    #[test]
    fn headers_that_contradict_themselves_are_refused() {
        let good = kayles();
        let period = |length, start| Some(Period { length, start });
        for bad in [
            Octal { code: "0.770".into(), ..good.clone() },
            Octal { code: "0.8".into(), ..good.clone() },
            Octal { width: 3, ..good.clone() },
            Octal { values: 2, ..good.clone() },
            Octal { values: u64::MAX, heaps: u64::MAX, ..good.clone() },
            Octal { values: u64::MAX, heaps: u64::MAX, width: 4, ..good.clone() },
            Octal { period: period(0, 1), ..good.clone() },
            Octal { period: period(1, 0), ..good.clone() },
            Octal { period: period(2, 2), ..good.clone() },
            Octal { period: period(u64::MAX, u64::MAX), ..good.clone() },
            Octal { code: "0.(3)".into(), ..good.clone() },
            Octal { code: "0.(7)".into(), values: 0, ..good.clone() },
        ] {
            let bytes = file(&Header::Octal(bad.clone()), &[1, 2, 3]);
            assert!(GrundyTable::open(&bytes).is_err(), "{bad:?}");
        }
        let cram = Cram { rows: 7, columns: 7, greatest: 0 };
        assert!(GrundyTable::open(file(&Header::Cram(cram), &[])).is_err());
        let cram = Cram { rows: 0, columns: 7, greatest: 0 };
        assert!(GrundyTable::open(file(&Header::Cram(cram), &[0])).is_err());
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let bytes = file(&Header::Octal(kayles()), &[1, 2, 3]);
        for end in 0..bytes.len() {
            assert!(GrundyTable::open(&bytes[..end]).is_err());
        }
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 0x55;
            if let Ok(table) = GrundyTable::open(&other) {
                assert!(table.check_sums().is_err(), "byte {at}");
                let _ = table.heap(2);
            }
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(GrundyTable::open(&longer).is_err());
    }
}
