//! The width of one stored value.

use super::kernel;

/// An unsigned integer that holds Grundy values: `u8`, `u16` or `u32`.
pub trait Value: Copy + Ord + Default + std::fmt::Debug + Send + Sync + 'static {
    /// How many values there are, as a power of two.
    const BITS: u32;
    /// From a number that is known to fit.
    fn new(value: usize) -> Self;
    /// As an index.
    fn index(self) -> usize;
    /// How many leading elements of `a[i] ^ b[i]` were looked at until `wanted` was among them, rounded up to the unit of the search;
    /// `None` where it is not among all. The slices have the same length.
    fn search(a: &[Self], b: &[Self], wanted: Self) -> Option<usize>;
}

macro_rules! value {
    ($type:ident, $search:path) => {
        impl Value for $type {
            const BITS: u32 = $type::BITS;
            fn new(value: usize) -> Self {
                value as $type
            }
            fn index(self) -> usize {
                self as usize
            }
            fn search(a: &[Self], b: &[Self], wanted: Self) -> Option<usize> {
                $search(a, b, wanted)
            }
        }
    };
}

value!(u8, kernel::search_u8);
value!(u16, kernel::search_u16);
value!(u32, kernel::search_u32);
