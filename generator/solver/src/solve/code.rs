//! Entries of a table with distances while it is being solved: one or two bytes, encoded in the same way.
//!
//! Encodes scores as codes of the table. Orders codes so that the greatest child is the best.

use morpion_core::{Encoding, Game, Over, Score};
use morpion_machine::memory::filled;
use std::borrow::Cow;
use std::fmt::Debug;
use std::io;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

/// A code that several threads read and write.
pub trait AtomicCode<E>: Send + Sync {
    /// Reads the code.
    fn get(&self) -> E;
    /// Writes the code.
    fn set(&self, entry: E);
    /// Reads the code through an exclusive reference, so that a loop over entries can use vectors.
    fn read(&mut self) -> E;
}

macro_rules! atomic {
    ($($atomic:ty, $entry:ty;)*) => {$(
        impl AtomicCode<$entry> for $atomic {
            #[inline(always)]
            fn get(&self) -> $entry {
                self.load(Relaxed)
            }

            #[inline(always)]
            fn set(&self, entry: $entry) {
                self.store(entry, Relaxed);
            }

            #[inline(always)]
            fn read(&mut self) -> $entry {
                *self.get_mut()
            }
        }
    )*};
}

atomic!(AtomicU8, u8; AtomicU16, u16;);

/// The codes of a layer, row by row.
pub type Codes<E> = Vec<<E as Code>::Atomic>;

/// A code of [`Encoding::Plies8`] or [`Encoding::Plies16`].
///
/// Let H be half the number of codes, which is 128 for a byte. 0 is a draw by cycle, and H − 1 is a draw that ends. The codes 1 … H − 2
/// are wins and H … 2H − 2 losses, in the order of their distances: see [`Encoding`]. 2H − 1 is an invalid arrangement.
///
/// A code's *preference* orders children for the side that chooses among them. Greater is better.
pub trait Code: Copy + Ord + Default + Debug + Send + Sync + 'static {
    /// A code that several threads read and write.
    type Atomic: AtomicCode<Self> + From<Self>;
    /// The encoding of these codes.
    const ENCODING: Encoding;
    /// The greatest distance at which wins and losses both have codes. Beyond it, only odd wins and even losses have codes.
    const BOTH: u16;
    /// Converts a number, which must fit the width of the code.
    fn new(code: u16) -> Self;
    /// The code as a number.
    fn code(self) -> u16;

    /// A vector of `count` codes, all equal to `value`.
    fn shared(count: usize, value: Self) -> Codes<Self> {
        filled(count, value).into_iter().map(Into::into).collect()
    }

    /// The code of an invalid arrangement.
    #[inline(always)]
    fn none() -> Self {
        Self::new(Self::ENCODING.no_position())
    }

    /// The code of a score; `None` if its distance does not fit.
    fn of(score: Score) -> Option<Self> {
        Self::ENCODING.encode(score).map(Self::new)
    }

    /// The code of a position in which the game is over for this reason.
    fn over(game: &Game, reason: Over) -> Self {
        Self::of(game.final_score(reason)).unwrap_or(Self::none())
    }

    /// The code of a draw that ends. Positive codes below it are wins.
    #[inline(always)]
    fn draw_end() -> Self {
        Self::new(Self::ENCODING.no_position() / 2)
    }

    /// The score; `None` for an invalid arrangement.
    #[inline(always)]
    fn score(self) -> Option<Score> {
        Self::ENCODING.decode(self.code())
    }

    /// The greatest code of a win in at most `plies`.
    fn last_win(plies: u16) -> Self {
        let win = |plies| Self::of(Score::Win { plies: Some(plies) });
        (0..=plies).rev().find_map(win).unwrap_or_default()
    }

    /// Returns true if the code is a win.
    #[inline(always)]
    fn is_win(self) -> bool {
        self != Self::default() && self < Self::draw_end()
    }

    /// The distance of a win or a loss; `None` for a draw or an invalid arrangement.
    #[inline(always)]
    fn plies(self) -> Option<u16> {
        self.score()?.plies()
    }

    /// The preference of a child with this code, for the side that moves to it, from worst to best: invalid
    /// arrangements (0), the child's wins (later is better), draws that end, draws by cycle, and the child's losses
    /// (sooner is better).
    #[inline(always)]
    fn preference(self) -> Self {
        let half = Self::ENCODING.no_position() / 2 + 1;
        let (code, none) = (self.code(), Self::ENCODING.no_position());
        Self::new(if code == 0 {
            half
        } else if code < half {
            code
        } else {
            // A loss in d becomes none − d. An invalid arrangement is excluded, because it would get the preference of a draw by cycle.
            if code == none { 0 } else { none - (code - half) }
        })
    }

    /// The code of a position whose best child has this preference; `None` if its distance does not fit. Preference 0,
    /// which means no child, yields [`Code::none`].
    #[inline(always)]
    fn parent(self) -> Option<Self> {
        let half = Self::ENCODING.no_position() / 2 + 1;
        let (preference, none) = (self.code(), Self::ENCODING.no_position());
        match preference {
            0 => Some(none),
            // The loss after a win in BOTH has no code.
            p if p == Self::BOTH.saturating_add(1) && p < half - 1 => None,
            p if p < half - 1 => Some(half + p - u16::from(p > Self::BOTH)),
            p if p == half - 1 => Some(p),
            p if p == half => Some(0),
            p => {
                let code = none - p + 2;
                (code < half - 1).then_some(code)
            }
        }
        .map(Self::new)
    }

    /// Converts `entries` to little-endian bytes.
    fn bytes(entries: &[Self]) -> Cow<'_, [u8]>;

    /// Fills `entries` with little-endian bytes that `fill` provides.
    ///
    /// # Errors
    /// If `fill` fails.
    fn fill(entries: &mut [Self], fill: impl FnOnce(&mut [u8]) -> io::Result<()>)
    -> io::Result<()>;
}

