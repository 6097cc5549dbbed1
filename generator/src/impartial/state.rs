//! The values so far: what all ways of working share.

use super::marks::Marks;
use super::moves::Moves;
use super::value::Value;

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

    /// How many words of marks hold all values below twice `size`: all that a move may have, and at least as many that none has.
    pub fn words(&self) -> usize {
        (2 * self.size).div_ceil(64)
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

    /// Marks `G(a) ^ G(left − a)` for `a` in `from..to`; `to` at most `left / 2 + 1`.
    #[inline]
    pub fn mark_splits(&mut self, left: usize, from: usize, to: usize, marks: &mut impl Marks) {
        let start = self.reversed.len() - 1 - left;
        for (a, b) in self.g[from..to].iter().zip(&self.reversed[start + from..start + to]) {
            marks.mark(a.index() ^ b.index());
        }
        self.work += 4 * (to - from);
    }

    /// Whether some split of heap `n` into two parts has the value `value` (which may be any number).
    pub fn has_split(&mut self, n: usize, value: usize) -> bool {
        if value >= self.size {
            return false;
        }
        // In growing pieces, the digits in turn: a value may have its only witnesses at one of them.
        let (mut from, mut length, mut more) = (1, 512, true);
        while more {
            more = false;
            for t in &self.moves.two {
                let left = n.saturating_sub(*t);
                let to = (from + length).min(left / 2 + 1);
                if from < to {
                    let start = self.reversed.len() - 1 - left;
                    let second = &self.reversed[start + from..start + to];
                    let seen = V::search(&self.g[from..to], second, V::new(value));
                    self.work += 64 + seen.unwrap_or(to - from) * size_of::<V>() / 10;
                    if seen.is_some() {
                        return true;
                    }
                    more = true;
                }
            }
            from += length;
            length *= 8;
        }
        false
    }
}
