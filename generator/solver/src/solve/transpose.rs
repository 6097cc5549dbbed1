//! Transposes 64 × 64 bits, to convert rows of a table to lanes of a block.

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
}
