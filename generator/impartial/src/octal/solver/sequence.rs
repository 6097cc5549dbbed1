//! The known part of a nim-sequence, and the operations that all methods share. They insert the values of options
//! without a split and of the first few splits, and search all splits for given values.

use super::split_search;
use crate::nimber::{Nimber, NimberSet};
use crate::octal::moves::Moves;

/// Number of splits of each digit in the first piece that is searched.
const FIRST_PIECE: usize = 512;

/// A value does not fit the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// Values of heaps 0 to `next` − 1, forwards and backwards.
pub(super) struct Sequence<V> {
    pub moves: Moves,
    /// G(n) for every heap `n` below `next`; later entries are meaningless.
    pub g: Vec<V>,
    /// The values backwards: heap `n` is at `reversed.len() − 1 − n`. So both parts of successive splits are read
    /// upwards in memory.
    reversed: Vec<V>,
    /// The next heap to compute.
    pub next: usize,
    /// A power of two above every value so far, and therefore above the xor of any two values.
    pub bound: usize,
    /// Work done so far, in units of about a quarter of a nanosecond.
    pub work: usize,
}

impl<V: Nimber> Sequence<V> {
    /// Creates a sequence that contains only heap 0.
    pub fn new(moves: Moves) -> Self {
        let g = vec![V::default(); 1024];
        Self { moves, reversed: g.clone(), g, next: 1, bound: 1, work: 0 }
    }

    /// The same values in a wider type.
    pub fn widen<W: Nimber>(&self) -> Sequence<W> {
        let mut wide = Sequence::new(self.moves.clone());
        wide.reserve(self.next);
        for value in &self.g[1..self.next] {
            wide.push(value.index()).expect("a wider type holds the value");
        }
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

    /// Stores the value of heap `next`, for which there is room.
    #[inline]
    pub fn push(&mut self, value: usize) -> Result<(), Overflow> {
        let stored = V::try_from(value).map_err(|_| Overflow)?;
        self.g[self.next] = stored;
        let at = self.reversed.len() - 1 - self.next;
        self.reversed[at] = stored;
        if value >= self.bound {
            self.bound = (value + 1).next_power_of_two();
        }
        self.next += 1;
        Ok(())
    }

    /// Number of words of 64 nimbers for all values of options, which are below `bound`.
    pub fn words(&self) -> usize {
        self.bound.div_ceil(64)
    }

    /// Inserts the values of the options of heap `n` that leave at most one heap.
    #[inline]
    pub fn insert_unsplit(&self, n: usize, options: &mut NimberSet) {
        if n <= self.moves.last && self.moves.whole.contains(&n) {
            options.insert(0);
        }
        for t in &self.moves.shrink {
            if *t < n {
                options.insert(self.g[n - t].index());
            }
        }
    }

    /// Inserts the values of the first `count` splits of heap `n` for each digit. Returns true if there are more.
    #[inline]
    pub fn insert_first_splits(&mut self, n: usize, count: usize, options: &mut NimberSet) -> bool {
        let mut more = false;
        for t in self.moves.split.iter().filter(|t| **t < n) {
            let to = (n - t) / 2 + 1;
            more |= to > 1 + count;
            let to = to.min(1 + count);
            let start = self.reversed.len() - 1 - (n - t);
            for (a, b) in self.g[1..to].iter().zip(&self.reversed[start + 1..start + to]) {
                options.insert(a.index() ^ b.index());
            }
            self.work += 4 * to;
        }
        more
    }

    /// Returns true if some split of heap `n` has the value `value`, which may be any number.
    pub fn has_split(&mut self, n: usize, value: usize) -> bool {
        // Every xor is less than `bound`.
        let Some(wanted) = V::try_from(value).ok().filter(|_| value < self.bound) else {
            return false;
        };
        // Searches pieces of growing length, each digit in turn, since perhaps only one digit has a split with the
        // value.
        let (mut from, mut length, mut more) = (1, FIRST_PIECE, true);
        while more {
            more = false;
            for t in &self.moves.split {
                let left = n.saturating_sub(*t);
                let to = (from + length).min(left / 2 + 1);
                if from < to {
                    let start = self.reversed.len() - 1 - left;
                    let second = &self.reversed[start + from..start + to];
                    let searched = split_search::search(&self.g[from..to], second, wanted);
                    self.work += 64 + searched.unwrap_or(to - from) * size_of::<V>() / 10;
                    if searched.is_some() {
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
