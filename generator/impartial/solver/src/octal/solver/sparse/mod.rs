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

mod block;
mod mask;
mod part_order;
mod parts;
mod witness;

pub(super) use mask::Histogram;
pub use mask::Mask;

use super::sequence::{Overflow, Sequence};
use crate::mex::{ByteSet, NimberSet, missing_among};
use crate::nimber::Nimber;
use block::{
    BLOCK, BlockBytes, BlockSets, BlockWords, PaddedBytes, ValuedHeap, insert_splits, least_part,
};
use mask::Classes;
use parts::BlockParts;

/// Heaps that are computed one by one. Later heaps are computed in blocks.
const FIRST: usize = 1024;
/// Splits of each digit that are inserted for these heaps, in addition to the splits with rare parts.
const FIRST_SPLITS: usize = 64;

/// A mask and its rare heaps.
pub(super) struct SparseSpace<V: Nimber> {
    /// The number of rare heaps above which no more heaps are computed.
    pub limit: usize,
    /// The first heap that `rare_heaps` does not cover yet.
    next: usize,
    /// All rare heaps so far with their values, ascending, without heap 0.
    rare_heaps: Vec<ValuedHeap<V>>,
    /// The classes of values, with bits for all values that a word set can contain.
    classes: Classes,
    /// The parts that are inserted for all heaps of a block: rare heaps, and some common ones.
    parts: BlockParts<V>,
    /// Buffer for the rare values that need a witness.
    candidates: Vec<usize>,
}

