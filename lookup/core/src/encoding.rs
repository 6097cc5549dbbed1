//! Encodings of scores as entries of a table.
//!
//! Turns a code into a score: a code of [`Encoding::Plies8`] by a table, other codes by arithmetic.

use crate::score::{DrawKind, Score};

/// Encoding of the entries.
///
/// The order of the variants is the file format. Exhaustive on purpose: code that reads entries must handle every encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// One byte per entry: 0 draw by cycle, 1–126 wins, 127 draw that ends, 128–254 losses, 255 none. Distances up to 16 have codes for
    /// wins and losses. Sides move in turn, so a long win nearly always takes an odd number of plies and a long loss an even one: above 16,
    /// only these have codes. The greatest distances are a win in 233 and a loss in 236.
    Plies8,
    /// Two bytes per entry: 0 draw by cycle, 1–32,766 win in 0–32,765, 32,767 draw that ends, 32,768–65,534 loss in 0–32,766, 65,535 none.
    Plies16,
    /// Two bits per entry: 0 draw that ends, 1 win, 2 loss, 3 none; for games without cycles.
    Wdl,
    /// Two bits per entry: 0 draw by cycle, 1 win, 2 loss, 3 none; for games with cycles. It has the name of [`Encoding::Wdl`], because
    /// no game has both.
    WdlCycle,
}

names!(Encoding { Plies8 = "plies", Plies16 = "plies16", Wdl = "wdl", WdlCycle = "wdl" });
variants!(Encoding);

/// In [`Encoding::Plies8`], the last distance at which both a win and a loss have a code. Above this distance, wins have only every second
/// one, and so do losses.
const BOTH: u16 = 16;

impl Encoding {
    /// Bits per entry.
    #[inline]
    pub const fn bits(self) -> u32 {
        // Reading a table takes fewer instructions than a match.
        const BITS: [u8; Encoding::ALL.len()] = [8, 16, 2, 2];
        BITS[self as usize] as u32
    }

    /// Returns true if wins and losses have distances.
    #[inline]
    pub const fn has_distances(self) -> bool {
        self.bits() > 2
    }

    /// The code of "no such position": the greatest code.
    #[inline]
    pub const fn no_position(self) -> u16 {
        ((1u32 << self.bits()) - 1) as u16
    }

    /// Decodes a code; `None` for "no such position".
    #[inline]
    pub fn decode(self, code: u16) -> Option<Score> {
        match (self, u8::try_from(code)) {
            // The value is unpredictable, so a table is faster than branches.
            (Encoding::Plies8, Ok(code)) => BYTES[usize::from(code)],
            (Encoding::Plies8, Err(_)) => None,
            _ => self.decode_by_arithmetic(code),
        }
    }

    /// Decodes as [`Encoding::decode`] does, also in constants.
    pub(crate) const fn decode_by_arithmetic(self, code: u16) -> Option<Score> {
        let half = 1 << (self.bits() - 1);
        Some(match (self, code) {
            (Encoding::Wdl, 0) => Score::Draw { kind: DrawKind::End },
            (Encoding::Wdl | Encoding::WdlCycle, 1) => Score::Win { plies: None },
            (Encoding::Wdl | Encoding::WdlCycle, 2) => Score::Loss { plies: None },
            (Encoding::Wdl | Encoding::WdlCycle, 3..) => return None,
            (_, 0) => Score::Draw { kind: DrawKind::Cycle },
            _ if code < half - 1 => Score::Win { plies: Some(self.distance(code - 1, 1)) },
            _ if code == half - 1 => Score::Draw { kind: DrawKind::End },
            _ if code < self.no_position() => {
                Score::Loss { plies: Some(self.distance(code - half, 2)) }
            }
            _ => return None,
        })
    }

    /// The distance of win number `number`, or of loss number `number`. The first distance after [`BOTH`] is `BOTH + step`.
    const fn distance(self, number: u16, step: u16) -> u16 {
        match self {
            Encoding::Plies8 if number > BOTH => BOTH + step + 2 * (number - BOTH - 1),
            _ => number,
        }
    }

    /// The code of a score; `None` if the score has no code: its distance is missing or has no code, or an encoding of two bits has only
    /// the other kind of draw.
    #[inline]
    pub fn encode(self, score: Score) -> Option<u16> {
        let half = 1u16 << (self.bits() - 1);
        let code = match score {
            Score::Win { .. } if !self.has_distances() => return Some(1),
            Score::Loss { .. } if !self.has_distances() => return Some(2),
            Score::Win { plies } => self.number(plies?, 1).wrapping_add(1),
            Score::Loss { plies } => self.number(plies?, 2).wrapping_add(half),
            Score::Draw { kind: DrawKind::End } if self.has_distances() => half - 1,
            Score::Draw { .. } => 0,
        };
        (self.decode(code) == Some(score)).then_some(code)
    }

    /// The inverse of [`Encoding::distance`]; unspecified for a distance without a code.
    fn number(self, plies: u16, step: u16) -> u16 {
        match plies.checked_sub(BOTH + step) {
            Some(more) if self == Encoding::Plies8 => BOTH + 1 + more / 2,
            _ => plies,
        }
    }
}

/// Scores of the codes of one byte.
static BYTES: [Option<Score>; 256] =
    array!(None; 256, |code| Encoding::Plies8.decode_by_arithmetic(code as u16));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_scores_are_one_to_one() {
        for encoding in Encoding::ALL {
            for code in 0..encoding.no_position() {
                let score = encoding.decode(code).expect("a code below the last is a score");
                assert_eq!(encoding.encode(score), Some(code), "{encoding:?} {code}");
            }
            assert_eq!(encoding.decode(encoding.no_position()), None);
        }
        let win = |plies| Encoding::Plies8.encode(Score::Win { plies: Some(plies) });
        let loss = |plies| Encoding::Plies8.encode(Score::Loss { plies: Some(plies) });
        assert_eq!([16, 17, 18, 233, 235].map(win), [Some(17), Some(18), None, Some(126), None]);
        assert_eq!([16, 17, 18, 236, 238].map(loss), [Some(144), None, Some(145), Some(254), None]);
    }
}
