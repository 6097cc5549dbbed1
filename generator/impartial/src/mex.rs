//! Sets of nimbers, and the least nimber that is missing from one: the mex.
//!
//! In come the values of a heap's options, one by one; out goes their mex, the value of the heap. In Kayles (0.77) heap 4 has
//! the options 3 and 1 + 2 (one pin taken), 2 and 1 + 1 (two pins): values 3, 1 ^ 2 = 3, 2 and 1 ^ 1 = 0. The set is {0, 2, 3},
//! its mex and so the value of heap 4 is 1.

use morpion_lookup::raw::rank::cells;
use std::ops::DerefMut;

/// A set of nimbers below 64 times [`NimberSet::words`].
pub(crate) trait NimberSet {
    /// Removes all.
    fn clear(&mut self);
    /// Adds one.
    fn insert(&mut self, nimber: usize);
    /// How many words of 64 nimbers there is room for.
    fn words(&self) -> usize;
    /// Which of the nimbers 64·`word` to 64·`word` + 63 are missing, as bits.
    fn missing(&self, word: usize) -> u64;

    /// The least nimber that is missing; 64 times [`NimberSet::words`] where none is.
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

/// The nimbers that are missing from `set` and are among `candidates` (bits, in words of 64), ascending.
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

/// A byte of 0 or 1 for each nimber, their number a multiple of 64; in a vector or borrowed. An insertion is one store that
/// does not depend on earlier ones, where setting a bit would have to read the word first.
pub(crate) struct ByteSet<B>(pub B);

impl ByteSet<Vec<u8>> {
    /// The empty set, with room for `words` times 64 nimbers.
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

/// Which of 64 bytes, each 0 or 1, are 0, as bits.
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
