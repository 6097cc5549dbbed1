//! Order in which parts are inserted, and the sufficient number of parts.
//!
//! Many splits of a heap have the same value, and one of them would be enough. So parts come first if their splits have
//! values that few other splits have. One sample of computed heaps determines the order, and another sample the number
//! of parts.

use super::block::ValuedHeap;
use super::mask::Classes;
use crate::nimber::Nimber;
use crate::octal::solver::sequence::Sequence;
use std::cmp::Reverse;

/// Cost of the search for one witness, in units of one insertion.
const SEARCH: usize = 192;

/// Sorts the parts by the `samples`: first those whose splits have values that few other splits have.
pub(super) fn sort<V: Nimber>(
    sequence: &Sequence<V>,
    samples: &[usize],
    parts: &mut Vec<ValuedHeap<V>>,
) {
    let mut weights = vec![0_u32; parts.len()];
    for n in samples {
        let mut counts = vec![0_u32; sequence.bound];
        each_split(sequence, *n, parts, |_, value| counts[value] += 1);
        each_split(sequence, *n, parts, |at, value| weights[at] += (1 << 16) / counts[value]);
    }
    *parts = by_weight(&weights).into_iter().map(|at| parts[at]).collect();
}

/// The indices of all weights, the greatest weight first, equal weights in their order.
fn by_weight(weights: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_unstable_by_key(|at| (Reverse(weights[*at]), *at));
    order
}

/// Returns the number of rare parts to insert. With them, at most `spare` common values of heap `n`'s splits that are
/// less than its own value are missing.
pub(super) fn needed<V: Nimber>(
    sequence: &Sequence<V>,
    n: usize,
    rare_parts: &[ValuedHeap<V>],
    classes: &Classes,
    spare: usize,
) -> usize {
    let mut firsts = Vec::new();
    add_firsts(sequence, n, rare_parts, |value| classes.is_common(n, value), &mut firsts);
    firsts.sort_unstable();
    firsts.iter().rev().nth(spare).map_or(0, |at| at + 1)
}

/// Returns the number of common parts for which insertions and remaining searches for rare values cost the least.
pub(super) fn cheapest<V: Nimber>(
    sequence: &Sequence<V>,
    samples: &[usize],
    common_parts: &[ValuedHeap<V>],
    classes: &Classes,
) -> usize {
    let mut firsts = Vec::new();
    for n in samples {
        let is_rare = |value| !classes.is_common(*n, value);
        add_firsts(sequence, *n, common_parts, is_rare, &mut firsts);
    }
    cheapest_prefix(firsts, samples.len())
}

/// The number of inserted parts that costs the least, given the index of the first part with each value sought.
fn cheapest_prefix(mut firsts: Vec<usize>, samples: usize) -> usize {
    firsts.sort_unstable();
    // The values from `at` on need a search, because their first split comes after the `inserted` parts.
    let cost = |at: usize, inserted: usize| inserted * samples + (firsts.len() - at) * SEARCH;
    let mut least = (cost(0, 0), 0);
    for (at, first) in firsts.iter().enumerate() {
        let inserted = first + 1;
        least = least.min((cost(at + 1, inserted), inserted));
    }
    least.1
}

/// Adds an index for each `wanted` value below the value of heap `n`: the first part with a split of that value, or
/// the number of parts if there is none.
fn add_firsts<V: Nimber>(
    sequence: &Sequence<V>,
    n: usize,
    parts: &[ValuedHeap<V>],
    wanted: impl Fn(usize) -> bool,
    firsts: &mut Vec<usize>,
) {
    let mut by_value = vec![parts.len(); sequence.g[n].index()];
    each_split(sequence, n, parts, |at, value| by_value[value] = by_value[value].min(at));
    for (value, first) in by_value.into_iter().enumerate() {
        if wanted(value) {
            firsts.push(first);
        }
    }
}

/// Visits the splits of heap `n` with `parts` whose value is below the value of `n`, as the index of the part and the value.
fn each_split<V: Nimber>(
    sequence: &Sequence<V>,
    n: usize,
    parts: &[ValuedHeap<V>],
    mut visit: impl FnMut(usize, usize),
) {
    let limit = sequence.g[n].index();
    for t in &sequence.moves.split {
        let left = n - t;
        for (at, (heap, value)) in parts.iter().enumerate() {
            let heap = *heap as usize;
            if heap < left {
                let value = sequence.g[left - heap].index() ^ value.index();
                if value < limit {
                    visit(at, value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::octal::moves::Moves;
    use crate::octal::solver::exhaustive;

    #[test]
    fn a_part_whose_split_has_a_value_of_its_own_comes_first() {
        let moves = Moves::new(&"0.07".parse().unwrap()).unwrap();
        let mut sequence = Sequence::<u8>::new(moves);
        exhaustive::compute(&mut sequence, 16).unwrap();
        // Splits of heap 16: 1 + 13 and 6 + 8 are both 2, 2 + 12 is 3.
        let part = |n: usize| (n as u32, sequence.g[n]);
        let mut parts = [6, 1, 2].map(part).to_vec();
        sort(&sequence, &[16], &mut parts);
        assert_eq!(parts, [2, 6, 1].map(part));
    }
}
