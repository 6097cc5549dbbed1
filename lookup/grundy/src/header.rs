//! The header of a table of Grundy values: the game, and the encoding of its values.
//!
//! `check` checks a header that was read from a file. It returns the code of an octal game, or the first contradiction in the header.

use crate::octal::Code;
use alloc::format;
use alloc::string::{String, ToString};
use morpion_core::{TableError, choices, fields};

/// The first eight bytes of a table of Grundy values.
pub const MAGIC: [u8; 8] = *b"\x89GRUNDY\n";

/// The maximum number of cells of a board of cram in a table.
pub const MAX_CELLS: u8 = 36;

/// The header: the game, and the encoding of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Header {
    /// An octal game.
    Octal(Octal),
    /// Cram on one board.
    Cram(Cram),
}

/// The header of an octal game's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Octal {
    /// The code, in canonical form.
    pub code: String,
    /// Bytes of one value: 1, 2 or 4, little endian.
    pub width: u8,
    /// Number of stored values, of heaps 1, 2, … in order. A game with a closed form stores none. With a certified period, the values
    /// before the second period are stored; otherwise the values of all heaps up to `heaps`.
    pub values: u64,
    /// The last heap whose value was computed when the table was made.
    pub heaps: u64,
    /// The certified period; `None` if none is known.
    pub period: Option<Period>,
    /// The greatest value.
    pub greatest: u64,
    /// The mask under which the fewest of heaps 1 to `heaps` are rare; `None` if no move splits a heap, or for a closed form.
    pub mask: Option<Mask>,
}

/// A certified period: G(n + `length`) = G(n) for every `n ≥ start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The least length of a period.
    pub length: u64,
    /// The least heap, at least 1, from which the values repeat.
    pub start: u64,
}

impl Period {
    /// The last heap whose value is needed to prove the period: `2·start + 2·length + k − 1`, if `k` is the index of the last digit that is
    /// not 0.
    pub fn certificate(self, k: u64) -> Option<u64> {
        let sum = self.start.checked_add(self.length)?;
        sum.checked_mul(2)?.checked_add(k)?.checked_sub(1)
    }

    /// The least heap that has the value of `heap` because values repeat: `heap` itself before the second period.
    pub fn first(self, heap: u64) -> u64 {
        heap.checked_sub(self.start).map_or(heap, |after| self.start + after % self.length)
    }
}

/// A mask that divides heaps into rare and common ones. Heap `n` of value `v` is rare if `popcount(v & bits)` is even. If the mask has a
/// `position`, the heap is rare if `popcount(v & bits) + n − position` is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask {
    /// The bits of the value that count.
    pub bits: u64,
    /// For a mask that also depends on the size of the heap: the parity of the indices of the digits that allow a split.
    pub position: Option<u8>,
    /// Number of rare heaps among 1 to `heaps`.
    pub rare: u64,
}

impl Mask {
    /// Returns true if a heap with this value is rare.
    pub fn is_rare(self, heap: u64, value: u64) -> bool {
        let position = self.position.map_or(0, |t| heap ^ u64::from(t));
        (u64::from((value & self.bits).count_ones()) ^ position) & 1 == 0
    }
}

/// The header of a table of cram. The table has one byte for each set of occupied cells. The index of the byte is the set: bit 0 is the top
/// left cell, and the others follow row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cram {
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub columns: u8,
    /// The greatest value.
    pub greatest: u8,
}

fields!(Octal { code, width, values, heaps, period, greatest, mask });
fields!(Period { length, start });
fields!(Mask { bits, position, rare });
fields!(Cram { rows, columns, greatest });
choices!(Header { Octal(octal), Cram(cram) });

impl Header {
    /// Length of the values in bytes; `None` if the header contradicts itself.
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

/// Checks that the parts of the header do not contradict each other. Returns the code of an octal game.
pub(crate) fn check(header: &Header) -> Result<Option<Code>, TableError> {
    let fault = |text: String| Err(TableError::header(text));
    let octal = match header {
        Header::Cram(_) if header.body().is_none() => {
            return fault(format!("a board of no cell or more than {MAX_CELLS}"));
        }
        Header::Cram(_) => return Ok(None),
        Header::Octal(octal) => octal,
    };
    let code: Code = octal.code.parse().map_err(TableError::header)?;
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
