//! Which values are known to be those of a heap's moves.

use morpion_lookup::raw::rank::cells;
use std::ops::DerefMut;

/// A set of values below 64 times [`Marks::words`].
pub(super) trait Marks {
    /// Forgets all.
    fn clear(&mut self);
    /// Takes in one value.
    fn mark(&mut self, value: usize);
    /// The number of words.
    fn words(&self) -> usize;
    /// The values 64·`word` to 64·`word` + 63 that are not in the set, as bits.
    fn free(&self, word: usize) -> u64;

    /// The least value that is not in the set; behind all words where there is none.
    fn mex(&self) -> usize {
        for word in 0..self.words() {
            let free = self.free(word);
            if free != 0 {
                return 64 * word + free.trailing_zeros() as usize;
            }
        }
        64 * self.words()
    }
}

/// The values that are in words of `wanted` and not in the set, ascending.
pub(super) fn unmarked(
    marks: &impl Marks,
    wanted: impl Iterator<Item = u64>,
) -> impl Iterator<Item = usize> {
    wanted.enumerate().flat_map(|(word, wanted)| {
        cells(marks.free(word) & wanted).map(move |bit| 64 * word + usize::from(bit))
    })
}

/// Values below 64, in a register.
pub(super) struct Word(pub u64);

impl Marks for Word {
    #[inline(always)]
    fn clear(&mut self) {
        self.0 = 0;
    }
    #[inline(always)]
    fn mark(&mut self, value: usize) {
        self.0 |= 1 << (value & 63);
    }
    #[inline(always)]
    fn words(&self) -> usize {
        1
    }
    #[inline(always)]
    fn free(&self, _: usize) -> u64 {
        !self.0
    }
}

/// Any values, one byte of 0 or 1 each, a multiple of 64: stores that wait for nothing. The bytes stand in a vector or are borrowed.
pub(super) struct Bytes<B>(pub B);

impl Bytes<Vec<u8>> {
    pub fn new(words: usize) -> Self {
        Self(vec![0; 64 * words])
    }
}

impl<B: DerefMut<Target = [u8]>> Marks for Bytes<B> {
    #[inline(always)]
    fn clear(&mut self) {
        self.0.fill(0);
    }
    #[inline(always)]
    fn mark(&mut self, value: usize) {
        self.0[value] = 1;
    }
    #[inline(always)]
    fn words(&self) -> usize {
        self.0.len() / 64
    }
    #[inline(always)]
    fn free(&self, word: usize) -> u64 {
        zeros(&self.0.as_chunks::<64>().0[word])
    }
}

/// Bytes of 0 or 1 to bits: set where the byte is 0.
#[inline(always)]
fn zeros(bytes: &[u8; 64]) -> u64 {
    let mut bits = 0;
    for (i, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        bits |= (u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    !bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_words_agree() {
        let (mut word, mut bytes) = (Word(0), Bytes::new(2));
        for value in [0, 1, 5, 2, 63, 62, 3] {
            word.mark(value);
            bytes.mark(value);
            assert_eq!(word.free(0), bytes.free(0));
            assert_eq!(word.mex(), bytes.mex());
        }
        assert_eq!(word.mex(), 4);
        (0..64).for_each(|value| bytes.mark(value));
        assert_eq!(bytes.mex(), 64);
        bytes.clear();
        assert_eq!(bytes.mex(), 0);
    }
}
