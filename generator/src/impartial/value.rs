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
    /// Bit 0 set where `wanted` is among `a[i] ^ b[i]`, and how many elements were looked at. The slices have the same length.
    fn search(a: &[Self], b: &[Self], wanted: Self) -> (u32, usize);
    /// The same for four values, which were `found` before: a bit each.
    fn search_four(a: &[Self], b: &[Self], wanted: [Self; 4], found: u32) -> (u32, usize);
}

macro_rules! value {
    ($type:ident, $search:path, $search_four:path) => {
        impl Value for $type {
            const BITS: u32 = $type::BITS;
            fn new(value: usize) -> Self {
                value as $type
            }
            fn index(self) -> usize {
                self as usize
            }
            fn search(a: &[Self], b: &[Self], wanted: Self) -> (u32, usize) {
                $search(a, b, wanted)
            }
            fn search_four(a: &[Self], b: &[Self], wanted: [Self; 4], found: u32) -> (u32, usize) {
                $search_four(a, b, wanted, found)
            }
        }
    };
}

value!(u8, kernel::search_u8, kernel::search_four_u8);
value!(u16, kernel::search_u16, kernel::search_four_u16);
value!(u32, kernel::search_u32, kernel::search_four_u32);
