//! The values so far, and the marks of one heap: what all ways of working share.

use super::moves::Moves;
use super::value::Value;

/// A value that does not fit the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// Values of heaps 0 to `next` − 1, forwards and backwards, with the scratch space of one heap.
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
    /// Not 0 where a value is known to be that of a move; `2 * size` long at least, a multiple of 64.
    seen: Vec<u8>,
    /// The same as bits, set where not seen.
    free: Vec<u64>,
}

impl<V: Value> State<V> {
    pub fn new(moves: Moves) -> Self {
        let g = vec![V::default(); 1024];
        let mut state =
            Self { moves, reversed: g.clone(), g, next: 1, size: 1, seen: Vec::new(), free: Vec::new() };
        state.resize();
        state
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

    fn resize(&mut self) {
        let len = (2 * self.size).max(64);
        self.seen = vec![0; len];
        self.free = vec![0; len / 64];
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

    /// Writes the value of heap `n`; says whether `size` has grown.
    pub fn put(&mut self, n: usize, value: usize) -> Result<bool, Overflow> {
        if value >> V::BITS != 0 {
            return Err(Overflow);
        }
        self.g[n] = V::new(value);
        let at = self.reversed.len() - 1 - n;
        self.reversed[at] = V::new(value);
        let grown = value >= self.size;
        if grown {
            self.size = (value + 1).next_power_of_two();
            self.resize();
        }
        Ok(grown)
    }

    /// How many words the bits of all values have.
    pub fn words(&self) -> usize {
        self.free.len()
    }

    /// Forgets the marks and marks the moves of heap `n` that leave no heap or one.
    pub fn begin(&mut self, n: usize) {
        self.seen.fill(0);
        if self.moves.all.contains(&n) {
            self.seen[0] = 1;
        }
        for t in &self.moves.one {
            if *t < n {
                self.seen[self.g[n - t].index()] = 1;
            }
        }
    }

    #[inline]
    pub fn mark(&mut self, value: usize) {
        self.seen[value] = 1;
    }

    /// Marks `G(a) ^ G(left − a)` for `a` in `from..to`; `to` at most `left / 2 + 1`.
    pub fn mark_splits(&mut self, left: usize, from: usize, to: usize) {
        let start = self.reversed.len() - 1 - left;
        for (a, b) in self.g[from..to].iter().zip(&self.reversed[start + from..start + to]) {
            self.seen[a.index() ^ b.index()] = 1;
        }
    }

    /// Whether some split of heap `n` into two parts has the value `value` (which may be any number).
    pub fn has_split(&self, n: usize, value: usize) -> bool {
        if value >= self.size {
            return false;
        }
        self.moves.two.iter().filter(|t| **t + 1 < n).any(|t| {
            let left = n - t;
            let (from, to) = (1, left / 2 + 1);
            let start = self.reversed.len() - 1 - left;
            V::found(&self.g[from..to], &self.reversed[start + from..start + to], V::new(value))
        })
    }

    /// The values not seen, as bits.
    pub fn free(&mut self) -> &[u64] {
        for (word, bytes) in self.free.iter_mut().zip(self.seen.as_chunks::<64>().0) {
            let mut bits = 0;
            for (i, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
                // Eight bytes of 0 or 1 to eight bits.
                let packed = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                bits |= packed << (8 * i);
            }
            *word = !bits;
        }
        &self.free
    }

    /// The least value not seen.
    pub fn mex(&mut self) -> usize {
        least(self.free().iter().copied())
    }
}

/// The index of the least bit set; behind the last one where there is none.
pub(super) fn least(words: impl IntoIterator<Item = u64>) -> usize {
    let mut at = 0;
    for word in words {
        if word != 0 {
            return at + word.trailing_zeros() as usize;
        }
        at += 64;
    }
    at
}
