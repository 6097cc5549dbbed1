//! Planes: one bit for each position of a layer, in the waiter's rows, for 512 rows at once.
//!
//! A block is 512 neighbouring rows. The bits of each column of a block are adjacent, one lane per row, so one
//! operation on [`Bits`] works on all rows of the block.

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
