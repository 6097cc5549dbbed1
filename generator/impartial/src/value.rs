//! The width of one stored value.

use std::ops::BitXor;

/// An unsigned integer that holds Grundy values: `u8`, `u16` or `u32`.
pub trait Value:
    Copy + Ord + Default + BitXor<Output = Self> + std::fmt::Debug + Send + Sync + 'static
{
    /// How many values there are, as a power of two.
    const BITS: u32;
    /// The greatest of them.
    const MAX: Self;
    /// From a number that is known to fit.
    fn new(value: usize) -> Self;
    /// As an index.
    fn index(self) -> usize;
}

macro_rules! value {
    ($type:ident) => {
        impl Value for $type {
            const BITS: u32 = $type::BITS;
            const MAX: Self = $type::MAX;
            #[inline(always)]
            fn new(value: usize) -> Self {
                value as $type
            }
            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }
        }
    };
}

value!(u8);
value!(u16);
value!(u32);
