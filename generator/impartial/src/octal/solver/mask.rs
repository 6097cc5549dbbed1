//! The mask of a sparse space, and the choice of the mask that makes the fewest heaps rare.
//!
//! For a mask `m`, the class of value `v` of heap `n` is the parity of `popcount(v & m)`. For a *position mask* it is the parity
//! of `popcount(v & m) + n − t`, where a split takes `t` counters. Class 0 is *rare*, class 1 *common*. The class of a split's
//! value is the sum of the classes of its two parts. So a common value comes only from a common and a rare part. For a position
//! mask, this holds only if the numbers `t` of all digits that split have the same parity.

use crate::nimber::Nimber;
use morpion_grundy::Mask;

/// Returns a bit for each common value below 64 · `words`, for even and for odd heaps.
pub(super) fn common(mask: Mask, words: usize) -> [Vec<u64>; 2] {
    [0, 1].map(|heap| {
        let bit = |value| u64::from(!mask.is_rare(heap, value as u64));
        (0..words).map(|w| (0..64).map(|i| bit(64 * w + i) << i).sum()).collect()
    })
}

/// Replaces `data`, whose length is a power of two, by its Walsh–Hadamard transform. Entry `m` becomes the sum of all
/// `data[v]`, each with a negative sign if `popcount(v & m)` is odd.
fn walsh_hadamard(data: &mut [i64]) {
    let mut half = 1;
    while half < data.len() {
        for pair in data.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

/// Returns the mask with the fewest rare heaps among `1..values.len()`. All `values` are below `bound`, a power of two. Tries position
/// masks if `parity` (of the digits that split) is given. Of equally good masks, it prefers masks without a position, then the least mask.
pub(super) fn sparsest<V: Nimber>(values: &[V], bound: usize, parity: Option<u8>) -> Mask {
    // Number of heaps with each value, for even and for odd heaps.
    let mut histograms = [0, 1].map(|_| vec![0i64; bound]);
    for (heap, value) in values.iter().enumerate().skip(1) {
        histograms[heap & 1][value.index()] += 1;
    }
    histograms.iter_mut().for_each(|histogram| walsh_hadamard(histogram));
    let [even, odd] = histograms;
    // Rare minus common heaps, for each mask.
    let excess = |bits: usize, sign: i64| even[bits] + sign * odd[bits];
    let masks = (1..bound).map(|bits| (excess(bits, 1), bits, None));
    let position_masks = parity.into_iter().flat_map(|t| {
        let sign = if t == 0 { 1 } else { -1 };
        (0..bound).map(move |bits| (sign * excess(bits, -1), bits, Some(t)))
    });
    let heaps = values.len() as i64 - 1;
    let best = masks.chain(position_masks).min_by_key(|(excess, ..)| *excess);
    let (excess, bits, position) = best.unwrap_or((heaps, 1, None));
    Mask { bits: bits as u64, position, rare: heaps.midpoint(excess) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_mask_has_the_fewest_rare_heaps() {
        let values: Vec<u8> = vec![0, 3, 5, 6, 7, 1, 2, 4, 0, 0, 3];
        for parity in [None, Some(0), Some(1)] {
            let mask = sparsest(&values, 8, parity);
            let is_rare = |mask: Mask, n: &usize| mask.is_rare(*n as u64, values[*n].into());
            let count = |mask| (1..values.len()).filter(|n| is_rare(mask, n)).count() as u64;
            assert_eq!(mask.rare, count(mask));
            for bits in 1..8 {
                assert!(count(Mask { bits, position: None, ..mask }) >= mask.rare);
                if parity.is_some() {
                    assert!(count(Mask { bits, position: parity, ..mask }) >= mask.rare);
                }
            }
        }
    }

    #[test]
    fn a_single_value_has_no_good_mask() {
        assert_eq!(sparsest(&[0_u8, 0, 0], 1, None).rare, 2);
    }
}
