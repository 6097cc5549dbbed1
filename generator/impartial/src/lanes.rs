//! Marks for a block of heaps side by side: one pass over some rare heaps marks their splits for all heaps of the block.

use super::marks::{Bytes, Marks, Word};
use super::state::State;
use super::value::Value;
use morpion_machine::isa::{Isa, Kernel, dispatch};

/// Heaps worked at once: as many as the fastest cache has room for.
pub(super) const LANES: usize = 16;

/// A heap and its value, whose splits with other heaps are marked.
pub(super) type Pivot<V> = (u32, V);

/// A set of values for each heap of a block.
pub(super) trait Lanes<V: Value> {
    /// One of the sets.
    type Lane<'a>: Marks
    where
        Self: 'a;
    /// Forgets all values below 64 · `words`.
    fn clear(&mut self, words: usize);
    /// Takes in `others[i] ^ value` for each heap `i`.
    fn mark<'a>(&mut self, pairs: impl Iterator<Item = (&'a [V; LANES], V)>);
    /// The set of heap `i`, of `words` words.
    fn lane(&mut self, i: usize, words: usize) -> Self::Lane<'_>;
}

/// Values below 64, each heap's in a word.
pub(super) struct Words(pub [u64; LANES]);

impl<V: Value> Lanes<V> for Words {
    type Lane<'a> = Word;

    fn clear(&mut self, _: usize) {
        self.0 = [0; LANES];
    }

    #[inline(always)]
    fn mark<'a>(&mut self, pairs: impl Iterator<Item = (&'a [V; LANES], V)>) {
        // In registers until the end.
        let mut words = self.0;
        for (others, value) in pairs {
            for (word, other) in words.iter_mut().zip(others) {
                *word |= 1 << ((*other ^ value).index() & 63);
            }
        }
        self.0 = words;
    }

    #[inline(always)]
    fn lane(&mut self, i: usize, _: usize) -> Word {
        Word(self.0[i])
    }
}

/// A byte for each value below `SIZE`, which is not 0.
#[derive(Clone)]
pub(super) struct Table<const SIZE: usize> {
    bytes: [u8; SIZE],
    /// Keeps equal values of neighbouring tables out of the same set of the fastest cache.
    _line: [u8; 64],
}

impl<const SIZE: usize> Table<SIZE> {
    /// No value, once for each heap of a block.
    pub fn block() -> Vec<Self> {
        vec![Self { bytes: [0; SIZE], _line: [0; 64] }; LANES]
    }
}

/// Values below `SIZE`, a byte each.
pub(super) struct Tables<'a, const SIZE: usize>(pub &'a mut [Table<SIZE>; LANES]);

impl<V: Value, const SIZE: usize> Lanes<V> for Tables<'_, SIZE> {
    type Lane<'a>
        = Bytes<&'a mut [u8]>
    where
        Self: 'a;

    fn clear(&mut self, words: usize) {
        self.0.iter_mut().for_each(|table| table.bytes[..64 * words].fill(0));
    }

    #[inline(always)]
    fn mark<'a>(&mut self, pairs: impl Iterator<Item = (&'a [V; LANES], V)>) {
        for (others, value) in pairs {
            for (table, other) in self.0.iter_mut().zip(others) {
                table.bytes[(*other ^ value).index() % SIZE] = 1;
            }
        }
    }

    #[inline(always)]
    fn lane(&mut self, i: usize, words: usize) -> Bytes<&mut [u8]> {
        Bytes(&mut self.0[i].bytes[..64 * words])
    }
}

/// The least pivot with which the other part lies before the block for every heap of it, whatever is taken.
pub(super) fn first<V>(state: &State<V>) -> usize {
    LANES.saturating_sub(state.moves.two[0]).max(1)
}

/// Marks the splits of the heaps from `start` on, one for each lane, with all pivots. The other parts are known: no pivot is as great as
/// `start − t`, none is less than [`first`].
pub(super) fn mark<V: Value>(
    lanes: &mut impl Lanes<V>,
    state: &mut State<V>,
    start: usize,
    pivots: &[Pivot<V>],
) {
    if pivots.is_empty() {
        return;
    }
    state.work += state.moves.two.len() * pivots.len() * LANES;
    dispatch(Isa::detect(), Mark { lanes, state, start, pivots });
}

struct Mark<'a, V, L> {
    lanes: &'a mut L,
    state: &'a State<V>,
    start: usize,
    pivots: &'a [Pivot<V>],
}

impl<V: Value, L: Lanes<V>> Kernel for Mark<'_, V, L> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Self { lanes, state, start, pivots } = self;
        for t in &state.moves.two {
            lanes.mark(pivots.iter().map(|(heap, value)| {
                let others = state.g[start - t - *heap as usize..].first_chunk();
                (others.expect("the values before the block"), *value)
            }));
        }
    }
}
