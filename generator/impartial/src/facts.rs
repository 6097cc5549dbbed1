//! Facts about a table of Grundy values, which programs print and pages show. The keys of the JSON form are part of the interface.

use crate::outcome;
use morpion_grundy::{Closed, GrundyError, GrundyTable, Header};
use serde::Serialize;

/// Facts about a table of either kind.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Facts {
    /// The table of an octal game.
    Octal(OctalFacts),
    /// The table of a board of cram.
    Cram {
        /// Rows and columns.
        board: String,
        /// Value of the empty board.
        value: u8,
        /// `win` or `loss` for the side that begins on the empty board.
        outcome: &'static str,
        /// Number of positions.
        positions: u64,
        /// The greatest value.
        greatest: u8,
        /// Length of the file in bytes.
        bytes: u64,
    },
}

impl Facts {
    /// Reads the facts from the header, and the value of an empty board.
    ///
    /// # Errors
    /// If the value cannot be read.
    pub fn of(table: &GrundyTable) -> Result<Facts, GrundyError> {
        let Header::Cram(header) = table.header() else {
            return OctalFacts::of(table).map(Facts::Octal);
        };
        let value = table.cells(0)?;
        Ok(Facts::Cram {
            board: format!("{}x{}", header.rows, header.columns),
            value,
            outcome: outcome(value != 0),
            positions: table.values().len() as u64,
            greatest: header.greatest,
            bytes: table.size(),
        })
    }
}

/// Facts about the table of an octal game.
#[derive(Clone, Debug, Serialize)]
pub struct OctalFacts {
    /// The game.
    pub code: String,
    /// `nim` or `lasker` if the values are known for every heap.
    pub closed: Option<&'static str>,
    /// Last heap whose value was computed; `None` for a closed form.
    pub heaps: Option<u64>,
    /// Length of the certified period.
    pub period: Option<u64>,
    /// First heap, at least 1, from which the values repeat.
    pub preperiod: Option<u64>,
    /// Last heap of the certificate.
    pub certified_to: Option<u64>,
    /// The greatest value; `None` for a closed form.
    pub greatest: Option<u64>,
    /// Mask that makes the fewest heaps rare.
    pub mask: Option<u64>,
    /// Number of rare heaps among heaps 1 to `heaps`.
    pub rare: Option<u64>,
    /// `true` for a position mask, for which the parity of the heap counts too.
    pub position: bool,
    /// Number of bytes of one value.
    pub width: u8,
    /// Number of stored values.
    pub stored: u64,
    /// Length of the file in bytes.
    pub bytes: u64,
}

impl OctalFacts {
    /// Reads the facts from the header.
    ///
    /// # Errors
    /// If the table is not one of an octal game.
    pub fn of(table: &GrundyTable) -> Result<OctalFacts, GrundyError> {
        let (code, header) = table.octal()?;
        let closed = code.closed();
        let k = code.finite().map_or(0, |digits| digits.len() as u64 - 1);
        Ok(OctalFacts {
            code: header.code.clone(),
            closed: closed.map(Closed::name),
            heaps: closed.is_none().then_some(header.heaps),
            period: header.period.map(|period| period.length),
            preperiod: header.period.map(|period| period.start),
            certified_to: header.period.and_then(|period| period.certificate(k)),
            greatest: closed.is_none().then_some(header.greatest),
            mask: header.mask.map(|mask| mask.bits),
            rare: header.mask.map(|mask| mask.rare),
            position: header.mask.is_some_and(|mask| mask.position.is_some()),
            width: header.width,
            stored: header.values,
            bytes: table.size(),
        })
    }
}
