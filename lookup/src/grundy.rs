//! Tables of Grundy values (`*.grundy`): one value for each part of a position of an impartial game, a heap of an octal game or a set of
//! occupied cells in cram. A position's value is the xor of its parts'; the side to move wins exactly when it is not 0.
//!
//! ```text
//! magic (8) │ version u32 │ header length u32 │ header │ xxh3-64 of all before │ zeros to 64 │ values │ zeros to 8 │ sums │ sum of sums
//! ```
//!
//! The chapter *Grundy tables* of `tables/FORMAT.md` is the same in words.

use crate::error::TableError;
use crate::format::{self, check_sums, sums_length};
use crate::octal::{Closed, Code};
use crate::table::Bytes;
use alloc::format;
use alloc::string::{String, ToString};
use serde::{Deserialize, Serialize};

/// The first eight bytes of a table of Grundy values.
pub const MAGIC: [u8; 8] = *b"\x89GRUNDY\n";

/// The most cells a board of cram may have in a table.
pub const MAX_CELLS: u8 = 36;

/// The header: which game, and how its values are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Header {
    /// An octal game.
    Octal(Octal),
    /// Cram on one board.
    Cram(Cram),
}

/// The header of an octal game's table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Octal {
    /// The code, in canonical form.
    pub code: String,
    /// Bytes of one value: 1, 2 or 4, little endian.
    pub width: u8,
    /// How many values there are: those of heaps 1, 2, …. None for a game with a closed form; all before the second period where one
    /// is certified; else `heaps`.
    pub values: u64,
    /// The last heap whose value was computed when the table was made.
    pub heaps: u64,
    /// The certified period.
    pub period: Option<Period>,
    /// The greatest value.
    pub greatest: u64,
    /// The mask that makes the fewest of heaps 1 to `heaps` rare; none where the game does not split or has a closed form.
    pub mask: Option<Mask>,
}

/// A certified period: G(n + `length`) = G(n) for every `n ≥ start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    /// The least period.
    pub length: u64,
    /// The least heap, at least 1, from which the values repeat.
    pub start: u64,
}

impl Period {
    /// The last heap whose value the proof needs, `k` the last index with a digit that is not 0: `2·start + 2·length + k − 1`.
    #[must_use]
    pub fn certificate(self, k: u64) -> Option<u64> {
        let sum = self.start.checked_add(self.length)?;
        sum.checked_mul(2)?.checked_add(k)?.checked_sub(1)
    }
}

/// A sparse space: heap `n` of value `v` is rare where `popcount(v & bits)`, with `n − position` added where that is given, is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mask {
    /// The bits of the value that count.
    pub bits: u64,
    /// The parity that goes with the position, for a mask that looks at it.
    pub position: Option<u8>,
    /// How many of heaps 1 to `heaps` are rare.
    pub rare: u64,
}

/// The header of a table of cram: one byte for every set of occupied cells, the set's bits being the index (bit 0 the top left cell, row by row).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cram {
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub columns: u8,
    /// The greatest value.
    pub greatest: u8,
}

impl Header {
    /// How long the values are, in bytes; `None` where the header contradicts itself.
    #[must_use]
    pub fn body(&self) -> Option<u64> {
        match self {
            Header::Octal(octal) => octal.values.checked_mul(u64::from(octal.width)),
            Header::Cram(cram) => {
                let cells = u32::from(cram.rows) * u32::from(cram.columns);
                (cells >= 1 && cells <= u32::from(MAX_CELLS)).then(|| 1 << cells)
            }
        }
    }
}

/// Why a table of Grundy values gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    #[error("{code}: the value of heap {heap} is 2^64, expected less")]
    TooGreat {
        /// The game.
        code: String,
        /// The heap asked for.
        heap: u64,
    },
    /// The table is of another kind of game.
    #[error("a table of {found}, expected one of {expected}")]
    OtherKind {
        /// What the table is of.
        found: &'static str,
        /// What was asked for.
        expected: &'static str,
    },
    /// A set of cells that are not all on the board.
    #[error("cells off the board, which has {cells}")]
    OffTheBoard {
        /// Number of cells.
        cells: u32,
    },
}

