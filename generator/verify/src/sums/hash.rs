//! The keyed hash of a class of positions with a value.

use super::field::{Field, Lanes};
use crate::hex::Hex;
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use morpion_core::{Encoding, rank::cells};

/// Number of bits of a value: 16 bits for the widest code, and one bit for a value without a code.
const VALUE_BITS: usize = 17;

/// The random key of one proof, which determines all elements of the hash: 256 bits, which the caller draws after the table is complete.
pub type Key = Hex<[u8; 32]>;

/// The random elements of a hash. The hash of a class and a value is the product of one element for each cell of the mover, one for each
/// cell of the waiter, and one for each set bit of the value. Different classes or values give different monomials in these elements.
pub(crate) struct Hash<const E: u32> {
    mover: [Lanes; 36],
    waiter: [Lanes; 36],
    value: [Lanes; VALUE_BITS],
}

impl<const E: u32> Hash<E> {
    /// Derives the elements from a key by ChaCha20. All elements of the field are equally likely.
    pub fn new(key: Key) -> Hash<E> {
        let mut generator = ChaCha20Rng::from_seed(key.0);
        let mut element = || {
            loop {
                let element = generator.next_u64() >> (64 - E);
                if element < Field::<E>::PRIME {
                    return element;
                }
            }
        };
        let mut hash =
            Hash { mover: [[0; 2]; 36], waiter: [[0; 2]; 36], value: [[0; 2]; VALUE_BITS] };
        for elements in [&mut hash.mover[..], &mut hash.waiter, &mut hash.value] {
            elements.as_flattened_mut().iter_mut().for_each(|slot| *slot = element());
        }
        hash
    }

    /// The factor of the mover's set.
    pub fn of_mover(&self, set: u64) -> Lanes {
        Field::<E>::product(cells(set).map(|cell| self.mover[usize::from(cell)]))
    }

    /// The factor of the waiter's set.
    pub fn of_waiter(&self, set: u64) -> Lanes {
        Field::<E>::product(cells(set).map(|cell| self.of_cell(cell)))
    }

    /// The factor of one cell of the waiter.
    pub fn of_cell(&self, cell: u8) -> Lanes {
        self.waiter[usize::from(cell)]
    }

    /// The factor of a code, or of a value without a code.
    pub fn of_value(&self, code: Option<u16>) -> Lanes {
        let bits = code.map_or(1 << 16, u64::from);
        Field::<E>::product(cells(bits).map(|bit| self.value[usize::from(bit)]))
    }
}

/// The greatest degree of a hash as a polynomial in the elements. Every cell has at most one piece, and the encoding
/// limits the bits of a value.
pub(crate) fn degree(cells: u8, encoding: Encoding) -> u32 {
    u32::from(cells) + encoding.bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_factor_of_its_own() {
        let hash = Hash::<61>::new(Hex([7; 32]));
        let mut factors: Vec<Lanes> =
            (0..=u16::MAX).map(Some).chain([None]).map(|code| hash.of_value(code)).collect();
        factors.sort_unstable();
        factors.dedup();
        assert_eq!(factors.len(), (1 << 16) + 1);
    }
}
