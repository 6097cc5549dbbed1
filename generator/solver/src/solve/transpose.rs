//! Transposes 64 × 64 bits, to convert rows of a table to lanes of a block, and packs bytes into bits.

/// Transposes 64 words of 64 bits: bit `i` of word `j` becomes bit `j` of word `i`.
///
/// Exchanges blocks of 32, 16, … 1 bits across the diagonal (Warren, Hacker's Delight, section 7–3).
#[inline(always)]
pub fn transpose(words: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width != 0 {
        for start in (0..64).step_by(2 * width) {
            for index in start..start + width {
                let swap = (words[index] >> width ^ words[index + width]) & mask;
                words[index] ^= swap << width;
                words[index + width] ^= swap;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// The lowest bit of each of up to 64 bytes, which are 0 or 1, as one word.
#[inline(always)]
pub fn pack(flags: &[u8; 64]) -> u64 {
    let mut word = 0;
    for (index, eight) in flags.chunks_exact(8).enumerate() {
        let eight = u64::from_le_bytes([
            eight[0], eight[1], eight[2], eight[3], eight[4], eight[5], eight[6], eight[7],
        ]);
        // The product moves the bit of byte i to bit 56 + i, without carries.
        word |= (eight.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * index);
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_change_places() {
        let mut seed = 1u64;
        let before: [u64; 64] = std::array::from_fn(|_| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed
        });
        let mut after = before;
        transpose(&mut after);
        for (i, before) in before.iter().enumerate() {
            for (j, after) in after.iter().enumerate() {
                assert_eq!(before >> j & 1, after >> i & 1);
            }
        }
    }

    #[test]
    fn flags_become_bits_in_order() {
        for word in [0u64, 1, 1 << 63, 0x0123_4567_89AB_CDEF, u64::MAX] {
            assert_eq!(pack(&std::array::from_fn(|bit| (word >> bit & 1) as u8)), word);
        }
    }
}
