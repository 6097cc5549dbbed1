//! The sparse-space way: exact for any mask; the mask only decides the speed.
//!
//! A common value of heap `n` comes only from splits with exactly one rare part, so marking those is enough to know the least
//! common value `c` that is not a move's. Every rare value below `c` that is not marked needs a witness, a split that gives it;
//! the least one without is the mex, and `n` joins the rare heaps.

use super::lanes::{self, LANES, Lanes, Pivot, Table, Tables, Words};
use super::marks::{Bytes, Marks, Word};
use super::mask::Mask;
use super::state::{Overflow, State};
use super::value::Value;
use super::witness::Witnesses;
use std::ops::Range;

/// The first heaps are worked one by one.
const FIRST: usize = 1024;

/// Of the common heaps, too, so many times the size of the values are marked with.
const EXTRA: usize = 2;

/// A mask and its rare heaps.
pub(super) struct Sparse<V: Value> {
    mask: Mask,
    /// All rare heaps so far with their values, ascending; 0 is not among them.
    rares: Vec<Pivot<V>>,
    /// Bits of the common values, for heaps of each parity.
    common: [Vec<u64>; 2],
    /// Some common heaps: their splits are witnesses of many rare values.
    extra: Vec<Pivot<V>>,
    likely: Witnesses<V>,
    /// Room for the rare values that a heap may have.
    hard: Vec<usize>,
}

impl<V: Value> Sparse<V> {
    /// Starts with the values known so far.
    pub fn new(state: &State<V>, mask: Mask) -> Self {
        let of_class = |class: usize| {
            let g = &state.g[..state.next];
            let all = g.iter().enumerate().skip(1).map(|(n, value)| (n as u32, *value));
            all.filter(move |(n, value)| mask.class(*n as usize, value.index()) == class)
        };
        let rares: Vec<Pivot<V>> = of_class(0).collect();
        let extra = of_class(1)
            .filter(|(n, _)| (LANES..state.next / 4).contains(&(*n as usize)))
            .take((EXTRA * state.size).min(rares.len() / 2).max(LANES))
            .collect();
        let common = [vec![], vec![]];
        Self { mask, extra, rares, common, likely: Witnesses::new(state), hard: vec![] }
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
            let mask = self.mask;
            self.common = [0, 1].map(|heap| {
                let bit = |value| mask.class(heap, value) as u64;
                (0..words).map(|w| (0..64).map(|i| bit(64 * w + i) << i).sum()).collect()
            });
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
                    0x1001..=0x1_0000 => self.tables::<0x1_0000>(state, last, limit)?,
                    _ => self.run(state, last, limit, Bytes::new(words))?,
                }
            }
        }
        Ok(())
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
            self.with_rares(state, n, 0..self.rare(), &mut marks);
            let value = self.finish(state, n, 64, &mut marks);
            self.take(state, n, value)?;
        }
        Ok(())
    }

    /// The same, [`LANES`] heaps at a time: first their splits with every rare heap `r` whose other part lies before the block for every
    /// heap of it and is not empty for any (LANES ≤ r < n − t for the first heap `n`), then the rest heap by heap.
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
            let near = self.rares.partition_point(|(r, _)| (*r as usize) < LANES);
            let far = self.rares.partition_point(|(r, _)| (*r as usize) < start - state.moves.last);
            lanes::mark(lanes, state, start, &self.rares[near..far]);
            lanes::mark(lanes, state, start, &self.extra);
            for i in 0..LANES.min(last + 1 - start) {
                let n = state.next;
                let marks = &mut lanes.lane(i, words);
                self.with_rares(state, n, 0..near, marks);
                self.with_rares(state, n, far..self.rare(), marks);
                let value = self.finish(state, n, 0, marks);
                self.take(state, n, value)?;
                if state.words() != words {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Heap `n` has this value; the next one is the next.
    #[inline]
    fn take(&mut self, state: &mut State<V>, n: usize, value: usize) -> Result<(), Overflow> {
        state.put(n, value)?;
        let known = self.common[n & 1].get(value / 64);
        let common =
            known.map_or_else(|| self.mask.class(n, value), |w| (w >> (value % 64) & 1) as usize);
        if common == 0 {
            self.rares.push((n as u32, V::new(value)));
        }
        state.next = n + 1;
        Ok(())
    }

    /// Marks the splits of heap `n` with some of the rare heaps.
    #[inline]
    fn with_rares(
        &self,
        state: &mut State<V>,
        n: usize,
        some: Range<usize>,
        marks: &mut impl Marks,
    ) {
        for t in &state.moves.two {
            // The other part is not empty: r < n − t.
            let others = &state.g[..n.saturating_sub(*t)];
            let mut end = some.end;
            while end > some.start && self.rares[end - 1].0 as usize >= others.len() {
                end -= 1;
            }
            let some = some.start..end;
            state.work += 4 * some.len();
            for (heap, value) in &self.rares[some] {
                marks.mark(others[others.len() - *heap as usize].index() ^ value.index());
            }
        }
    }

    /// The value of heap `n`, its splits with rare heaps being marked. Some `ones` splits are marked before single values are sought.
    #[inline]
    fn finish(
        &mut self,
        state: &mut State<V>,
        n: usize,
        ones: usize,
        marks: &mut impl Marks,
    ) -> usize {
        let Self { common, likely, hard, .. } = self;
        state.begin(n, marks);
        state.work += 64 + marks.words() * 8;
        let common = &common[n & 1];
        let mut scan = Scan { from: 1, chunk: 16, done: 0 };
        let c = loop {
            let (any, c) = least(marks, common);
            if any == c {
                return c;
            }
            if scan.done >= ones {
                break c;
            }
            if !scan.mark(state, n, marks) {
                return any;
            }
        };
        hard.clear();
        for (word, common) in common.iter().enumerate().take(c / 64 + 1) {
            let below = if word < c / 64 { u64::MAX } else { (1 << (c % 64)) - 1 };
            let mut rare = marks.free(word) & !common & below;
            while rare != 0 {
                hard.push(64 * word + rare.trailing_zeros() as usize);
                rare &= rare - 1;
            }
        }
        state.drop_easy(n, hard);
        hard.retain(|value| !likely.find(state, n, *value));
        state.first_without_split(n, hard).unwrap_or(c)
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

/// All splits of a heap in growing pieces, the digits in turn: a value may have its only witnesses at one of them.
struct Scan {
    from: usize,
    chunk: usize,
    done: usize,
}

impl Scan {
    /// Marks the next piece; `false` where all are marked.
    #[inline]
    fn mark<V: Value>(&mut self, state: &mut State<V>, n: usize, marks: &mut impl Marks) -> bool {
        let mut some = false;
        for i in 0..state.moves.two.len() {
            let left = n.saturating_sub(state.moves.two[i]);
            let to = (self.from + self.chunk).min(left / 2 + 1);
            if self.from < to {
                state.mark_splits(left, self.from, to, marks);
                self.done += to - self.from;
                some = true;
            }
        }
        self.from += self.chunk;
        self.chunk *= 2;
        some
    }
}