impl Code for u8 {
    type Atomic = AtomicU8;
    const ENCODING: Encoding = Encoding::Plies8;
    const BOTH: u16 = 16;

    #[inline(always)]
    fn new(code: u16) -> u8 {
        code as u8
    }

    #[inline(always)]
    fn code(self) -> u16 {
        u16::from(self)
    }

    fn bytes(entries: &[u8]) -> Cow<'_, [u8]> {
        Cow::Borrowed(entries)
    }

    fn fill(entries: &mut [u8], fill: impl FnOnce(&mut [u8]) -> io::Result<()>) -> io::Result<()> {
        fill(entries)
    }
}

impl Code for u16 {
    type Atomic = AtomicU16;
    const ENCODING: Encoding = Encoding::Plies16;
    const BOTH: u16 = u16::MAX;

    #[inline(always)]
    fn new(code: u16) -> u16 {
        code
    }

    #[inline(always)]
    fn code(self) -> u16 {
        self
    }

    fn bytes(entries: &[u16]) -> Cow<'_, [u8]> {
        Cow::Owned(entries.iter().flat_map(|entry| entry.to_le_bytes()).collect())
    }

    fn fill(entries: &mut [u16], fill: impl FnOnce(&mut [u8]) -> io::Result<()>) -> io::Result<()> {
        let mut bytes = vec![0; 2 * entries.len()];
        fill(&mut bytes)?;
        let read = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        entries.iter_mut().zip(read).for_each(|(entry, code)| *entry = code);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare<E: Code>(codes: impl Iterator<Item = u16>) {
        for code in codes.map(E::new) {
            let score = code.score();
            let expected = score.map_or(Some(E::none()), |score| E::of(score.before()));
            assert_eq!(code.preference().parent(), expected, "{code:?}");
        }
    }

    #[test]
    fn codes_have_the_parents_of_their_scores() {
        compare::<u8>(0..=255);
        compare::<u16>((0..=u16::MAX).step_by(7).chain([u16::MAX - 1, u16::MAX]));
    }

    #[test]
    fn the_last_win_is_not_farther_and_the_next_one_is() {
        for plies in 0..300 {
            let last = u8::last_win(plies);
            assert!(last.is_win() && last.plies() <= Some(plies), "{plies}");
            assert!(!(last + 1).is_win() || (last + 1).plies() > Some(plies), "{plies}");
        }
        assert_eq!(u16::last_win(300).plies(), Some(300));
    }
}
