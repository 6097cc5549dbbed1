//! The values of the next heaps, by sparse space or from all splits.
//!
//! The sparse-space method is exact for any mask, and the mask decides only the speed.
//! A common value of heap `n` comes only from splits with exactly one rare part. Inserting these splits determines `c`,
//! the least common value that no option has. Every missing rare value below `c` needs a *witness*, a split with that
//! value. If all have a witness, the mex is `c`. Otherwise the mex is the least value without a witness, and `n` joins
//! the rare heaps.
//!
//! Example: Kayles (0.77), heap 11, mask 7. The values 0, 3, 5, 6 are rare. Heaps 0 to 10 have the values 0 1 2 3 1 4 3 2 1 4 2, so
//! heaps 3 and 6 are rare (heap 0 is never part of a split). The options 10 and 9 have the values 2 and 4. The splits of 10 with a
//! rare part are 3 + 7, of value 3 ^ 2 = 1, and 6 + 4, of value 3 ^ 1 = 2. The only such split of 9 is 3 + 6, of value 0. So options have
//! 0, 1, 2, 4, and the least missing common value is c = 7. Below it, the rare values 3, 5, 6 need a witness: 2 + 8 is 2 ^ 1 = 3 and
//! 1 + 9 is 1 ^ 4 = 5, but no split is 6. So G(11) = 6, and heap 11 is rare.
//!
//! Without a mask every value is rare, so each missing value needs a witness. This is the definition in another order, with
//! vector instructions. Games without a sparse mask are solved in this way. If both ways are possible, each computes a few heaps,
//! and the cheaper way continues.

use super::mask::{common, sparsest};
use super::sequence::{Overflow, Sequence};
use crate::nimber::{Nimber, NimberSet};
use morpion_grundy::Mask;

/// A heap and its value.
type ValuedHeap<V> = (u32, V);

/// Splits of each digit that are inserted for every heap, in addition to the splits with rare parts.
const FIRST_SPLITS: usize = 64;
/// The least heap number at which masks are tried.
const FIRST_CHOICE: usize = 256;
/// Heaps computed in each way to compare their costs.
const TRIAL: usize = 16;

/// A mask with its rare heaps, and the limits at which it is chosen again.
pub(super) struct Space<V> {
    /// `None` if all splits are searched.
    mask: Option<Mask>,
    /// All rare heaps so far with their values, ascending, without heap 0. Empty without a mask.
    rare_heaps: Vec<ValuedHeap<V>>,
    /// The number of rare heaps above which no more heaps are computed, since another mask may be better then.
    limit: usize,
    /// The heap after which to choose again.
    again: usize,
    /// Bits of the common values below the bound of the sequence, for even and for odd heaps.
    common: [Vec<u64>; 2],
}

impl<V: Nimber> Space<V> {
    /// Creates a space with the heaps of a sequence.
    pub fn new(mask: Option<Mask>, sequence: &Sequence<V>, again: usize) -> Self {
        let heaps = (1..sequence.next).map(|n| (n as u32, sequence.g[n]));
        let is_rare = |(n, value): &(u32, V)| {
            mask.is_some_and(|mask| mask.is_rare((*n).into(), (*value).into().into()))
        };
        let rare_heaps: Vec<_> = heaps.filter(is_rare).collect();
        let limit = 2 * rare_heaps.len() + 32;
        Self { mask, rare_heaps, limit, again, common: [Vec::new(), Vec::new()] }
    }

    /// Chooses the mask for the heaps from `next` on. If a mask may save work, computes a few heaps with and without the mask,
    /// and takes the cheaper way.
    pub fn choose(
        sequence: &mut Sequence<V>,
        last: usize,
        exhaustive: bool,
    ) -> Result<Self, Overflow> {
        let (start, work) = (sequence.next, sequence.work);
        if sequence.moves.split.is_empty() || exhaustive || start + 2 * TRIAL > last {
            return Ok(Self::new(None, sequence, usize::MAX));
        }
        if start <= FIRST_CHOICE {
            return Ok(Self::new(None, sequence, FIRST_CHOICE));
        }
        let mut plain = Self::new(None, sequence, 2 * start);
        plain.compute(sequence, start + TRIAL - 1)?;
        let all_splits = sequence.work - work;
        let (values, parity) = (&sequence.g[..sequence.next], sequence.moves.parity());
        let mask = sparsest(values, sequence.bound, parity);
        let mut sparse = Self::new(Some(mask), sequence, 2 * start);
        sparse.compute(sequence, start + 2 * TRIAL - 1)?;
        Ok(if sequence.work - work <= 2 * all_splits { sparse } else { plain })
    }

    /// Returns true if the number of heaps or of rare heaps has doubled since the mask was chosen.
    pub fn is_stale(&self, sequence: &Sequence<V>) -> bool {
        sequence.next > self.again || self.is_full()
    }

    /// Returns true if there are too many rare heaps.
    fn is_full(&self) -> bool {
        self.rare_heaps.len() > self.limit
    }

