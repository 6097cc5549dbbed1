//! The nim-sequence of a game, G(0) G(1) …, stored as narrowly as its values allow.

use super::period::{self, Found};

/// Values of heaps 0, 1, …, in the narrowest type that can represent them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// All below 2^8.
    One(Vec<u8>),
    /// All below 2^16.
    Two(Vec<u16>),
    /// All below 2^32.
    Four(Vec<u32>),
}

/// Evaluates `$body` with `$name` bound to the vector of values, whatever its type.
macro_rules! with_values {
    ($values:expr, $name:ident => $body:expr) => {
        match $values {
            $crate::octal::values::Values::One($name) => $body,
            $crate::octal::values::Values::Two($name) => $body,
            $crate::octal::values::Values::Four($name) => $body,
        }
    };
}
pub(super) use with_values;

impl Values {
    /// Values of a game whose table stores none, because it has a closed form: heap 0 alone.
    #[must_use]
    pub fn none() -> Self {
        Self::One(vec![0])
    }

    /// The value of heap `n`.
    ///
    /// # Panics
    /// If `n` is not below [`Values::len`].
    #[must_use]
    #[allow(clippy::useless_conversion, reason = "the widest values are of this type already")]
    pub fn get(&self, n: usize) -> u32 {
        with_values!(self, v => v[n].into())
    }

    /// Number of heaps, including heap 0.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "heap 0 is always there")]
    pub fn len(&self) -> usize {
        with_values!(self, v => v.len())
    }

    /// All values, from heap 0.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).map(|n| self.get(n))
    }

    /// The greatest value.
    #[must_use]
    pub fn greatest(&self) -> u32 {
        with_values!(self, v => v.iter().max().copied().map_or(0, Into::into))
    }

    /// Returns the least period that the values prove. `last_digit` is the index of the last digit that is not 0.
    pub(super) fn period(&self, last_digit: usize) -> Found {
        with_values!(self, v => period::find(v, last_digit))
    }
}