/// An open table of Grundy values. It answers by reading its bytes and holds no state.
pub struct GrundyTable<'a> {
    bytes: Bytes<'a>,
    header: Header,
    /// The code of an octal game.
    code: Option<Code>,
    /// Where the values begin.
    start: usize,
    /// Where the sums begin.
    sums: u64,
}

impl<'a> GrundyTable<'a> {
    /// Opens a table that is in memory. Checks everything but the values ([`GrundyTable::check_sums`] does).
    ///
    /// # Errors
    /// [`TableError`] names what was found and what was expected.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<GrundyTable<'a>, TableError> {
        GrundyTable::open(Bytes::Borrowed(bytes))
    }

    fn open(source: Bytes<'a>) -> Result<GrundyTable<'a>, TableError> {
        let bytes = source.get();
        let (header, start): (Header, u64) = format::unframe(MAGIC, bytes)?;
        let code = check(&header)?;
        let too_large = || TableError::Header("more values than a file can hold".into());
        let body = header.body().ok_or_else(too_large)?;
        let end = start.checked_add(body).ok_or_else(too_large)?;
        let sums = end.checked_next_multiple_of(8).ok_or_else(too_large)?;
        let expected = sums.checked_add(sums_length(sums)).ok_or_else(too_large)?;
        let found = bytes.len() as u64;
        if found != expected {
            return Err(TableError::Length { found, expected });
        }
        Ok(GrundyTable { bytes: source, header, code, start: start as usize, sums })
    }

    /// The header.
    #[must_use]
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

    /// The Grundy value of a heap of an octal game: any heap where the period is certified or the form closed, with one remainder
    /// and one read.
    ///
    /// # Errors
    /// [`GrundyError::Beyond`] behind the last heap of an open table.
    #[inline]
    pub fn heap(&self, heap: u64) -> Result<u64, GrundyError> {
        let (code, octal) = self.octal()?;
        if octal.values == 0
            && let Some(closed) = code.closed()
        {
            return closed_value(code, closed, heap);
        }
        let within = match octal.period {
            Some(period) if heap >= period.start => {
                period.start + (heap - period.start) % period.length
            }
            _ => heap,
        };
        if within == 0 {
            return Ok(0);
        }
        if within > octal.values {
            return Err(GrundyError::Beyond { code: octal.code.clone(), heap, last: octal.values });
        }
        let width = usize::from(octal.width);
        let at = self.start + (within - 1) as usize * width;
        let mut word = [0; 8];
        // The length was checked when the table was opened.
        word[..width].copy_from_slice(&self.bytes.get()[at..at + width]);
        Ok(u64::from_le_bytes(word))
    }

    /// The Grundy value of a set of occupied cells in cram.
    ///
    /// # Errors
    /// [`GrundyError::OffTheBoard`] for bits that are no cells.
    #[inline]
    pub fn cells(&self, occupied: u64) -> Result<u8, GrundyError> {
        let cram = self.cram()?;
        let cells = u32::from(cram.rows) * u32::from(cram.columns);
        if occupied >> cells != 0 {
            return Err(GrundyError::OffTheBoard { cells });
        }
        Ok(self.bytes.get()[self.start + occupied as usize])
    }

    /// The values as they stand in the file.
    #[must_use]
    pub fn values(&self) -> &[u8] {
        let end = self.start + self.header.body().unwrap_or(0) as usize;
        &self.bytes.get()[self.start..end]
    }

    /// All bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get()
    }

    /// Checks the sums of all bytes and that the padding is zero. Reads the whole file.
    ///
    /// # Errors
    /// The first MiB whose sum is wrong, or padding that is not zero.
    pub fn check_sums(&self) -> Result<(), TableError> {
        check_sums(self.bytes(), self.sums)?;
        let end = self.start + self.values().len();
        if self.bytes()[end..self.sums as usize].iter().any(|byte| *byte != 0) {
            return Err(TableError::Header(format!("padding at byte {end} that is not zero")));
        }
        Ok(())
    }
}

