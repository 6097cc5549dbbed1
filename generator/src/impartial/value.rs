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
    /// A byte for each value below 2^16; 64 more keep equal values of neighbouring tables out of the same set of the fastest cache.
    type Table: AsMut<[u8]>;
    /// A table of zeros.
    fn table() -> Self::Table;
    /// Makes the byte of `a ^ b`, a value below 2^16, a 1.
    fn mark(table: &mut Self::Table, a: Self, b: Self);
}

macro_rules! value {
    ($type:ident, $bytes:literal) => {
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
            type Table = [u8; $bytes + 64];
            fn table() -> Self::Table {
                [0; $bytes + 64]
            }
            #[inline(always)]
            fn mark(table: &mut Self::Table, a: Self, b: Self) {
                table[(a.index() ^ b.index()) % $bytes] = 1;
            }
        }
    };
}

value!(u8, 0x100);
value!(u16, 0x1_0000);
value!(u32, 0x1_0000);
