//! Pseudorandom numbers without state.

/// Returns element `index` of the SplitMix64 sequence of `seed` (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
/// With a fixed index, the function is a bijection of 64-bit seeds without structure, and so it serves as a hash.
#[inline]
pub fn splitmix(seed: u64, index: u64) -> u64 {
    let z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_sequence_is_the_published_one() {
        // The first outputs of SplitMix64 for the seed 1234567.
        let first: Vec<u64> = (0..3).map(|index| super::splitmix(1_234_567, index)).collect();
        assert_eq!(first, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }
}
