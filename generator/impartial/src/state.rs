//! The values so far: what all ways of working share.

use super::kernel;
use super::marks::Marks;
use super::moves::Moves;
use super::value::Value;

/// So many splits of each digit are looked at first.
const FIRST_PIECE: usize = 512;

/// A value that does not fit the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// Values of heaps 0 to `next` − 1, forwards and backwards.
pub(super) struct State<V> {
    pub moves: Moves,
    /// Values by heap; longer than `next`, what is beyond means nothing.
    pub g: Vec<V>,
    /// The same backwards: heap `n` at `reversed.len() − 1 − n`, so that the second parts of a heap's splits lie in a row.
    reversed: Vec<V>,
    /// The next heap to work.
    pub next: usize,
    /// A power of two above every value so far, and so above every xor of two.
    pub size: usize,
    /// Work done so far, in about a quarter of a nanosecond.
    pub work: usize,
}

impl<V: Value> State<V> {
    pub fn new(moves: Moves) -> Self {
        let g = vec![V::default(); 1024];
        Self { moves, reversed: g.clone(), g, next: 1, size: 1, work: 0 }
    }

    /// The same values in a wider type.
    pub fn widen<W: Value>(&self) -> State<W> {
        let mut wide = State::new(self.moves.clone());
        wide.reserve(self.next);
        for n in 1..self.next {
            wide.put(n, self.g[n].index()).expect("a wider type holds the value");
        }
        wide.next = self.next;
        wide.work = self.work;
        wide
    }

    /// Makes room for heaps up to `last`.
    pub fn reserve(&mut self, last: usize) {
        if last >= self.g.len() {
            let len = (last + 1).next_power_of_two();
            self.g.resize(len, V::default());
            let mut reversed = vec![V::default(); len];
            reversed[len - self.reversed.len()..].copy_from_slice(&self.reversed);
            self.reversed = reversed;
        }
    }

    /// Writes the value of heap `n`.
    pub fn put(&mut self, n: usize, value: usize) -> Result<(), Overflow> {
        if value >> V::BITS != 0 {
            return Err(Overflow);
        }
        self.g[n] = V::new(value);
        let at = self.reversed.len() - 1 - n;
        self.reversed[at] = V::new(value);
        if value >= self.size {
            self.size = (value + 1).next_power_of_two();
        }
        Ok(())
    }

    /// How many words of marks hold all values below `size`: all that a move may have.
    pub fn words(&self) -> usize {
        self.size.div_ceil(64)
    }

    /// Marks the moves of heap `n` that leave no heap or one.
    #[inline]
    pub fn begin(&self, n: usize, marks: &mut impl Marks) {
        if n <= self.moves.last && self.moves.all.contains(&n) {
            marks.mark(0);
        }
        for t in &self.moves.one {
            if *t < n {
                marks.mark(self.g[n - t].index());
            }
        }
    }

    /// Marks the first `count` splits of heap `n` for each digit; whether there are more.
    #[inline]
    pub fn mark_first(&mut self, n: usize, count: usize, marks: &mut impl Marks) -> bool {
        let mut more = false;
        for t in self.moves.two.iter().filter(|t| **t < n) {
            let to = (n - t) / 2 + 1;
            more |= to > 1 + count;
            let to = to.min(1 + count);
            let start = self.reversed.len() - 1 - (n - t);
            for (a, b) in self.g[1..to].iter().zip(&self.reversed[start + 1..start + to]) {
                marks.mark(a.index() ^ b.index());
            }
            self.work += 4 * to;
        }
        more
    }

    /// Whether some split of heap `n` into two parts has the value `value` (which may be any number).
    pub fn has_split(&mut self, n: usize, value: usize) -> bool {
        self.first_without_split(n, &[value]).is_none()
    }

    /// The first of `values`, ascending, that no split of heap `n` into two parts has.
    pub fn first_without_split(&mut self, n: usize, values: &[usize]) -> Option<usize> {
        for four in values.chunks(4) {
            let found = self.search(n, four);
            if let Some(i) = (0..four.len()).find(|i| found >> i & 1 == 0) {
                return Some(four[i]);
            }
        }
        None
    }

    /// Which of at most four values, ascending, some split of heap `n` into two parts has, as bits.
    fn search(&mut self, n: usize, values: &[usize]) -> u32 {
        // No xor is as great as `size`.
        let small = values.partition_point(|value| *value < self.size);
        match values[..small] {
            [] => 0,
            [a] => self.search_all(n, [a].map(V::new)),
            [a, b] => self.search_all(n, [a, b].map(V::new)),
            [a, b, c] => self.search_all(n, [a, b, c].map(V::new)),
            [a, b, c, d, ..] => self.search_all(n, [a, b, c, d].map(V::new)),
        }
    }

    fn search_all<const COUNT: usize>(&mut self, n: usize, wanted: [V; COUNT]) -> u32 {
        let mut found = 0;
        // In growing pieces, the digits in turn: a value may have its only witnesses at one of them.
        let (mut from, mut length, mut more) = (1, FIRST_PIECE, true);
        while more {
            more = false;
            for t in &self.moves.two {
                let left = n.saturating_sub(*t);
                let to = (from + length).min(left / 2 + 1);
                if from < to {
                    let start = self.reversed.len() - 1 - left;
                    let second = &self.reversed[start + from..start + to];
                    let (now, seen) = kernel::search(&self.g[from..to], second, wanted, found);
                    found = now;
                    self.work += 64 + seen * size_of::<V>() / 10;
                    if found + 1 == 1 << COUNT {
                        return found;
                    }
                    more = true;
                }
            }
            from += length;
            length *= 8;
        }
        found
    }
}
