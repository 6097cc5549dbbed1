//! Proofs that a nim-sequence is periodic.
//!
//! Theorem of Guy and Smith: let `k` be the index of the last digit that is not 0, `e ≥ 1` and `p ≥ 1`. If G(n + p) =
//! G(n) for all `n` with `e ≤ n < 2e + p + k`, then it holds for every `n ≥ e`. So the values up to heap `2e + 2p + k −
//! 1` are a certificate.

use morpion_grundy::Period;

/// Looks for a period in `values`, from heap 0. Finds the least `p` and then the least `e` that the values prove. Takes linear
/// time by the Z-function of the reversed sequence. Heap 0 is left out, because the theorem starts at heap 1.
///
/// # Errors
/// If the values prove no period: the heap whose value would complete the first proof if the values at the end continued to repeat.
/// This is `usize::MAX` if they do not repeat.
pub(super) fn find<T: PartialEq + Copy>(values: &[T], last_digit: usize) -> Result<Period, usize> {
    let last = values.len().saturating_sub(1);
    let reversed: Vec<T> = values.iter().skip(1).rev().copied().collect();
    // A proof has p ≤ last / 2.
    let z = z_function(&reversed, last / 2 + 1);
    let mut promising = usize::MAX;
    // A proof needs at least half of all values.
    let half = (last + last_digit).div_ceil(2);
    for (p, &same) in z.iter().enumerate().skip(1) {
        if (same as usize) < p.min(half) {
            continue;
        }
        // The last `same` values equal the values p before them, so G(n + p) = G(n) from heap `start` on.
        let start = (last - p - same as usize + 1) as u64;
        let period = Period { length: p as u64, start };
        let needs = period.certificate(last_digit as u64).map_or(usize::MAX, |last| last as usize);
        if needs <= last {
            return Ok(period);
        }
        if same as usize >= p {
            promising = promising.min(needs);
        }
    }
    Err(promising)
}

/// `z[i]` for `i < count`: the length of the longest common prefix of `s` and `s[i..]`.
fn z_function<T: PartialEq>(s: &[T], count: usize) -> Vec<u32> {
    let mut z = vec![0_u32; count.min(s.len())];
    let (mut left, mut right) = (0, 0);
    for i in 1..z.len() {
        let mut same = if i < right { (z[i - left] as usize).min(right - i) } else { 0 };
        while i + same < s.len() && s[same] == s[i + same] {
            same += 1;
        }
        z[i] = same as u32;
        if i + same > right {
            (left, right) = (i, i + same);
        }
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heap_0_is_not_part_of_the_period() {
        // G(0) differs, all others repeat: e is 1, not 0 and not 2.
        let values = [9, 0, 1, 0, 1, 0, 1, 0, 1];
        assert_eq!(find(&values, 1), Ok(Period { length: 2, start: 1 }));
        // G(0) belongs to the cycle: e is still 1.
        let values = [1, 0, 1, 0, 1, 0, 1, 0, 1];
        assert_eq!(find(&values, 1), Ok(Period { length: 2, start: 1 }));
    }

    #[test]
    fn the_start_is_the_least_one() {
        let mut values = vec![0, 5, 5, 2];
        values.extend([1, 2, 3].iter().cycle().take(40));
        // 2 1 2 3 1 2 3: the 2 at heap 3 is not the 3 at heap 6.
        assert_eq!(find(&values, 2), Ok(Period { length: 3, start: 4 }));
        values[3] = 3;
        assert_eq!(find(&values, 2), Ok(Period { length: 3, start: 3 }));
    }

    #[test]
    fn one_value_too_few_is_not_a_proof() {
        let (e, p, k) = (4, 3, 2);
        let period = Period { length: p as u64, start: e as u64 };
        let mut values = vec![0, 5, 5, 7];
        values.extend([1, 2, 3].iter().cycle().take(40));
        let enough = 2 * e + 2 * p + k; // heaps 0 to 2e + 2p + k − 1
        assert_eq!(find(&values[..enough], k), Ok(period));
        assert_eq!(find(&values[..enough - 1], k), Err(enough - 1));
    }

    #[test]
    fn a_broken_cycle_is_not_a_cycle() {
        let mut values: Vec<u8> = [1, 2, 3].iter().cycle().take(40).copied().collect();
        values.push(9);
        assert_eq!(find(&values, 2), Err(usize::MAX));
        assert_eq!(find::<u8>(&[], 0), Err(usize::MAX));
        assert_eq!(find(&[0_u8], 0), Err(usize::MAX));
    }

    #[test]
    fn a_game_without_moves_repeats_at_once() {
        assert_eq!(find(&[0_u8; 4], 0), Ok(Period { length: 1, start: 1 }));
    }
}
