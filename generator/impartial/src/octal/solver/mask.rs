//! The mask of a sparse space, and the choice of the mask that makes the fewest heaps rare.
//!
//! For a mask `m`, the class of value `v` of heap `n` is the parity of `popcount(v & m)`. For a *position mask* it is the parity
//! of `popcount(v & m) + n − t`, where a split takes `t` counters. Class 0 is *rare*, class 1 *common*. The class of a split's
//! value is the sum of the classes of its two parts. So a common value comes only from a common and a rare part. For a position
//! mask, this holds only if the numbers `t` of all digits that split have the same parity.

use crate::nimber::Nimber;

/// A mask on values, with or without the parity of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask {
    /// The bits of the value that the class depends on.
    pub bits: usize,
    /// For a position mask, the parity of the digits that split.
    pub position: Option<usize>,
}

impl Mask {
    /// Checks whether `value` is rare for `heap`.
    #[must_use]
    pub fn is_rare(self, heap: usize, value: usize) -> bool {
        let position = self.position.map_or(0, |t| heap ^ t);
        ((value & self.bits).count_ones() as usize ^ position) & 1 == 0
    }

    /// Returns a bit for each common value below 64 · `words`, for even and for odd heaps.
    pub(super) fn common(self, words: usize) -> [Vec<u64>; 2] {
        [0, 1].map(|heap| {
            let bit = |value| u64::from(!self.is_rare(heap, value));
            (0..words).map(|w| (0..64).map(|i| bit(64 * w + i) << i).sum()).collect()
        })
    }
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

/// Number of heaps with each value, for even and for odd heaps.
pub(super) struct Histogram([Vec<i64>; 2]);

impl Histogram {
    /// Counts the heaps `1..values.len()`. All `values` are below `bound`, a power of two.
    pub fn of<V: Nimber>(values: &[V], bound: usize) -> Self {
        let mut histogram = Self([0, 1].map(|_| vec![0; bound]));
        for (heap, value) in values.iter().enumerate().skip(1) {
            histogram.0[heap & 1][value.index()] += 1;
        }
        histogram
    }

    /// Returns the mask with the fewest rare heaps, and their number. Tries position masks if `parity` (of the digits
    /// that split) is given. Of equally good masks, it prefers masks without a position, then the least mask.
    pub fn sparsest(self, parity: Option<usize>) -> (Mask, usize) {
        let [mut even, mut odd] = self.0;
        let heaps: i64 = even.iter().chain(&odd).sum();
        walsh_hadamard(&mut even);
        walsh_hadamard(&mut odd);
        // Rare minus common heaps, for each mask.
        let excess = |bits: usize, sign: i64| even[bits] + sign * odd[bits];
        let masks = (1..even.len()).map(|bits| (excess(bits, 1), Mask { bits, position: None }));
        let position_masks = parity.into_iter().flat_map(|t| {
            let sign = if t == 0 { 1 } else { -1 };
            let mask = move |bits| Mask { bits, position: Some(t) };
            (0..even.len()).map(move |bits| (sign * excess(bits, -1), mask(bits)))
        });
        let best = masks.chain(position_masks).min_by_key(|(excess, _)| *excess);
        let (excess, mask) = best.unwrap_or((heaps, Mask { bits: 1, position: None }));
        (mask, heaps.midpoint(excess) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sparsest(values: &[u8], bound: usize, parity: Option<usize>) -> (Mask, usize) {
        Histogram::of(values, bound).sparsest(parity)
    }

    #[test]
    fn the_chosen_mask_has_the_fewest_rare_heaps() {
        let values: Vec<u8> = vec![0, 3, 5, 6, 7, 1, 2, 4, 0, 0, 3];
        for parity in [None, Some(0), Some(1)] {
            let (mask, rare) = sparsest(&values, 8, parity);
            let count =
                |m: Mask| (1..values.len()).filter(|n| m.is_rare(*n, values[*n].index())).count();
            assert_eq!(rare, count(mask));
            for bits in 1..8 {
                assert!(count(Mask { bits, position: None }) >= rare);
                if parity.is_some() {
                    assert!(count(Mask { bits, position: parity }) >= rare);
                }
            }
        }
    }

    #[test]
    fn a_single_value_has_no_good_mask() {
        assert_eq!(sparsest(&[0, 0, 0], 1, None).1, 2);
    }
}
