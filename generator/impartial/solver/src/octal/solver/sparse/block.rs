//! Sets of option values, one for each heap of a block. The splits with a part are inserted for all heaps of the block
//! at once.

use crate::mex::{ByteSet, NimberSet, WordSet};
use crate::nimber::Nimber;
use crate::octal::solver::sequence::Sequence;
use morpion_machine::isa::{Kernel, dispatch};

/// Heaps computed at once. The sets of this many heaps fit into the fastest cache.
pub(super) const BLOCK: usize = 16;

/// A heap and its value.
pub(super) type ValuedHeap<V> = (u32, V);

/// A set of option values for each heap of a block.
pub(super) trait BlockSets<V: Nimber> {
    /// One of the sets.
    type Set<'a>: NimberSet
    where
        Self: 'a;
    /// Removes all nimbers below 64 · `words`.
    fn clear(&mut self, words: usize);
    /// Inserts `others[i] ^ value` into the set of each heap `i`.
    fn insert<'a>(&mut self, pairs: impl Iterator<Item = (&'a [V; BLOCK], V)>);
    /// The set of heap `i`, which has `words` words.
    fn set(&mut self, i: usize, words: usize) -> Self::Set<'_>;
}

/// Nimbers below 64, in one word for each heap.
pub(super) struct BlockWords(pub [u64; BLOCK]);

impl<V: Nimber> BlockSets<V> for BlockWords {
    type Set<'a> = WordSet;

    fn clear(&mut self, _: usize) {
        self.0 = [0; BLOCK];
    }

    #[inline(always)]
    fn insert<'a>(&mut self, pairs: impl Iterator<Item = (&'a [V; BLOCK], V)>) {
        // Kept in registers until the end.
        let mut words = self.0;
        for (others, value) in pairs {
            for (word, other) in words.iter_mut().zip(others) {
                *word |= 1 << ((*other ^ value).index() & 63);
            }
        }
        self.0 = words;
    }

    #[inline(always)]
    fn set(&mut self, i: usize, _: usize) -> WordSet {
        WordSet(self.0[i])
    }
}

/// A byte for each nimber below `SIZE`, which must not be 0.
#[derive(Clone)]
pub(super) struct PaddedBytes<const SIZE: usize> {
    bytes: [u8; SIZE],
    /// A cache line of padding, so that the same nimber of neighbouring heaps is in different sets of the fastest
    /// cache.
    _padding: [u8; 64],
}

impl<const SIZE: usize> PaddedBytes<SIZE> {
    /// An empty set for each heap of a block.
    pub fn block() -> Vec<Self> {
        vec![Self { bytes: [0; SIZE], _padding: [0; 64] }; BLOCK]
    }
}

/// Nimbers below `SIZE`, one byte each, for each heap.
pub(super) struct BlockBytes<'a, const SIZE: usize>(pub &'a mut [PaddedBytes<SIZE>; BLOCK]);

impl<V: Nimber, const SIZE: usize> BlockSets<V> for BlockBytes<'_, SIZE> {
    type Set<'a>
        = ByteSet<&'a mut [u8]>
    where
        Self: 'a;

    fn clear(&mut self, words: usize) {
        self.0.iter_mut().for_each(|set| set.bytes[..64 * words].fill(0));
    }

    #[inline(always)]
    fn insert<'a>(&mut self, pairs: impl Iterator<Item = (&'a [V; BLOCK], V)>) {
        for (others, value) in pairs {
            for (set, other) in self.0.iter_mut().zip(others) {
                set.bytes[(*other ^ value).index() % SIZE] = 1;
            }
        }
    }

    #[inline(always)]
    fn set(&mut self, i: usize, words: usize) -> ByteSet<&mut [u8]> {
        ByteSet(&mut self.0[i].bytes[..64 * words])
    }
}

/// The least part for which the other part lies before the block, for every heap of the block and every number taken.
pub(super) fn least_part<V>(sequence: &Sequence<V>) -> usize {
    BLOCK.saturating_sub(sequence.moves.split[0]).max(1)
}

/// Inserts the splits with all `parts` into the sets of the heaps from `start` on. The other parts must be known: each
/// part is less than `start − t` and at least [`least_part`].
pub(super) fn insert_splits<V: Nimber>(
    sets: &mut impl BlockSets<V>,
    sequence: &mut Sequence<V>,
    start: usize,
    parts: &[ValuedHeap<V>],
) {
    if parts.is_empty() {
        return;
    }
    sequence.work += sequence.moves.split.len() * parts.len() * BLOCK;
    dispatch(InsertSplits { sets, sequence, start, parts });
}

struct InsertSplits<'a, V, S> {
    sets: &'a mut S,
    sequence: &'a Sequence<V>,
    start: usize,
    parts: &'a [ValuedHeap<V>],
}

impl<V: Nimber, S: BlockSets<V>> Kernel for InsertSplits<'_, V, S> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Self { sets, sequence, start, parts } = self;
        for t in &sequence.moves.split {
            sets.insert(parts.iter().map(|(heap, value)| {
                let others = sequence.g[start - t - *heap as usize..].first_chunk();
                (others.expect("the values before the block"), *value)
            }));
        }
    }
}
