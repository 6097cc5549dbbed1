//! The width of one stored value.

use super::kernel;
use super::sparse::Rare;

/// Heaps worked at once by the sparse way.
pub(super) const BLOCK: usize = 64;

/// An unsigned integer that holds Grundy values: `u8`, `u16` or `u32`.
pub trait Value: Copy + Ord + Default + std::fmt::Debug + Send + Sync + 'static {
    /// How many values there are, as a power of two.
    const BITS: u32;
    /// From a number that is known to fit.
    fn new(value: usize) -> Self;
    /// As an index.
    fn index(self) -> usize;
    /// Whether `wanted` is among `a[i] ^ b[i]`; the slices have the same length.
    fn found(a: &[Self], b: &[Self], wanted: Self) -> bool;
    /// For each lane `j`, whether some rare heap `r` of `rares` has `g[first + j − r] ^ G(r) == wanted[j]`: then `0` is in `least[j]`.
    #[doc(hidden)]
    fn refute(
        g: &[Self],
        first: usize,
        rares: &[Rare<Self>],
        wanted: &[Self; BLOCK],
        least: &mut [Self; BLOCK],
    );
}

macro_rules! value {
    ($type:ident, $found:path, $refute:path) => {
        impl Value for $type {
            const BITS: u32 = $type::BITS;
            fn new(value: usize) -> Self {
                value as $type
            }
            fn index(self) -> usize {
                self as usize
            }
            fn found(a: &[Self], b: &[Self], wanted: Self) -> bool {
                $found(a, b, wanted)
            }
            fn refute(
                g: &[Self],
                first: usize,
                rares: &[Rare<Self>],
                wanted: &[Self; BLOCK],
                least: &mut [Self; BLOCK],
            ) {
                $refute(g, first, rares, wanted, least)
            }
        }
    };
}

value!(u8, kernel::found_u8, kernel::refute_u8);
value!(u16, kernel::found_u16, kernel::refute_u16);
value!(u32, kernel::found_u32, kernel::refute_u32);
