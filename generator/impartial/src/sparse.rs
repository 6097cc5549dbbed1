//! The sparse-space way: exact for any mask; the mask only decides the speed.
//!
//! A common value of heap `n` comes only from splits with exactly one rare part, so marking those is enough to know the least
//! common value `c` that is not a move's. Every rare value below `c` that is not marked needs a witness, a split that gives it;
//! the least one without is the mex, and `n` joins the rare heaps.

use super::lanes::{self, LANES, Lanes, Pivot, Table, Tables, Words};
use super::marks::{Bytes, Marks, Word, unmarked};
use super::mask::{Classes, Mask};
use super::sieve::Sieve;
use super::state::{Overflow, State};
use super::value::Value;

/// The first heaps are worked one by one.
const FIRST: usize = 1024;
/// With the first so many splits of each digit.
const EASY: usize = 64;

/// A mask and its rare heaps.
pub(super) struct Sparse<V: Value> {
    /// The next heap to be looked at for its class.
    known: usize,
    /// All rare heaps so far with their values, ascending; 0 is not among them.
    rares: Vec<Pivot<V>>,
    /// The classes of values, as bits for as many words as there are.
    pub classes: Classes,
    /// Of the rare heaps those of use for all heaps of a block at once, and some common ones.
    sieve: Sieve<V>,
    /// Room for the rare values that a heap may have.
    hard: Vec<usize>,
}

impl<V: Value> Sparse<V> {
    /// Without any heaps.
    pub fn new(mask: Mask) -> Self {
        let classes = Classes::new(mask, 0);
        Self { known: 1, rares: vec![], classes, sieve: Sieve::new(), hard: vec![] }
    }

    /// How many heaps are rare.
    pub fn rare(&self) -> usize {
        self.rares.len()
    }

    /// Works heaps from `next` to `last`; fewer when the rare heaps become more than `limit`.
    pub fn work(
        &mut self,
        state: &mut State<V>,
        last: usize,
        limit: usize,
    ) -> Result<(), Overflow> {
        state.reserve(last);
        while state.next <= last && self.rare() <= limit {
            let words = state.words();
            if self.classes.common(0).len() != words {
                self.classes = Classes::new(self.classes.mask, words);
            }
            self.catch_up(state);
            if state.next < FIRST + state.moves.last {
                let end = last.min(FIRST + state.moves.last);
                match words {
                    1 => self.run(state, end, limit, Word(0))?,
                    _ => self.run(state, end, limit, Bytes::new(words))?,
                }
            } else if words == 1 {
                self.blocks(state, last, limit, &mut Words([0; LANES]))?;
            } else {
                // Tables as small as can be: those of a block shall fit into the fastest cache together.
                match state.size {
                    ..=0x100 => self.tables::<0x100>(state, last, limit)?,
                    0x101..=0x400 => self.tables::<0x400>(state, last, limit)?,
                    0x401..=0x800 => self.tables::<0x800>(state, last, limit)?,
                    0x801..=0x1000 => self.tables::<0x1000>(state, last, limit)?,
                    0x1001..=0x2000 => self.tables::<0x2000>(state, last, limit)?,
                    0x2001..=0x1_0000 => self.tables::<0x1_0000>(state, last, limit)?,
                    _ => self.run(state, last, limit, Bytes::new(words))?,
                }
            }
            self.known = state.next;
        }
        Ok(())
    }

    /// Takes in the heaps that were worked in another way.
    fn catch_up(&mut self, state: &State<V>) {
        for n in self.known..state.next {
            if !self.classes.is_common(n, state.g[n].index()) {
                self.rares.push((n as u32, state.g[n]));
            }
        }
    }

    /// The same in blocks, for values below `SIZE`.
    fn tables<const SIZE: usize>(
        &mut self,
        state: &mut State<V>,
        last: usize,
        limit: usize,
    ) -> Result<(), Overflow> {
        let mut tables = Table::<SIZE>::block();
        let tables = tables.first_chunk_mut().expect("as many as were made");
        self.blocks(state, last, limit, &mut Tables(tables))
    }

    /// The same heap by heap, as long as `marks` has room for all values.
    fn run(
        &mut self,
        state: &mut State<V>,
        last: usize,
        limit: usize,
        mut marks: impl Marks,
    ) -> Result<(), Overflow> {
        while state.next <= last && self.rare() <= limit && state.words() == marks.words() {
            let n = state.next;
            marks.clear();
            with_rares(state, n, &self.rares, &mut marks);
            state.mark_first(n, EASY, &mut marks);
            let value = self.finish(state, n, usize::MAX, &mut marks);
            self.take(state, n, value)?;
        }
        Ok(())
    }

