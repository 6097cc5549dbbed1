//! Sets of nimbers and their mex, the least nimber that a set does not contain.
//!
//! The value of a heap is the mex of its options' values. In Kayles (0.77), heap 4 has the options 3 and 1 + 2 (one pin taken), and
//! 2 and 1 + 1 (two pins taken). Their values are 3, 1 ^ 2 = 3, 2 and 1 ^ 1 = 0. The mex of {0, 2, 3} is 1, the value of heap 4.

use morpion_lookup::raw::rank::cells;
use std::ops::DerefMut;

/// A set of nimbers below 64 times [`NimberSet::words`].
pub(crate) trait NimberSet {
    /// Removes all nimbers.
    fn clear(&mut self);
    /// Adds a nimber.
    fn insert(&mut self, nimber: usize);
    /// Capacity in words of 64 nimbers.
    fn words(&self) -> usize;
    /// Returns a bit for each missing nimber among 64·`word` to 64·`word` + 63.
    fn missing(&self, word: usize) -> u64;

    /// Returns the least missing nimber, or 64 times [`NimberSet::words`] if none is missing.
    fn mex(&self) -> usize {
        for word in 0..self.words() {
            let missing = self.missing(word);
            if missing != 0 {
                return 64 * word + missing.trailing_zeros() as usize;
            }
        }
        64 * self.words()
    }
}

/// Lists the nimbers of `candidates` (bits, in words of 64) that are missing from `set`, ascending.
pub(crate) fn missing_among(
    set: &impl NimberSet,
    candidates: impl Iterator<Item = u64>,
) -> impl Iterator<Item = usize> {
    candidates.enumerate().flat_map(|(word, candidates)| {
        cells(set.missing(word) & candidates).map(move |bit| 64 * word + usize::from(bit))
    })
}

/// Nimbers below 64, in a register.
pub(crate) struct WordSet(pub u64);

impl NimberSet for WordSet {
    #[inline(always)]
    fn clear(&mut self) {
        self.0 = 0;
    }
    #[inline(always)]
    fn insert(&mut self, nimber: usize) {
        self.0 |= 1 << (nimber & 63);
    }
    #[inline(always)]
    fn words(&self) -> usize {
        1
    }
    #[inline(always)]
    fn missing(&self, _: usize) -> u64 {
        !self.0
    }
}

/// A byte of 0 or 1 for each nimber, owned or borrowed. The number of bytes is a multiple of 64. An insertion is one
/// store that does not depend on earlier ones, whereas setting a bit would have to read the word first.
pub(crate) struct ByteSet<B>(pub B);

impl ByteSet<Vec<u8>> {
    /// Creates an empty set with room for `words` times 64 nimbers.
    pub(crate) fn new(words: usize) -> Self {
        Self(vec![0; 64 * words])
    }
}

impl<B: DerefMut<Target = [u8]>> NimberSet for ByteSet<B> {
    #[inline(always)]
    fn clear(&mut self) {
        self.0.fill(0);
    }
    #[inline(always)]
    fn insert(&mut self, nimber: usize) {
        self.0[nimber] = 1;
    }
    #[inline(always)]
    fn words(&self) -> usize {
        self.0.len() / 64
    }
    #[inline(always)]
    fn missing(&self, word: usize) -> u64 {
        zero_bytes(&self.0.as_chunks::<64>().0[word])
    }
}

/// Returns a bit for each of the 64 bytes that is 0. Every byte is 0 or 1.
#[inline(always)]
fn zero_bytes(bytes: &[u8; 64]) -> u64 {
    let mut ones = 0;
    for (i, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // The product moves the lowest bit of each byte into the top byte.
        ones |= (u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    !ones
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_bytes_and_one_of_bits_have_the_same_mex() {
        let (mut word, mut bytes) = (WordSet(0), ByteSet::new(2));
        for nimber in [0, 1, 5, 2, 63, 62, 3] {
            word.insert(nimber);
            bytes.insert(nimber);
            assert_eq!(word.missing(0), bytes.missing(0));
            assert_eq!(word.mex(), bytes.mex());
        }
        assert_eq!(word.mex(), 4);
        (0..64).for_each(|nimber| bytes.insert(nimber));
        assert_eq!(bytes.mex(), 64);
        bytes.clear();
        assert_eq!(bytes.mex(), 0);
    }
}
