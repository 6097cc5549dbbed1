//! Entries that take one byte while they are solved, and two in the table.
//!
//! Sides move in turn, so a long win almost always takes an odd number of plies, and a long loss an even one. If only these have codes,
//! a byte suffices for distances of up to 233 plies.

use crate::error::SolveError;
use crate::solve::entry::{Entry, Shared};
use morpion_format::Encode;
use morpion_lookup::Score;
use morpion_lookup::raw::Encoding;
use morpion_machine::array::Plain;
use std::borrow::Cow;
use std::io;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A code of one byte. Scores have the same order as in [`Encoding::Plies8`], but other distances.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct Narrow(u8);

/// The last distance of which wins and losses have codes. Of the following ones, every other has.
const BOTH: u16 = 16;

/// Half the number of codes.
const HALF: u16 = 128;

impl Narrow {
    /// The code that is written with this number; `None` if it has none.
    fn of_written(code: u16) -> Option<Narrow> {
        match Encoding::Plies16.decode(code) {
            Some(score) => Narrow::of(score),
            None => Some(Narrow::none()),
        }
    }

    /// The number with which the code is written.
    fn written(self) -> u16 {
        WRITTEN[usize::from(self.0)]
    }
}

/// The code of two bytes for each code of one.
static WRITTEN: [u16; 256] = {
    let (mut written, mut code) = ([0; 256], 0);
    let wide = Encoding::Plies16.no_position() / 2;
    while code < HALF {
        let (win, loss) = (code.saturating_sub(1), code);
        written[code as usize] = if code == 0 { 0 } else { far(win, 1) + 1 };
        written[(HALF + code) as usize] = far(loss, 2) + wide + 1;
        code += 1;
    }
    written[HALF as usize - 1] = wide;
    written[2 * HALF as usize - 1] = Encoding::Plies16.no_position();
    written
};

/// The distance with this number, if the first one after [`BOTH`] is greater by `step`.
const fn far(number: u16, step: u16) -> u16 {
    if number <= BOTH { number } else { BOTH + step + 2 * (number - BOTH - 1) }
}

/// The number of a distance, if the first one after [`BOTH`] is greater by `step`; `None` if it has none.
fn near(plies: u16, step: u16) -> Option<u16> {
    match plies.checked_sub(BOTH + step) {
        _ if plies <= BOTH => Some(plies),
        Some(more) if more % 2 == 0 => Some(BOTH + 1 + more / 2),
        _ => None,
    }
}

impl Shared<Narrow> for AtomicU8 {
    #[inline(always)]
    fn get(&self) -> Narrow {
        Narrow(self.load(Relaxed))
    }

    #[inline(always)]
    fn set(&self, entry: Narrow) {
        self.store(entry.0, Relaxed);
    }

    #[inline(always)]
    fn read(&mut self) -> Narrow {
        Narrow(*self.get_mut())
    }
}

// SAFETY: a code is a byte and nothing else.
unsafe impl Plain for Narrow {
    type Shared = AtomicU8;
}

impl Entry for Narrow {
    const ENCODING: Encoding = Encoding::Plies8;
    const BYTES: usize = 1;

    #[inline(always)]
    fn new(code: u16) -> Narrow {
        Narrow(code as u8)
    }

    #[inline(always)]
    fn code(self) -> u16 {
        self.0.into()
    }

    fn of(score: Score) -> Option<Narrow> {
        let code = match score {
            Score::Win { plies } => {
                near(plies?, 1).map(|number| number + 1).filter(|&code| code < HALF - 1)
            }
            Score::Loss { plies } => {
                near(plies?, 2).map(|number| number + HALF).filter(|&code| code < 2 * HALF - 1)
            }
            Score::Draw { .. } => Encoding::Plies8.encode(score),
        };
        code.map(Narrow::new)
    }

    fn score(self) -> Option<Score> {
        Encoding::Plies16.decode(self.written())
    }

    fn last_win(plies: u16) -> Narrow {
        let last = (1..HALF - 1)
            .take_while(|&code| WRITTEN[usize::from(code)] <= plies.saturating_add(1))
            .last();
        Narrow::new(last.unwrap_or(1))
    }

    #[inline(always)]
    fn plies(self) -> Option<u16> {
        self.written().plies()
    }

    #[inline(always)]
    fn parent(self) -> Option<Narrow> {
        match u16::from(self.0) {
            // No loss has the distance after the last win of both kinds.
            preference if preference == BOTH + 1 => None,
            // The win before has the same number as this loss.
            preference if (BOTH + 2..HALF - 1).contains(&preference) => {
                Some(Narrow::new(HALF + preference - 1))
            }
            _ => self.0.parent().map(Narrow),
        }
    }

    fn bytes(entries: &[Narrow]) -> Cow<'_, [u8]> {
        Cow::Owned(entries.iter().flat_map(|entry| entry.written().to_le_bytes()).collect())
    }

    fn fill(
        entries: &mut [Narrow],
        fill: impl FnOnce(&mut [u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut written = vec![0u16; entries.len()];
        u16::fill(&mut written, fill)?;
        for (entry, code) in entries.iter_mut().zip(written) {
            *entry =
                Narrow::of_written(code).ok_or_else(|| io::Error::other(SolveError::TooDeep))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_score_and_parent() {
        let plies = |score: Option<Score>| score.and_then(Score::plies).unwrap_or(0);
        let mut deepest = 0;
        for code in 0..=u8::MAX {
            let code = Narrow(code);
            assert_eq!(Narrow::of_written(code.written()), Some(code));
            assert_eq!(
                code.score().map(Narrow::of),
                Some(Some(code)).filter(|_| code != Narrow::none())
            );
            assert_eq!(code.plies(), code.score().and_then(Score::plies));
            let expected = match code.score() {
                Some(score) => Narrow::of(score.before()),
                None => Some(Narrow::none()),
            };
            assert_eq!(code.preference().parent(), expected, "{code:?}");
            deepest = deepest.max(plies(code.score()));
        }
        assert_eq!(deepest, 236);
    }

    #[test]
    fn last_wins_are_not_farther() {
        for plies in 0..300 {
            let last = Narrow::last_win(plies);
            assert!(last.is_win() && last.plies() <= Some(plies), "{plies}");
            let next = Narrow(last.0 + 1);
            assert!(!next.is_win() || next.plies() > Some(plies), "{plies}");
        }
    }

    #[test]
    fn distances_without_a_code_are_reported_as_too_deep() {
        for (plies, fits) in [(16, true), (17, true), (18, false), (233, true), (235, false)] {
            let code = u16::of(Score::Win { plies: Some(plies) }).unwrap();
            let read = Narrow::fill(&mut [Narrow(0)], |bytes| {
                bytes.copy_from_slice(&code.to_le_bytes());
                Ok(())
            });
            let error = read.err().map(|error| error.downcast::<SolveError>().unwrap());
            assert_eq!(error.is_none(), fits, "{plies}");
            assert!(matches!(error, None | Some(SolveError::TooDeep)), "{plies}");
        }
    }
}
