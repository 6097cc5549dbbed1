//! Encodings of scores as entries of a table.
//!
//! Turns a code into a score. A byte is decoded by a table, the other encodings by arithmetic.

use crate::score::{DrawKind, Score};
use serde::{Deserialize, Serialize};

/// Encoding of the entries.
///
/// The order of the variants is the file format. Exhaustive on purpose: code that reads entries must handle every encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Encoding {
    /// One byte per entry: 0 draw by cycle, 1–126 win in 0–125, 127 draw that ends, 128–254 loss in 0–126, 255 none.
    Plies8,
    /// Two bytes per entry, in the same order: 1–32,766 win, 32,767 draw that ends, 32,768–65,534 loss, 65,535 none.
    Plies16,
    /// Two bits per entry: 0 draw that ends, 1 win, 2 loss, 3 none; for games without cycles.
    Wdl,
    /// Two bits per entry: 0 draw by cycle, 1 win, 2 loss, 3 none; for games with cycles. It has the name of [`Encoding::Wdl`], because
    /// no game has both.
    WdlCycle,
}

names!(Encoding { Plies8 = "plies", Plies16 = "plies16", Wdl = "wdl", WdlCycle = "wdl" });

impl Encoding {
    /// Bits per entry.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        // A table is read in fewer instructions than a match takes.
        const BITS: [u8; Encoding::ALL.len()] = [8, 16, 2, 2];
        BITS[self as usize] as u32
    }

    /// Returns true if wins and losses have distances.
    #[inline]
    #[must_use]
    pub const fn has_distances(self) -> bool {
        self.bits() > 2
    }

    /// The code of "no such position": the greatest one.
    #[inline]
    #[must_use]
    pub const fn no_position(self) -> u16 {
        ((1u32 << self.bits()) - 1) as u16
    }

    /// Decodes a code; `None` for "no such position".
    #[inline]
    #[must_use]
    pub fn decode(self, code: u16) -> Option<Score> {
        match (self, u8::try_from(code)) {
            // The value is unpredictable, so a table is faster than branches.
            (Encoding::Plies8, Ok(code)) => BYTES[usize::from(code)],
            (Encoding::Plies8, Err(_)) => None,
            _ => self.decode_by_arithmetic(code),
        }
    }

    /// Decodes a code as the worth of the move that leads there: [`Score::before`] of [`Encoding::decode`].
    #[inline]
    pub(crate) fn decode_before(self, code: u16) -> Option<Score> {
        match (self, u8::try_from(code)) {
            (Encoding::Plies8, Ok(code)) => BYTES_BEFORE[usize::from(code)],
            _ => self.decode(code).map(Score::before),
        }
    }

    /// [`Encoding::decode`] for constants.
    pub(crate) const fn decode_by_arithmetic(self, code: u16) -> Option<Score> {
        let half = 1 << (self.bits() - 1);
        Some(match (self, code) {
            (Encoding::Wdl, 0) => Score::Draw { kind: DrawKind::End },
            (Encoding::Wdl | Encoding::WdlCycle, 1) => Score::Win { plies: None },
            (Encoding::Wdl | Encoding::WdlCycle, 2) => Score::Loss { plies: None },
            (Encoding::Wdl | Encoding::WdlCycle, 3..) => return None,
            (_, 0) => Score::Draw { kind: DrawKind::Cycle },
            _ if code < half - 1 => Score::Win { plies: Some(code - 1) },
            _ if code == half - 1 => Score::Draw { kind: DrawKind::End },
            _ if code < self.no_position() => Score::Loss { plies: Some(code - half) },
            _ => return None,
        })
    }
}

/// Scores of the codes of one byte.
static BYTES: [Option<Score>; 256] =
    array!(None; 256, |code| Encoding::Plies8.decode_by_arithmetic(code as u16));

/// Worth of the moves that lead to the codes of one byte.
static BYTES_BEFORE: [Option<Score>; 256] = array!(None; 256, |code| match BYTES[code] {
    Some(score) => Some(score.before()),
    None => None,
});
