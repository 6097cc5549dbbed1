//! Planes: one bit for each position of a layer, in the waiter's rows, for 512 rows at once.
//!
//! A block is 512 neighbouring rows. The bits of each column of a block are adjacent, one lane per row, so one
//! operation on [`Bits`] works on all rows of the block. [`transpose`] converts rows of a table to lanes.

use std::ops::{BitAnd, BitOr, Not};

/// Number of rows of a block.
pub const BLOCK_ROWS: usize = 512;

/// Number of rows of a strip: one lane per row in one word.
pub const STRIP_ROWS: usize = 64;

/// Number of strips of a block.
pub const STRIPS: usize = BLOCK_ROWS / STRIP_ROWS;

/// One bit for each row of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Bits(pub [u64; STRIPS]);

impl Bits {
    /// No lane.
    pub const NONE: Bits = Bits([0; STRIPS]);
    /// Every lane.
    pub const ALL: Bits = Bits([u64::MAX; STRIPS]);

    /// The bit of one lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Sets the bit of one lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    /// Number of lanes that are set.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

impl BitAnd for Bits {
    type Output = Bits;
    #[inline(always)]
    fn bitand(mut self, other: Bits) -> Bits {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
        self
    }
}

impl BitOr for Bits {
    type Output = Bits;
    #[inline(always)]
    fn bitor(mut self, other: Bits) -> Bits {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
        self
    }
}

impl Not for Bits {
    type Output = Bits;
    #[inline(always)]
    fn not(mut self) -> Bits {
        self.0.iter_mut().for_each(|word| *word = !*word);
        self
    }
}

/// Transposes 64 words of 64 bits: bit `i` of word `j` becomes bit `j` of word `i`.
///
/// Exchanges blocks of 32, 16, … 1 bits across the diagonal (Warren, Hacker's Delight, section 7–3).
#[inline(always)]
pub fn transpose(words: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width != 0 {
        for start in (0..64).step_by(2 * width) {
            for index in start..start + width {
                let swap = (words[index] >> width ^ words[index + width]) & mask;
                words[index] ^= swap << width;
                words[index + width] ^= swap;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// The 32 entries of two bits from `key` on, with zeros beyond the end.
#[inline(always)]
pub fn word(packed: &[u8], key: usize) -> u64 {
    let mut bytes = [0; 16];
    let rest = packed.get(key / 4..).unwrap_or_default();
    match rest.first_chunk() {
        Some(all) => bytes = *all,
        None => bytes[..rest.len()].copy_from_slice(rest),
    }
    (u128::from_le_bytes(bytes) >> (key % 4 * 2)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_change_places() {
        let mut seed = 1u64;
        let before: [u64; 64] = std::array::from_fn(|_| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed
        });
        let mut after = before;
        transpose(&mut after);
        for (i, before) in before.iter().enumerate() {
            for (j, after) in after.iter().enumerate() {
                assert_eq!(before >> j & 1, after >> i & 1);
            }
        }
    }
}
