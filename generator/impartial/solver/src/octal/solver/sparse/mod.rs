//! The sparse-space method. It is exact for any mask, and the mask decides only the speed.
//!
//! A common value of heap `n` comes only from splits with exactly one rare part. Inserting these splits determines `c`,
//! the least common value that no option has. Every missing rare value below `c` needs a *witness*, a split with that
//! value. If all have a witness, the mex is `c`. Otherwise the mex is the least value without a witness, and `n` joins
//! the rare heaps.
//!
//! Example: Kayles (0.77), heap 11, mask 7. The values 0, 3, 5, 6 are rare. Heaps 0 to 10 have the values 0 1 2 3 1 4 3 2 1 4 2, so
//! heaps 3 and 6 are rare (heap 0 is never part of a split). The options 10 and 9 have the values 2 and 4. The splits of 10 with a
//! rare part are 3 + 7, of value 3 ^ 2 = 1, and 6 + 4, of value 3 ^ 1 = 2. The only one of 9 is 3 + 6, of value 0. So options have
//! 0, 1, 2, 4, and the least missing common value is c = 7. Below it, the rare values 3, 5, 6 need a witness: 2 + 8 is 2 ^ 1 = 3 and
//! 1 + 9 is 1 ^ 4 = 5, but no split is 6. So G(11) = 6, and heap 11 is rare.

mod mask;

pub(super) use mask::Histogram;
pub use mask::Mask;

use super::sequence::{Overflow, Sequence};
use crate::mex::NimberSet;
use crate::nimber::Nimber;
use mask::Classes;

/// A heap and its value.
type ValuedHeap<V> = (u32, V);

/// Splits of each digit that are inserted for every heap, in addition to the splits with rare parts.
const FIRST_SPLITS: usize = 64;

/// A mask and its rare heaps.
pub(super) struct SparseSpace<V: Nimber> {
    /// The number of rare heaps above which no more heaps are computed.
    pub limit: usize,
    /// The first heap that `rare_heaps` does not cover yet.
    next: usize,
    /// All rare heaps so far with their values, ascending, without heap 0.
    rare_heaps: Vec<ValuedHeap<V>>,
    /// The classes of values, with bits for all values below the bound of the sequence.
    classes: Classes,
    /// Buffer for the rare values that need a witness.
    candidates: Vec<usize>,
}

impl<V: Nimber> SparseSpace<V> {
    /// Creates a space without heaps.
    pub fn new(mask: Mask) -> Self {
        let classes = Classes::new(mask, 0);
        Self { limit: usize::MAX, next: 1, rare_heaps: vec![], classes, candidates: vec![] }
    }

    /// The mask of the space.
    pub fn mask(&self) -> Mask {
        self.classes.mask
    }

    /// Number of rare heaps.
    pub fn rare(&self) -> usize {
        self.rare_heaps.len()
    }

    /// Computes heaps from `next` to `last`, or until there are too many rare heaps.
    pub fn compute(&mut self, sequence: &mut Sequence<V>, last: usize) -> Result<(), Overflow> {
        sequence.reserve(last);
        self.catch_up(sequence);
        let mut options = NimberSet::new(0);
        while sequence.next <= last && self.rare() <= self.limit {
            if options.words() != sequence.words() {
                options = NimberSet::new(sequence.words());
                self.classes = Classes::new(self.classes.mask, sequence.words());
            }
            let n = sequence.next;
            options.clear();
            insert_rare_splits(sequence, n, &self.rare_heaps, &mut options);
            sequence.insert_first_splits(n, FIRST_SPLITS, &mut options);
            let value = self.mex(sequence, n, &mut options);
            self.push(sequence, n, value)?;
        }
        self.next = sequence.next;
        Ok(())
    }

    /// Adds the rare heaps that another method computed.
    fn catch_up(&mut self, sequence: &Sequence<V>) {
        for n in self.next..sequence.next {
            if !self.classes.is_common(n, sequence.g[n].index()) {
                self.rare_heaps.push((n as u32, sequence.g[n]));
            }
        }
    }

    /// Appends the value of the next heap, `n`.
    #[inline(always)]
    fn push(&mut self, sequence: &mut Sequence<V>, n: usize, value: usize) -> Result<(), Overflow> {
        sequence.set(n, value)?;
        if !self.classes.is_common(n, value) {
            self.rare_heaps.push((n as u32, V::new(value)));
        }
        sequence.next = n + 1;
        Ok(())
    }

    /// The value of heap `n`. `options` has the values of its splits with a rare part.
    fn mex(&mut self, sequence: &mut Sequence<V>, n: usize, options: &mut NimberSet) -> usize {
        sequence.insert_unsplit(n, options);
        sequence.work += 64 + options.words() * 8;
        let (any, c) = least_missing(options, self.classes.common(n));
        if any == c { c } else { self.least_rare(sequence, n, c, options).unwrap_or(c) }
    }

    /// The least rare value below `c` that no option of heap `n` has. `options` has the values of some options.
    fn least_rare(
        &mut self,
        sequence: &mut Sequence<V>,
        n: usize,
        c: usize,
        options: &NimberSet,
    ) -> Option<usize> {
        let Self { classes, candidates, .. } = self;
        let rare = classes.common(n).iter().map(|common| !common);
        candidates.clear();
        for value in options.missing_among(rare) {
            if value >= c {
                break;
            }
            candidates.push(value);
        }
        sequence.first_without_split(n, candidates)
    }
}

/// Inserts the splits of heap `n` with the `parts` that are less than `n` − t.
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

/// The least missing value and the least missing common value. A result beyond all words means that nothing is missing.
fn least_missing(options: &NimberSet, common: &[u64]) -> (usize, usize) {
    let end = 64 * common.len();
    let mut any = end;
    for (word, common) in common.iter().enumerate() {
        let missing = options.missing(word);
        if any == end && missing != 0 {
            any = 64 * word + missing.trailing_zeros() as usize;
        }
        if missing & common != 0 {
            return (any, 64 * word + (missing & common).trailing_zeros() as usize);
        }
    }
    (any, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::octal::moves::Moves;

    #[test]
    fn the_worked_example_is_right() {
        let moves = Moves::new(&"0.77".parse().unwrap()).unwrap();
        let mut sequence = Sequence::<u8>::new(moves);
        let mut space = SparseSpace::new(Mask { bits: 7, position: None });
        space.compute(&mut sequence, 10).unwrap();
        assert_eq!(sequence.g[..11], [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2]);
        assert_eq!(space.rare_heaps, [(3, 3), (6, 3)]);
        let mut options = NimberSet::new(1);
        insert_rare_splits(&mut sequence, 11, &space.rare_heaps, &mut options);
        assert_eq!(!options.missing(0), 0b111);
        sequence.insert_unsplit(11, &mut options);
        assert_eq!(!options.missing(0), 0b10111);
        assert_eq!(least_missing(&options, space.classes.common(11)), (3, 7));
        assert_eq!(space.least_rare(&mut sequence, 11, 7, &options), Some(6));
        space.compute(&mut sequence, 11).unwrap();
        assert_eq!(space.rare_heaps.last(), Some(&(11, 6)));
    }
}
