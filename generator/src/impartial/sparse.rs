//! The sparse-space way: exact for any mask; the mask only decides the speed.
//!
//! A common value of heap `n` comes only from splits with exactly one rare part, so marking those is enough to know the least
//! common value `c` that is not a move's. Every rare value below `c` that is not marked needs a witness, a split that gives it;
//! the least one without is the mex, and `n` joins the rare heaps.
//!
//! Heaps are worked in blocks of [`BLOCK`]. Inside a block only some rare heaps are marked (the small ones, whose other part may lie in the
//! block itself; the newest; and those that were needed lately): the outcome is a guess. It can only be too small, and only where
//! it is a common value. Then all other rare heaps are held against the guesses of the whole block at once, with
//! vector instructions. The first heap whose guess is refuted is worked again with all rare heaps, and a new block begins
//! behind it. A rare heap `r ≥ n − t`, which has no place in the block's rows, is always marked, never left to the second part.

use super::mask::Mask;
use super::state::{Overflow, State, least};
use super::value::{BLOCK, Value};

/// A rare heap and its value.
#[derive(Clone, Copy, Debug)]
pub struct Rare<V> {
    pub(super) heap: u32,
    pub(super) value: V,
}

/// Up to so many rare heaps are simply all marked.
const FEW: usize = 96;
/// So many are kept because they were needed lately.
const HOT: usize = 48;
/// So many splits are marked one by one in search of a witness, before vector instructions look for one value.
const SCAN: usize = 1024;

/// A mask, its rare heaps, and what is known of their use.
pub(super) struct Sparse<V> {
    pub mask: Mask,
    /// All rare heaps so far, ascending; 0 is not among them.
    pub rares: Vec<Rare<V>>,
    /// Bits of the common values, for heaps of each parity.
    common: [Vec<u64>; 2],
    hot: Vec<Rare<V>>,
    oldest: usize,
    list: Vec<Rare<V>>,
    /// Work done, in steps of about the cost of one mark.
    pub work: usize,
}

impl<V: Value> Sparse<V> {
    /// Starts with the values known so far.
    pub fn new(state: &State<V>, mask: Mask) -> Self {
        let rares: Vec<_> = (1..state.next)
            .filter(|n| mask.class(*n, state.g[*n].index()) == 0)
            .map(|n| Rare { heap: n as u32, value: state.g[n] })
            .collect();
        let hot = rares.iter().filter(|r| r.heap as usize >= BLOCK).take(HOT).copied().collect();
        let mut sparse =
            Self { mask, rares, common: [vec![], vec![]], hot, oldest: 0, list: vec![], work: 0 };
        sparse.resize(state.words());
        sparse
    }

    fn resize(&mut self, words: usize) {
        let mask = self.mask;
        self.common = [0, 1].map(|heap| {
            (0..words)
                .map(|w| (0..64).fold(0, |bits, i| bits | (mask.class(heap, 64 * w + i) as u64) << i))
                .collect()
        });
    }

    /// Works a block of heaps, up to heap `last` at most.
    pub fn step(&mut self, state: &mut State<V>, last: usize) -> Result<(), Overflow> {
        let start = state.next;
        let known = self.rares.len();
        state.reserve(start + BLOCK);
        let done = self.block(state, last);
        if done.is_err() {
            // What the block held was a guess.
            state.next = start;
            self.rares.truncate(known);
        }
        done
    }

    fn block(&mut self, state: &mut State<V>, last: usize) -> Result<(), Overflow> {
        let start = state.next;
        let count = BLOCK.min(last + 1 - start);
        let all = self.rares.len() <= FEW || start < 4 * BLOCK + 2 * state.moves.last;
        // Rare heaps from `near` on and before `tail` are left to the second part.
        let (near, tail) = if all {
            (0, 0)
        } else {
            let oldest = start - state.moves.last;
            let tail = self.rares.partition_point(|r| (r.heap as usize) < oldest);
            (self.rares.partition_point(|r| (r.heap as usize) < BLOCK).min(tail), tail)
        };
        self.list.clear();
        self.list.extend_from_slice(&self.rares[..near]);
        if !all {
            self.list.extend_from_slice(&self.hot);
        }
        self.list.extend_from_slice(&self.rares[tail..]);
        let mut wanted = [V::default(); BLOCK];
        let mut guess = [false; BLOCK];
        for j in 0..count {
            let (value, certain) = self.work_heap(state, start + j);
            let grown = state.put(start + j, value)?;
            if grown {
                self.resize(state.words());
            }
            wanted[j] = state.g[start + j];
            guess[j] = !certain && !all;
            self.join(start + j, wanted[j]);
        }
        let refuted = if near < tail { self.refute(state, start, near..tail, &wanted, &guess) } else { None };
        let Some(j) = refuted.filter(|j| *j < count) else {
            state.next = start + count;
            return Ok(());
        };
        let n = start + j;
        state.next = n;
        let keep = self.rares.partition_point(|r| (r.heap as usize) < n);
        self.rares.truncate(keep);
        self.list.clear();
        self.list.extend_from_slice(&self.rares);
        let (value, _) = self.work_heap(state, n);
        if state.put(n, value)? {
            self.resize(state.words());
        }
        self.join(n, state.g[n]);
        self.heat(state, n, wanted[j].index(), near..tail);
        state.next = n + 1;
        Ok(())
    }

