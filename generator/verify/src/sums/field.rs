//! Arithmetic modulo the prime 2ᴱ − 1, in two independent lanes.
//!
//! The proof uses E = 61. Tests use E = 5 and 7, because in small fields sums of wrong layers are equal often enough to be observed.

/// The exponent of the modulus of a proof.
pub(crate) const EXPONENT: u32 = 61;

/// Number of products that are added before the sum is reduced. A product is below 2¹²³, so the sum of 32 products fits into 128 bits.
pub(crate) const TILE: usize = 32;

/// One element per lane.
pub(crate) type Lanes = [u64; 2];

/// The field with 2ᴱ − 1 elements, for E = 2, 3, 5, 7, 13, 17, 19, 31 or 61.
pub(crate) struct Field<const E: u32>;

impl<const E: u32> Field<E> {
    /// The modulus, a Mersenne prime, which is also the number of elements.
    pub const PRIME: u64 = (1 << E) - 1;

    /// The element congruent to `x`.
    #[inline(always)]
    pub fn reduce(x: u128) -> u64 {
        if E < 61 {
            return (x % u128::from(Self::PRIME)) as u64;
        }
        // 2⁶¹ is congruent to 1. `first` is below 2⁶⁸, and `second` is at most the prime + 2⁷.
        let first = (x & u128::from(Self::PRIME)) + (x >> E);
        let second = (first as u64 & Self::PRIME) + (first >> E) as u64;
        Self::once(second)
    }

    /// The element congruent to `x`, which must be less than twice the prime.
    #[inline(always)]
    fn once(x: u64) -> u64 {
        if x >= Self::PRIME { x - Self::PRIME } else { x }
    }

    /// A number below 2ᴱ⁺¹ that is congruent to the product of two elements.
    #[inline(always)]
    pub fn fold(a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        (product as u64 & Self::PRIME) + (product >> E) as u64
    }

    /// The sum in each lane.
    #[inline(always)]
    pub fn add(a: Lanes, b: Lanes) -> Lanes {
        [0, 1].map(|lane| Self::once(a[lane] + b[lane]))
    }

    /// The product in each lane.
    #[inline(always)]
    pub fn mul(a: Lanes, b: Lanes) -> Lanes {
        [0, 1].map(|lane| Self::reduce(u128::from(a[lane]) * u128::from(b[lane])))
    }

    /// The product of elements in each lane.
    pub fn product(elements: impl Iterator<Item = Lanes>) -> Lanes {
        elements.fold([1, 1], Self::mul)
    }

    /// The product of the element in each lane and an integer.
    pub fn times(a: Lanes, factor: u64) -> Lanes {
        a.map(|a| Self::reduce(u128::from(a) * u128::from(factor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_modulo_the_prime() {
        let numbers = [0, 1, 2, 125, 126, 127, 128, 1 << 60, (1 << 61) - 2, u64::MAX >> 3];
        for a in numbers {
            for b in numbers {
                let modulo = |prime: u64| {
                    (u128::from(a % prime) * u128::from(b % prime) % u128::from(prime)) as u64
                };
                let long = Field::<61>::PRIME;
                let [a61, b61] = [a, b].map(|x| x % long);
                assert_eq!(Field::<61>::mul([a61; 2], [b61; 2]), [modulo(long); 2]);
                assert_eq!(Field::<61>::fold(a61, b61) % long, modulo(long));
                assert!(Field::<61>::fold(a61, b61) < 1 << 62);
                let [a7, b7] = [a, b].map(|x| x % 127);
                assert_eq!(Field::<7>::mul([a7; 2], [b7; 2]), [modulo(127); 2]);
                assert_eq!(Field::<7>::add([a7; 2], [b7; 2]), [(a7 + b7) % 127; 2]);
            }
        }
        assert_eq!(Field::<61>::reduce(u128::MAX), (u128::MAX % ((1 << 61) - 1)) as u64);
    }
}
