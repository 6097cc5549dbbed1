//! Integers that store nimbers: `u8`, `u16` or `u32`.
//!
//! The solver is generic over these types. It begins with the narrowest type and continues with the next one when a
//! value does not fit.

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