    /// The same, [`LANES`] heaps at a time: first their splits with every rare heap `r` whose other part lies before the block for every
    /// heap of it and is not empty for any (LANES ≤ r + t and r < n − t for the first heap `n`), then the rest heap by heap.
    fn blocks(
        &mut self,
        state: &mut State<V>,
        last: usize,
        limit: usize,
        lanes: &mut impl Lanes<V>,
    ) -> Result<(), Overflow> {
        let words = state.words();
        while state.next <= last && self.rare() <= limit && state.words() == words {
            let start = state.next;
            state.reserve(start + LANES);
            lanes.clear(words);
            let near = self.rares.partition_point(|(r, _)| (*r as usize) < lanes::first(state));
            let far = self.rares.partition_point(|(r, _)| (*r as usize) < start - state.moves.last);
            let known = near + self.sieve.len();
            self.sieve.begin(&self.rares[known..far], state, &self.classes);
            for pivots in self.sieve.marked() {
                lanes::mark(lanes, state, start, pivots);
            }
            let sifted = self.sieve.sift(lanes, state, start, &self.classes);
            for i in 0..LANES.min(last + 1 - start) {
                let n = state.next;
                let marks = &mut lanes.lane(i, words);
                let sure = sifted.as_ref().map_or(usize::MAX, |sifted| sifted[i].mark(marks));
                with_rares(state, n, &self.rares[..near], marks);
                with_rares(state, n, &self.rares[far..], marks);
                let value = self.finish(state, n, sure, marks);
                self.take(state, n, value)?;
                if state.words() != words {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Heap `n` has this value; the next one is the next.
    #[inline(always)]
    fn take(&mut self, state: &mut State<V>, n: usize, value: usize) -> Result<(), Overflow> {
        state.put(n, value)?;
        if !self.classes.is_common(n, value) {
            self.rares.push((n as u32, V::new(value)));
        }
        state.next = n + 1;
        Ok(())
    }

    /// The value of heap `n`, its splits with rare heaps being marked as far as they have common values below `sure`.
    #[inline(always)]
    fn finish(
        &mut self,
        state: &mut State<V>,
        n: usize,
        sure: usize,
        marks: &mut impl Marks,
    ) -> usize {
        state.begin(n, marks);
        state.work += 64 + marks.words() * 8;
        let (mut any, mut c) = least(marks, self.classes.common(n));
        if c >= sure {
            with_rares(state, n, self.sieve.rest(), marks);
            self.sieve.miss();
            (any, c) = least(marks, self.classes.common(n));
        }
        if any == c { c } else { self.least_rare(state, n, c, marks).unwrap_or(c) }
    }

    /// The least rare value below `c` that no move of heap `n` has, some of them being marked.
    #[inline(never)]
    fn least_rare(
        &mut self,
        state: &mut State<V>,
        n: usize,
        c: usize,
        marks: &impl Marks,
    ) -> Option<usize> {
        let Self { classes, hard, .. } = self;
        let rare = classes.common(n).iter().map(|common| !common);
        hard.clear();
        hard.extend(unmarked(marks, rare).take_while(|value| *value < c));
        state.first_without_split(n, hard)
    }
}

/// Marks the splits of heap `n` with some heaps, as far as they are less than `n` − t.
#[inline(always)]
fn with_rares<V: Value>(state: &mut State<V>, n: usize, some: &[Pivot<V>], marks: &mut impl Marks) {
    if some.is_empty() {
        return;
    }
    for t in &state.moves.two {
        let left = n.saturating_sub(*t).max(1);
        // From heap 1 on: the other part is not empty.
        let others = &state.g[1..left];
        for (heap, value) in some {
            if let Some(other) = others.get((left - 1).wrapping_sub(*heap as usize)) {
                marks.mark(other.index() ^ value.index());
            }
        }
        state.work += 4 * some.len();
    }
}

/// The least value that is not marked, and the least of those that are common. Each is behind all words where there is none.
#[inline]
fn least(marks: &impl Marks, common: &[u64]) -> (usize, usize) {
    let end = 64 * common.len();
    let mut any = end;
    for (word, common) in common.iter().enumerate() {
        let free = marks.free(word);
        if any == end && free != 0 {
            any = 64 * word + free.trailing_zeros() as usize;
        }
        if free & common != 0 {
            return (any, 64 * word + (free & common).trailing_zeros() as usize);
        }
    }
    (any, end)
}
