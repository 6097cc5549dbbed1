//! The integers that a nimber is stored in: `u8`, `u16` or `u32`.
//!
//! The solver is generic over them: it begins with the narrowest and goes on with the next one where a value does not fit.

use std::ops::BitXor;

/// An unsigned integer that stores nimbers.
pub(crate) trait Nimber:
    Copy + Ord + Default + BitXor<Output = Self> + std::fmt::Debug + Send + Sync + 'static
{
    /// Its width: it holds the nimbers below 2^`BITS`.
    const BITS: u32;
    /// The greatest nimber that it holds.
    const MAX: Self;
    /// A nimber that is known to fit.
    fn new(nimber: usize) -> Self;
    /// As an index.
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