    /// Heap `n` joins the rare heaps if its value is rare.
    fn join(&mut self, n: usize, value: V) {
        if self.mask.class(n, value.index()) == 0 {
            let rare = Rare { heap: n as u32, value };
            self.rares.push(rare);
            self.list.push(rare);
        }
    }

    /// The first lane whose guess is a move's value.
    fn refute(
        &mut self,
        state: &State<V>,
        start: usize,
        rest: std::ops::Range<usize>,
        wanted: &[V; BLOCK],
        guess: &[bool; BLOCK],
    ) -> Option<usize> {
        let mut least = [V::new(usize::MAX); BLOCK];
        for t in &state.moves.two {
            V::refute(&state.g, start - t, &self.rares[rest.clone()], wanted, &mut least);
            self.work += 3 * rest.len() * size_of::<V>();
        }
        (0..BLOCK).find(|j| guess[*j] && least[*j] == V::default())
    }

    /// Remembers the first rare heap that gives `value` for heap `n`.
    fn heat(&mut self, state: &State<V>, n: usize, value: usize, rest: std::ops::Range<usize>) {
        let found = self.rares[rest].iter().find(|r| {
            state.moves.two.iter().any(|t| {
                state.g[n - t - r.heap as usize].index() ^ r.value.index() == value
            })
        });
        if let Some(rare) = found {
            if self.hot.len() < HOT {
                self.hot.push(*rare);
            } else {
                self.hot[self.oldest] = *rare;
                self.oldest = (self.oldest + 1) % HOT;
            }
        }
    }

    /// The value of heap `n` by the rare heaps in the list, and whether it is certain whatever the other rare heaps give.
    fn work_heap(&mut self, state: &mut State<V>, n: usize) -> (usize, bool) {
        state.begin(n);
        self.work += 40 + state.moves.two.len() * self.list.len();
        for i in 0..state.moves.two.len() {
            let t = state.moves.two[i];
            for rare in &self.list {
                let both = t + rare.heap as usize;
                if both < n {
                    state.mark(state.g[n - both].index() ^ rare.value.index());
                }
            }
        }
        let mut split = Splits { digit: 0, from: 1, chunk: 32, done: 0 };
        loop {
            let common = &self.common[n & 1];
            let free = state.free();
            let c = least(free.iter().zip(common).map(|(f, c)| f & c));
            let any = least(free.iter().copied());
            if any >= c {
                return (c, false);
            }
            if split.done < SCAN {
                if !split.mark(state, n) {
                    return (any, true);
                }
                continue;
            }
            self.work += state.moves.two.len() * (n / 64);
            if !state.has_split(n, any) {
                return (any, true);
            }
            state.mark(any);
        }
    }
}

/// All splits of a heap, digit by digit, in growing pieces.
struct Splits {
    digit: usize,
    from: usize,
    chunk: usize,
    done: usize,
}

impl Splits {
    /// Marks the next piece; `false` where all are marked.
    fn mark<V: Value>(&mut self, state: &mut State<V>, n: usize) -> bool {
        while let Some(t) = state.moves.two.get(self.digit) {
            let left = n.saturating_sub(*t);
            let to = (self.from + self.chunk).min(left / 2 + 1);
            if self.from < to {
                state.mark_splits(left, self.from, to);
                self.done += to - self.from;
                self.from = to;
                self.chunk *= 2;
                return true;
            }
            self.digit += 1;
            self.from = 1;
        }
        false
    }
}
