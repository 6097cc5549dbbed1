//! Nimbers: the integers that store them, and their sets with the mex, the least nimber that a set does not contain.
//!
//! The solver is generic over `u8`, `u16` and `u32`. It begins with the narrowest type and continues with the next one when a value does
//! not fit.
//!
//! The value of a heap is the mex of its options' values. In Kayles (0.77), heap 4 has the options 3 and 1 + 2 (one pin taken), and
//! 2 and 1 + 1 (two pins taken). Their values are 3, 1 ^ 2 = 3, 2 and 1 ^ 1 = 0. The mex of {0, 2, 3} is 1, the value of heap 4.

use morpion_core::rank::cells;
use std::ops::{BitXor, Not};

/// An unsigned integer that stores nimbers.
pub(crate) trait Nimber:
    Copy + Ord + Default + BitXor<Output = Self> + Not<Output = Self> + TryFrom<usize> + Into<u32>
{
    /// Converts the nimber to an index.
    #[inline(always)]
    fn index(self) -> usize {
        self.into() as usize
    }
}

impl Nimber for u8 {}
impl Nimber for u16 {}
impl Nimber for u32 {}

/// A set of nimbers below 64 times [`NimberSet::words`]: a byte of 0 or 1 for each nimber. An insertion stores one byte without
/// reading memory, whereas setting a bit would have to read a word first.
pub(crate) struct NimberSet(Vec<u8>);

impl NimberSet {
    /// Creates an empty set with room for `words` times 64 nimbers.
    pub(crate) fn new(words: usize) -> Self {
        Self(vec![0; 64 * words])
    }

    /// Removes all nimbers.
    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds a nimber.
    #[inline(always)]
    pub(crate) fn insert(&mut self, nimber: usize) {
        self.0[nimber] = 1;
    }

    /// Capacity in words of 64 nimbers.
    pub(crate) fn words(&self) -> usize {
        self.0.len() / 64
    }

    /// Lists the nimbers of `candidates` (bits, in words of 64) that are missing, ascending.
    #[inline(always)]
    pub(crate) fn missing_among(
        &self,
        candidates: impl Iterator<Item = u64>,
    ) -> impl Iterator<Item = usize> {
        let words = self.0.as_chunks().0.iter().zip(candidates).enumerate();
        words.flat_map(|(word, (bytes, candidates))| {
            cells(zero_bytes(bytes) & candidates).map(move |bit| 64 * word + usize::from(bit))
        })
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
    fn the_mex_is_the_least_missing_nimber() {
        let mut set = NimberSet::new(2);
        let missing = |set: &NimberSet, among: [u64; 2]| -> Vec<usize> {
            set.missing_among(among.into_iter()).collect()
        };
        assert_eq!(missing(&set, [u64::MAX; 2]), Vec::from_iter(0..128));
        [0, 1, 5, 2, 63, 62, 3, 66].into_iter().for_each(|nimber| set.insert(nimber));
        assert_eq!(missing(&set, [0b1111_0011 | 1 << 63, 0b1111]), [4, 6, 7, 64, 65, 67]);
        (0..64).for_each(|nimber| set.insert(nimber));
        assert_eq!(missing(&set, [u64::MAX, 0b110]), [65]);
        (0..128).for_each(|nimber| set.insert(nimber));
        assert!(missing(&set, [u64::MAX; 2]).is_empty());
    }
}
