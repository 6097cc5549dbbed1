//! Search for witnesses, for all heaps of a block at once.
//!
//! For each heap, a few common values are missing from its set. The search finds the missing values that a split with a
//! rare part has. It costs a comparison in a register for each split, instead of a store.

use super::block::{BLOCK, BlockSets, ValuedHeap};
use super::mask::Classes;
use crate::mex::{NimberSet, missing_among};
use crate::nimber::Nimber;
use crate::octal::solver::sequence::Sequence;
use morpion_machine::isa::{Kernel, dispatch};

/// Number of values sought for each heap; they fit into registers.
pub(super) const SOUGHT: usize = 8;

/// Values sought for a heap, and the values found.
pub(super) struct Witnesses<V> {
    sought: [V; SOUGHT],
    /// A bit for each value sought that a split has.
    found: u32,
    /// Every missing common value below this one was sought.
    complete_below: usize,
}

impl<V: Nimber> Witnesses<V> {
    /// Inserts the values found. Returns a value below which the set contains every common value of a split with one of the parts.
    pub fn insert_into(&self, options: &mut impl NimberSet) -> usize {
        for (k, value) in self.sought.iter().enumerate() {
            if self.found >> k & 1 == 1 {
                options.insert(value.index());
            }
        }
        self.complete_below
    }
}

/// Searches the splits with `parts` for the least common values that are missing from the `sets` of the heaps from
/// `start` on.
pub(super) fn search<V: Nimber>(
    sets: &mut impl BlockSets<V>,
    sequence: &mut Sequence<V>,
    start: usize,
    parts: &[ValuedHeap<V>],
    classes: &Classes,
) -> [Witnesses<V>; BLOCK] {
    let mut sought = [[V::default(); BLOCK]; SOUGHT];
    let mut complete_below = [usize::MAX; BLOCK];
    for i in 0..BLOCK {
        let common = classes.common(start + i);
        let options = sets.set(i, common.len());
        let mut values = missing_among(&options, common.iter().copied());
        for sought in &mut sought {
            // If no more values are missing, it seeks 0. Inserting 0 is right if some split has it.
            let value = values.next();
            sought[i] = V::new(value.unwrap_or(0));
            complete_below[i] = value.map_or(usize::MAX, |value| value + 1);
        }
    }
    sequence.work += 6 * sequence.moves.split.len() * parts.len();
    let found = dispatch(Search { sequence, start, parts, sought: &sought });
    std::array::from_fn(|i| Witnesses {
        sought: std::array::from_fn(|k| sought[k][i]),
        found: found[i],
        complete_below: complete_below[i],
    })
}

struct Search<'a, V> {
    sequence: &'a Sequence<V>,
    start: usize,
    parts: &'a [ValuedHeap<V>],
    sought: &'a [[V; BLOCK]; SOUGHT],
}

impl<V: Nimber> Kernel for Search<'_, V> {
    /// For each heap, a bit for each value sought that a split has.
    type Output = [u32; BLOCK];

    #[inline(always)]
    fn run<const BITS: bool>(self) -> Self::Output {
        let Self { sequence, start, parts, sought } = self;
        // The least xor with each value sought. It is 0 exactly if a split has that value.
        let mut least = [[V::MAX; BLOCK]; SOUGHT];
        for t in &sequence.moves.split {
            for (heap, value) in parts {
                let others: &[V; BLOCK] = sequence.g[start - t - *heap as usize..]
                    .first_chunk()
                    .expect("the values before the block");
                for k in 0..SOUGHT {
                    for i in 0..BLOCK {
                        least[k][i] = least[k][i].min(others[i] ^ *value ^ sought[k][i]);
                    }
                }
            }
        }
        let mut found = [0; BLOCK];
        for (k, heaps) in least.iter().enumerate() {
            for (found, least) in found.iter_mut().zip(heaps) {
                *found |= u32::from(*least == V::default()) << k;
            }
        }
        found
    }
}