#[cfg(feature = "std")]
impl GrundyTable<'static> {
    /// Maps a table file into memory, under a shared lock.
    ///
    /// # Safety
    /// Nobody may change or truncate the file while it is mapped; see [`crate::Table::map`].
    ///
    /// # Errors
    /// Where the file cannot be opened, locked or mapped, and those of [`GrundyTable::from_bytes`].
    pub unsafe fn map(path: impl AsRef<std::path::Path>) -> Result<Self, TableError> {
        let file = std::fs::File::open(path)?;
        file.lock_shared()?;
        // SAFETY: the caller answers for the file staying as it is.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        GrundyTable::open(Bytes::Mapped(map))
    }

    /// Reads a table file into memory.
    ///
    /// # Errors
    /// Where the file cannot be read, and those of [`GrundyTable::from_bytes`].
    pub fn read(path: impl AsRef<std::path::Path>) -> Result<Self, TableError> {
        GrundyTable::from_vec(std::fs::read(path)?)
    }

    /// Opens a table that is in memory and keeps its bytes.
    ///
    /// # Errors
    /// Those of [`GrundyTable::from_bytes`].
    pub fn from_vec(bytes: alloc::vec::Vec<u8>) -> Result<Self, TableError> {
        GrundyTable::open(Bytes::Owned(bytes))
    }
}

fn closed_value(code: &Code, closed: Closed, heap: u64) -> Result<u64, GrundyError> {
    closed.value(heap).ok_or_else(|| GrundyError::TooGreat { code: code.to_string(), heap })
}

/// Whether the header follows its rules; the code of an octal game.
fn check(header: &Header) -> Result<Option<Code>, TableError> {
    let fault = |text: String| Err(TableError::Header(text));
    let octal = match header {
        Header::Cram(_) if header.body().is_none() => {
            return fault(format!("a board of no cell or more than {MAX_CELLS}"));
        }
        Header::Cram(_) => return Ok(None),
        Header::Octal(octal) => octal,
    };
    let code: Code = match octal.code.parse() {
        Ok(code) => code,
        Err(error) => return fault(format!("{error}")),
    };
    if code.to_string() != octal.code {
        return fault(format!("code {}, expected its canonical form {code}", octal.code));
    }
    if !matches!(octal.width, 1 | 2 | 4) {
        return fault(format!("{} bytes a value, expected 1, 2 or 4", octal.width));
    }
    let expected = match (code.finite(), code.closed(), octal.period) {
        (None, Some(_), None) => 0,
        (Some(_), _, None) => octal.heaps,
        (Some(digits), _, Some(period)) if period.start >= 1 && period.length >= 1 => {
            let k = digits.len() as u64 - 1;
            if period.certificate(k).is_none_or(|last| last > octal.heaps) {
                return fault("a period without its certificate".into());
            }
            period.start + period.length - 1
        }
        _ => return fault("a period that the code cannot have".into()),
    };
    if octal.values != expected {
        return fault(format!("{} values, expected {expected}", octal.values));
    }
    Ok(Some(code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Sums, frame};
    use alloc::vec::Vec;

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
        let mut bytes = frame(MAGIC, header).unwrap();
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
        let table = GrundyTable::from_bytes(&bytes).unwrap();
        table.check_sums().unwrap();
        let values: Vec<_> = (0..4).map(|n| table.heap(n).unwrap()).collect();
        assert_eq!(values, [0, 1, 2, 3]);
        assert_eq!(
            table.heap(4),
            Err(GrundyError::Beyond { code: "0.77".into(), heap: 4, last: 3 })
        );
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
        let table = GrundyTable::from_bytes(&bytes).unwrap();
        for heap in [0, 1, 2, 3, 4, 1 << 40, u64::MAX - 1, u64::MAX] {
            assert_eq!(table.heap(heap), Ok(heap % 2));
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
            assert!(GrundyTable::from_bytes(&bytes).is_err(), "{bad:?}");
        }
        let cram = Cram { rows: 7, columns: 7, greatest: 0 };
        assert!(GrundyTable::from_bytes(&file(&Header::Cram(cram), &[])).is_err());
        let cram = Cram { rows: 0, columns: 7, greatest: 0 };
        assert!(GrundyTable::from_bytes(&file(&Header::Cram(cram), &[0])).is_err());
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let bytes = file(&Header::Octal(kayles()), &[1, 2, 3]);
        for end in 0..bytes.len() {
            assert!(GrundyTable::from_bytes(&bytes[..end]).is_err());
        }
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 0x55;
            if let Ok(table) = GrundyTable::from_bytes(&other) {
                assert!(table.check_sums().is_err(), "byte {at}");
                let _ = table.heap(2);
            }
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(GrundyTable::from_bytes(&longer).is_err());
    }
}