    /// Computes heaps from `next` to `last`, or until there are too many rare heaps.
    pub fn compute(&mut self, sequence: &mut Sequence<V>, last: usize) -> Result<(), Overflow> {
        sequence.reserve(last);
        let mut options = NimberSet::new(sequence.words());
        while sequence.next <= last && !self.is_full() {
            if self.common[0].len() != sequence.words() {
                let words = sequence.words();
                options = NimberSet::new(words);
                let none = || [0, 1].map(|_| vec![0; words]);
                self.common = self.mask.map_or_else(none, |mask| common(mask, words));
            }
            let n = sequence.next;
            options.clear();
            insert_rare_splits(sequence, n, &self.rare_heaps, &mut options);
            let first = if self.mask.is_some() { FIRST_SPLITS } else { 4 * sequence.bound };
            let more = sequence.insert_first_splits(n, first, &mut options);
            sequence.insert_unsplit(n, &mut options);
            sequence.work += 64 + options.words() * 8;
            let value = self.mex(sequence, n, &options, more);
            sequence.push(value)?;
            if self.mask.is_some_and(|mask| mask.is_rare(n as u64, value as u64)) {
                self.rare_heaps.push((n as u32, sequence.g[n]));
            }
        }
        Ok(())
    }

    /// The value of heap `n`. `options` has the values of its options without a split, of its splits with a rare part, and of its
    /// first splits. `more` is true if the heap has more splits.
    fn mex(&self, sequence: &mut Sequence<V>, n: usize, options: &NimberSet, more: bool) -> usize {
        let common = &self.common[n & 1];
        let c = options.missing_among(common.iter().copied()).next();
        let c = c.unwrap_or(64 * options.words());
        let rare = options.missing_among(common.iter().map(|common| !common));
        let mut candidates = rare.take_while(|value| *value < c);
        candidates.find(|value| !more || !sequence.has_split(n, *value)).unwrap_or(c)
    }
}

/// Inserts the values of the splits of heap `n` that have one of the rare `parts`. For each `t` counters taken, a part is less
/// than `n` − t.
fn insert_rare_splits<V: Nimber>(
    sequence: &mut Sequence<V>,
    n: usize,
    parts: &[ValuedHeap<V>],
    options: &mut NimberSet,
) {
    for t in &sequence.moves.split {
        let left = n.saturating_sub(*t).max(1);
        // Starts at heap 1, since the other part must not be empty.
        let others = &sequence.g[1..left];
        for (heap, value) in parts {
            if let Some(other) = others.get((left - 1).wrapping_sub(*heap as usize)) {
                options.insert(other.index() ^ value.index());
            }
        }
        sequence.work += 4 * parts.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::octal::definition;
    use crate::octal::moves::Moves;

    #[test]
    fn the_worked_example_is_right() {
        let moves = Moves::new(&"0.77".parse().unwrap()).unwrap();
        let mut sequence = Sequence::<u8>::new(moves);
        let mut space =
            Space::new(Some(Mask { bits: 7, position: None, rare: 0 }), &sequence, usize::MAX);
        space.compute(&mut sequence, 10).unwrap();
        assert_eq!(sequence.g[..11], [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2]);
        assert_eq!(space.rare_heaps, [(3, 3), (6, 3)]);
        let missing = |options: &NimberSet| -> Vec<usize> {
            options.missing_among([0xff].into_iter()).collect()
        };
        let mut options = NimberSet::new(1);
        insert_rare_splits(&mut sequence, 11, &space.rare_heaps, &mut options);
        assert_eq!(missing(&options), [3, 4, 5, 6, 7]);
        sequence.insert_unsplit(11, &mut options);
        assert_eq!(missing(&options), [3, 5, 6, 7]);
        assert_eq!(space.mex(&mut sequence, 11, &options, true), 6);
        space.compute(&mut sequence, 11).unwrap();
        assert_eq!(space.rare_heaps.last(), Some(&(11, 6)));
    }

    #[test]
    fn any_mask_gives_the_same_values() {
        let last = if cfg!(debug_assertions) { 600 } else { 3000 };
        for code in [
            "0.007", "0.77", "0.137", "0.16", "0.127", "4.3", "4.047", "0.6", "0.205", "0.777",
            "4.47", "0.644", "0.4404",
        ] {
            let moves = Moves::new(&code.parse().unwrap()).unwrap();
            let expected = definition::values(&moves, last);
            for bits in [1, 2, 3, 7, 12, 30, 64, 127, 255] {
                for position in [None, moves.parity()] {
                    let mut sequence = Sequence::<u16>::new(moves.clone());
                    let mut space =
                        Space::new(Some(Mask { bits, position, rare: 0 }), &sequence, usize::MAX);
                    space.limit = usize::MAX;
                    space.compute(&mut sequence, last).unwrap();
                    let values: Vec<u32> =
                        sequence.g[..=last].iter().map(|v| (*v).into()).collect();
                    assert_eq!(values, expected, "{code} {bits} {position:?}");
                }
            }
        }
    }
}
