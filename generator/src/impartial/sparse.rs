//! The sparse-space way: exact for any mask; the mask only decides the speed.
//!
//! A common value of heap `n` comes only from splits with exactly one rare part, so marking those is enough to know the least
//! common value `c` that is not a move's. Every rare value below `c` that is not marked needs a witness, a split that gives it;
//! the least one without is the mex, and `n` joins the rare heaps.

use super::marks::{Bytes, Marks, Word};
use super::mask::Mask;
use super::state::{Overflow, State};
use super::value::Value;
use super::witness::Witnesses;
use std::ops::Range;

/// Heaps worked at once where many are rare: as many as the fastest cache has room for.
const LANES: usize = 16;
const FEW_LANES: usize = 8;
/// With so many rare heaps it is worth while.
const MANY: usize = 256;
/// Then so many times the size of the values are the common heaps whose splits are marked, too; at most half as many as are rare.
const EXTRA: usize = 4;

/// A mask and its rare heaps.
pub(super) struct Sparse<V> {
    mask: Mask,
    /// All rare heaps so far, ascending; 0 is not among them.
    heaps: Vec<u32>,
    /// Their values.
    values: Vec<V>,
    /// Bits of the common values, for heaps of each parity.
    common: [Vec<u64>; 2],
    /// Some common heaps: their splits are witnesses of many rare values.
    extra: Vec<(u32, V)>,
    likely: Witnesses<V>,
}

impl<V: Value> Sparse<V> {
    /// Starts with the values known so far.
    pub fn new(state: &State<V>, mask: Mask) -> Self {
        let (heaps, values): (Vec<u32>, Vec<V>) = (1..state.next)
            .filter(|n| mask.class(*n, state.g[*n].index()) == 0)
            .map(|n| (n as u32, state.g[n]))
            .unzip();
        let extra = (LANES..state.next / 4)
            .filter(|n| mask.class(*n, state.g[*n].index()) == 1)
            .take((EXTRA * state.size).min(heaps.len() / 2))
            .map(|n| (n as u32, state.g[n]))
            .collect();
        Self { mask, extra, heaps, values, common: [vec![], vec![]], likely: Witnesses::new(state) }
    }

    /// How many heaps are rare.
    pub fn rare(&self) -> usize {
        self.heaps.len()
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
            if words == 1 {
                self.run(state, last, limit, Word::new())?;
            } else if self.rare() < MANY {
                self.run(state, last, limit.min(MANY), Bytes::new(words))?;
            } else if state.next < 4 * MANY + state.moves.last {
                self.run(state, last, limit, Bytes::new(words))?;
            } else {
                match words {
                    2 => self.blocks::<128, LANES>(state, last, limit)?,
                    4 => self.blocks::<256, LANES>(state, last, limit)?,
                    8 => self.blocks::<512, LANES>(state, last, limit)?,
                    16 => self.blocks::<1024, LANES>(state, last, limit)?,
                    32 => self.blocks::<2048, FEW_LANES>(state, last, limit)?,
                    64 => self.blocks::<4096, FEW_LANES>(state, last, limit)?,
                    _ => self.run(state, last, limit, Bytes::new(words))?,
                }
            }
        }
        Ok(())
    }

    /// The same, as long as `marks` has room for all values.
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
            self.with_rares(state, n, 0..self.heaps.len(), &mut marks);
            let value = self.finish(state, n, 64, &mut marks);
            self.take(state, n, value)?;
        }
        Ok(())
    }

    /// The same, [`LANES`] heaps at a time: first all their splits with a rare heap `r` whose other part lies before the block for every
    /// heap of it and is not empty for any (LANES ≤ r < n − t for the first heap `n`), then the rest heap by heap.
    fn blocks<const SIZE: usize, const LANES: usize>(
        &mut self,
        state: &mut State<V>,
        last: usize,
        limit: usize,
    ) -> Result<(), Overflow> {
        let mut marks = vec![[0_u8; SIZE]; LANES];
        let lanes: &mut [[u8; SIZE]; LANES] =
            marks.as_mut_slice().try_into().expect("as many as were made");
        while state.next <= last && self.rare() <= limit && 64 * state.words() == SIZE {
            let start = state.next;
            state.reserve(start + LANES);
            let near = self.heaps.partition_point(|r| (*r as usize) < LANES);
            let tail = self.heaps.partition_point(|r| (*r as usize) < start - state.moves.last);
            lanes.as_flattened_mut().fill(0);
            state.work += state.moves.two.len() * (tail - near + self.extra.len()) * LANES;
            for t in &state.moves.two {
                let rares = self.heaps[near..tail]
                    .iter()
                    .copied()
                    .zip(self.values[near..tail].iter().copied());
                for (heap, value) in rares.chain(self.extra.iter().copied()) {
                    let others: &[V; LANES] = state.g[start - t - heap as usize..]
                        .first_chunk()
                        .expect("the values before the block");
                    for (lane, other) in lanes.iter_mut().zip(others) {
                        // Every xor is below SIZE / 2.
                        lane[(other.index() ^ value.index()) % SIZE] = 1;
                    }
                }
            }
            for lane in lanes.iter_mut().take(last + 1 - start) {
                let n = state.next;
                let mut marks = Bytes::borrowed(lane.as_mut_slice());
                self.with_rares(state, n, 0..near, &mut marks);
                self.with_rares(state, n, tail..self.heaps.len(), &mut marks);
                let value = self.finish(state, n, 0, &mut marks);
                self.take(state, n, value)?;
                if 64 * state.words() != SIZE {
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
        if self.mask.class(n, value) == 0 {
            self.heaps.push(n as u32);
            self.values.push(V::new(value));
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
            while end > some.start && self.heaps[end - 1] as usize >= others.len() {
                end -= 1;
            }
            let some = some.start..end;
            state.work += 4 * some.len();
            for (heap, value) in self.heaps[some.clone()].iter().zip(&self.values[some]) {
                marks.mark(others[others.len() - *heap as usize].index() ^ value.index());
            }
        }
    }

    /// The value of heap `n`, its splits with rare heaps being marked. Some `ones` splits are marked before single values are sought.
    #[inline]
    fn finish(&self, state: &mut State<V>, n: usize, ones: usize, marks: &mut impl Marks) -> usize {
        state.begin(n, marks);
        state.work += 64 + marks.words() * 8;
        let common = &self.common[n & 1];
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
        let mut hard = Vec::new();
        for (word, common) in common.iter().enumerate().take(c / 64 + 1) {
            let below = if word < c / 64 { u64::MAX } else { (1 << (c % 64)) - 1 };
            let mut rare = marks.free(word) & !common & below;
            while rare != 0 {
                let value = 64 * word + rare.trailing_zeros() as usize;
                rare &= rare - 1;
                if !self.likely.find(state, n, value) {
                    hard.push(value);
                }
            }
        }
        state.first_without_split(n, &hard).unwrap_or(c)
    }
}

/// The least value that is not marked, and the least of those that are common. The second is behind all words where there is none.
#[inline]
fn least(marks: &impl Marks, common: &[u64]) -> (usize, usize) {
    let mut any = usize::MAX;
    for (word, common) in common.iter().enumerate() {
        let free = marks.free(word);
        if any == usize::MAX && free != 0 {
            any = 64 * word + free.trailing_zeros() as usize;
        }
        if free & common != 0 {
            return (any, 64 * word + (free & common).trailing_zeros() as usize);
        }
    }
    (any, 64 * common.len())
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
