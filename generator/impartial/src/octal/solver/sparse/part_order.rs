//! Order in which parts are inserted, and the sufficient number of parts.
//!
//! Many splits of a heap have the same value, and one of them would be enough. So parts come first if their splits have
//! values that few other splits have. One sample of computed heaps determines the order, and another sample the number
//! of parts.

use super::block::Part;
use super::mask::Classes;
use crate::nimber::Nimber;
use crate::octal::solver::sequence::Sequence;
use std::cmp::Reverse;

/// Cost of the search for one witness, in units of one insertion.
const SEARCH: usize = 192;

/// Sorts the parts by the `samples`: first those whose splits have values that few other splits have.
pub(super) fn sort<V: Nimber>(sequence: &Sequence<V>, samples: &[usize], parts: &mut Vec<Part<V>>) {
    let mut weights = vec![0_u32; parts.len()];
    for n in samples {
        let mut counts = vec![0_u32; sequence.bound];
        splits(sequence, *n, parts).for_each(|(_, value)| counts[value] += 1);
        for (at, value) in splits(sequence, *n, parts) {
            weights[at] += (1 << 16) / counts[value];
        }
    }
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_unstable_by_key(|at| (Reverse(weights[*at]), *at));
    *parts = order.into_iter().map(|at| parts[at]).collect();
}

/// Returns the number of rare parts to insert. With them, at most `spare` common values of heap `n`'s splits that are
/// less than its own value are missing.
pub(super) fn needed<V: Nimber>(
    sequence: &Sequence<V>,
    n: usize,
    rare_parts: &[Part<V>],
    classes: &Classes,
    spare: usize,
) -> usize {
    let mut firsts = firsts(sequence, n, rare_parts, |value| classes.is_common(n, value));
    firsts.sort_unstable();
    firsts.iter().rev().nth(spare).map_or(0, |at| at + 1)
}

/// Returns the number of common parts for which insertions and remaining searches for rare values cost the least.
pub(super) fn cheapest<V: Nimber>(
    sequence: &Sequence<V>,
    samples: &[usize],
    common_parts: &[Part<V>],
    classes: &Classes,
) -> usize {
    let firsts =
        |n: &usize| firsts(sequence, *n, common_parts, |value| !classes.is_common(*n, value));
    let mut firsts: Vec<usize> = samples.iter().flat_map(firsts).collect();
    firsts.sort_unstable();
    // The values from `at` on need a search, because their first split comes after the `inserted` parts.
    let cost = |at: usize, inserted: usize| inserted * samples.len() + (firsts.len() - at) * SEARCH;
    let ends = firsts.iter().enumerate().map(|(at, first)| (at + 1, first + 1));
    let choices = ends.chain([(0, 0)]).map(|(at, inserted)| (cost(at, inserted), inserted));
    choices.min().map_or(0, |(_, inserted)| inserted)
}

/// Returns an index for each `wanted` value below the value of heap `n`: the first part with a split of that value, or
/// the number of parts if there is none.
fn firsts<V: Nimber>(
    sequence: &Sequence<V>,
    n: usize,
    parts: &[Part<V>],
    wanted: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut firsts = vec![parts.len(); sequence.g[n].index()];
    for (at, value) in splits(sequence, n, parts) {
        firsts[value] = firsts[value].min(at);
    }
    let firsts = firsts.into_iter().enumerate();
    firsts.filter(|(value, _)| wanted(*value)).map(|(_, first)| first).collect()
}

/// Lists the splits of heap `n` with `parts` whose value is below the value of `n`, as the index of the part and the value.
fn splits<V: Nimber>(
    sequence: &Sequence<V>,
    n: usize,
    parts: &[Part<V>],
) -> impl Iterator<Item = (usize, usize)> {
    let limit = sequence.g[n].index();
    sequence.moves.split.iter().flat_map(move |t| {
        let others = &sequence.g[..n - t];
        parts.iter().enumerate().filter_map(move |(at, (heap, value))| {
            let other = others.len().checked_sub(*heap as usize).filter(|other| *other > 0)?;
            Some((at, others[other].index() ^ value.index())).filter(|(_, value)| *value < limit)
        })
    })
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