impl<V: Nimber> SparseSpace<V> {
    /// Creates a space without heaps.
    pub fn new(mask: Mask) -> Self {
        let classes = Classes::new(mask, 0);
        Self {
            limit: usize::MAX,
            next: 1,
            rare_heaps: vec![],
            classes,
            parts: BlockParts::new(),
            candidates: vec![],
        }
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
        while sequence.next <= last && self.rare() <= self.limit {
            let words = sequence.words();
            if self.classes.common(0).len() != words {
                self.classes = Classes::new(self.classes.mask, words);
            }
            self.catch_up(sequence);
            let blocks_from = FIRST + sequence.moves.last;
            if sequence.next < blocks_from {
                self.heap_by_heap(sequence, last.min(blocks_from))?;
            } else {
                self.in_fitting_blocks(sequence, last)?;
            }
            self.next = sequence.next;
        }
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

    /// Computes heaps like [`SparseSpace::compute`], one by one, while the sets have as many words.
    fn heap_by_heap(&mut self, sequence: &mut Sequence<V>, last: usize) -> Result<(), Overflow> {
        let mut options = ByteSet::new(sequence.words());
        while sequence.next <= last
            && self.rare() <= self.limit
            && sequence.words() == options.words()
        {
            let n = sequence.next;
            options.clear();
            insert_splits_of_one(sequence, n, &self.rare_heaps, &mut options);
            sequence.insert_first_splits(n, FIRST_SPLITS, &mut options);
            let value = self.mex(sequence, n, usize::MAX, &mut options);
            self.push(sequence, n, value)?;
        }
        Ok(())
    }

    /// Calls [`SparseSpace::in_blocks`] with the smallest sets that hold all values, so that a block fits into the fastest
    /// cache. Every set is compiled for every instruction set, so a type has only the sets that narrower types do not
    /// have. Values above 2^16 are so rare that heaps are computed one by one.
    fn in_fitting_blocks(
        &mut self,
        sequence: &mut Sequence<V>,
        last: usize,
    ) -> Result<(), Overflow> {
        if const { V::BITS == 8 } {
            match sequence.words() {
                1 => self.in_blocks(sequence, last, &mut BlockWords([0; BLOCK])),
                _ => self.in_blocks_below::<0x100>(sequence, last),
            }
        } else if const { V::BITS == 16 } {
            match sequence.bound {
                ..=0x400 => self.in_blocks_below::<0x400>(sequence, last),
                0x401..=0x800 => self.in_blocks_below::<0x800>(sequence, last),
                0x801..=0x1000 => self.in_blocks_below::<0x1000>(sequence, last),
                0x1001..=0x2000 => self.in_blocks_below::<0x2000>(sequence, last),
                _ => self.in_blocks_below::<0x1_0000>(sequence, last),
            }
        } else {
            self.heap_by_heap(sequence, last)
        }
    }

    /// Calls [`SparseSpace::in_blocks`] with sets of values below `SIZE`.
    fn in_blocks_below<const SIZE: usize>(
        &mut self,
        sequence: &mut Sequence<V>,
        last: usize,
    ) -> Result<(), Overflow> {
        let mut sets = PaddedBytes::<SIZE>::block();
        let sets = sets.first_chunk_mut().expect("a set for each heap of a block");
        self.in_blocks(sequence, last, &mut BlockBytes(sets))
    }

    /// Computes heaps like [`SparseSpace::compute`], [`BLOCK`] heaps at a time. The splits with most rare heaps are
    /// inserted for the whole block at once, and all other splits heap by heap. Let `n` be the first heap of the block. A
    /// rare heap `r` belongs to the block's parts if BLOCK ≤ `r` + `t` and `r` < `n` − `t` for every digit `t` that splits.
    /// Then the other part is known and not empty for all heaps of the block.
    fn in_blocks(
        &mut self,
        sequence: &mut Sequence<V>,
        last: usize,
        sets: &mut impl BlockSets<V>,
    ) -> Result<(), Overflow> {
        let words = sequence.words();
        while sequence.next <= last && self.rare() <= self.limit && sequence.words() == words {
            let start = sequence.next;
            sequence.reserve(start + BLOCK);
            sets.clear(words);
            let near =
                self.rare_heaps.partition_point(|(r, _)| (*r as usize) < least_part(sequence));
            let far = self
                .rare_heaps
                .partition_point(|(r, _)| (*r as usize) < start - sequence.moves.last);
            let known = near + self.parts.rare();
            self.parts.begin_block(&self.rare_heaps[known..far], sequence, &self.classes);
            for parts in self.parts.inserted() {
                insert_splits(sets, sequence, start, parts);
            }
            let witnesses = self.parts.scan(sets, sequence, start, &self.classes);
            for i in 0..BLOCK.min(last + 1 - start) {
                let n = sequence.next;
                let options = &mut sets.set(i, words);
                let complete_below =
                    witnesses.as_ref().map_or(usize::MAX, |found| found[i].insert_into(options));
                insert_splits_of_one(sequence, n, &self.rare_heaps[..near], options);
                insert_splits_of_one(sequence, n, &self.rare_heaps[far..], options);
                let value = self.mex(sequence, n, complete_below, options);
                self.push(sequence, n, value)?;
                if sequence.words() != words {
                    break;
                }
            }
        }
        Ok(())
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

    /// The value of heap `n`. `options` has all common values below `complete_below` of its splits with a rare part.
    #[inline(always)]
    fn mex(
        &mut self,
        sequence: &mut Sequence<V>,
        n: usize,
        complete_below: usize,
        options: &mut impl NimberSet,
    ) -> usize {
        sequence.insert_unsplit(n, options);
        sequence.work += 64 + options.words() * 8;
        let (mut any, mut c) = least_missing(options, self.classes.common(n));
        if c >= complete_below {
            insert_splits_of_one(sequence, n, self.parts.scanned(), options);
            self.parts.count_miss();
            (any, c) = least_missing(options, self.classes.common(n));
        }
        if any == c { c } else { self.least_rare(sequence, n, c, options).unwrap_or(c) }
    }

    /// The least rare value below `c` that no option of heap `n` has. `options` has the values of some options.
    #[inline(never)]
    fn least_rare(
        &mut self,
        sequence: &mut Sequence<V>,
        n: usize,
        c: usize,
        options: &impl NimberSet,
    ) -> Option<usize> {
        let Self { classes, candidates, .. } = self;
        let rare = classes.common(n).iter().map(|common| !common);
        candidates.clear();
        for value in missing_among(options, rare) {
            if value >= c {
                break;
            }
            candidates.push(value);
        }
        sequence.first_without_split(n, candidates)
    }
}

/// Inserts the splits of heap `n` with the `parts` that are less than `n` − t.
#[inline(always)]
fn insert_splits_of_one<V: Nimber>(
    sequence: &mut Sequence<V>,
    n: usize,
    parts: &[ValuedHeap<V>],
    options: &mut impl NimberSet,
) {
    if parts.is_empty() {
        return;
    }
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
#[inline]
fn least_missing(options: &impl NimberSet, common: &[u64]) -> (usize, usize) {
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
    use crate::mex::WordSet;
    use crate::octal::moves::Moves;

    #[test]
    fn the_worked_example_is_right() {
        let moves = Moves::new(&"0.77".parse().unwrap()).unwrap();
        let mut sequence = Sequence::<u8>::new(moves);
        let mut space = SparseSpace::new(Mask { bits: 7, position: None });
        space.compute(&mut sequence, 10).unwrap();
        assert_eq!(sequence.g[..11], [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2]);
        assert_eq!(space.rare_heaps, [(3, 3), (6, 3)]);
        let mut options = WordSet(0);
        insert_splits_of_one(&mut sequence, 11, &space.rare_heaps, &mut options);
        assert_eq!(options.0, 0b111);
        sequence.insert_unsplit(11, &mut options);
        assert_eq!(options.0, 0b10111);
        assert_eq!(least_missing(&options, space.classes.common(11)), (3, 7));
        assert_eq!(space.least_rare(&mut sequence, 11, 7, &options), Some(6));
        space.compute(&mut sequence, 11).unwrap();
        assert_eq!(space.rare_heaps.last(), Some(&(11, 6)));
    }
}
