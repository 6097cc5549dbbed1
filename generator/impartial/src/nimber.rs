//! Integers that store nimbers: `u8`, `u16` or `u32`.
//!
//! The solver is generic over these types. It begins with the narrowest type and continues with the next one when a
//! value does not fit.

use std::ops::BitXor;

/// An unsigned integer that stores nimbers.
pub(crate) trait Nimber:
    Copy + Ord + Default + BitXor<Output = Self> + std::fmt::Debug + Send + Sync + 'static
{
    /// Width: the type holds the nimbers below 2^`BITS`.
    const BITS: u32;
    /// Greatest nimber of the type.
    const MAX: Self;
    /// Converts a nimber that fits.
    fn new(nimber: usize) -> Self;
    /// Converts the nimber to an index.
    fn index(self) -> usize;
}

macro_rules! nimber {
    ($type:ident) => {
        impl Nimber for $type {
            const BITS: u32 = $type::BITS;
            const MAX: Self = $type::MAX;
            #[inline(always)]
            fn new(nimber: usize) -> Self {
                nimber as $type
            }
            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }
        }
    };
}

nimber!(u8);
nimber!(u16);
nimber!(u32);
