//! Parts of splits that all heaps of a block share. The splits of some parts are inserted, and the splits of others are
//! only searched.
//!
//! `part_order` sorts the rare parts, and only the first of them are inserted. Few common values below the mex are then
//! missing. `witness` searches the splits with the other rare parts for the least missing values, for all heaps of a
//! block at once. Splits with common parts are witnesses of rare values. They are inserted if they save more searching
//! than they cost.

use super::block::{BLOCK, BlockSets, ValuedHeap};
use super::mask::Classes;
use super::part_order::{cheapest, needed, sort};
use super::witness::{self, SOUGHT, Witnesses};
use crate::nimber::Nimber;
use crate::octal::solver::sequence::Sequence;

/// Number of heaps in the sample by which parts are sorted.
const SAMPLES: usize = 16;
/// Distance between two sampled heaps.
const STRIDE: usize = 17;
/// If there are fewer rare parts, all of them are inserted.
const FEW: usize = 128;
/// Number of heaps from which common parts are chosen, for each value below the bound.
const CHOICE: usize = 16;
/// The maximum number of heaps from which common parts are chosen.
const POOL: usize = 1 << 14;
/// Cost of one split while parts are sorted, in the unit of work.
const SORTED: usize = 24;
/// Parts are sorted again when the work since the last sorting is this many times the cost of sorting.
const WORTH: usize = 64;

/// The parts whose splits are inserted or searched for a whole block at once.
pub(super) struct BlockParts<V> {
    /// Rare parts, each of which is below the block by more than the counters taken.
    rare_parts: Vec<ValuedHeap<V>>,
    /// Number of rare parts that are inserted.
    front: usize,
    /// The common parts that are inserted.
    common_parts: Vec<ValuedHeap<V>>,
    /// Heaps of this block for which too few rare parts were inserted.
    missed: usize,
    /// Amount of work at which to sort again.
    again: usize,
}

impl<V: Nimber> BlockParts<V> {
    /// Creates a list without parts.
    pub fn new() -> Self {
        Self { rare_parts: vec![], front: 0, common_parts: vec![], missed: 0, again: 0 }
    }

    /// Number of rare parts.
    pub fn rare(&self) -> usize {
        self.rare_parts.len()
    }

    /// The rare and the common parts whose splits are inserted.
    pub fn inserted(&self) -> [&[ValuedHeap<V>]; 2] {
        [&self.rare_parts[..self.front], &self.common_parts]
    }

    /// The rare parts whose splits are only searched.
    pub fn scanned(&self) -> &[ValuedHeap<V>] {
        &self.rare_parts[self.front..]
    }

    /// Counts a heap that needed the splits with [`BlockParts::scanned`] too.
    pub fn count_miss(&mut self) {
        self.missed += 1;
    }

    /// Begins a block with additional rare parts, each less than `next` − t.
    pub fn begin_block(
        &mut self,
        more: &[ValuedHeap<V>],
        sequence: &Sequence<V>,
        classes: &Classes,
    ) {
        self.rare_parts.extend_from_slice(more);
        self.front += self.missed * (1 + self.front / 32);
        self.missed = 0;
        if sequence.work >= self.again {
            self.sort(sequence, classes);
        }
        self.front = if self.inserts_all(sequence) { usize::MAX } else { self.front }
            .min(self.rare_parts.len());
    }

    /// Returns true if inserting all splits is cheaper than a search, which is so with few rare parts or with sets in
    /// registers.
    fn inserts_all(&self, sequence: &Sequence<V>) -> bool {
        self.rare_parts.len() < FEW || sequence.words() == 1
    }

    /// Searches the splits with [`BlockParts::scanned`] for each heap from `start` on. Returns `None` if there are no such parts.
    pub fn scan(
        &self,
        sets: &mut impl BlockSets<V>,
        sequence: &mut Sequence<V>,
        start: usize,
        classes: &Classes,
    ) -> Option<[Witnesses<V>; BLOCK]> {
        let parts = self.scanned();
        (!parts.is_empty()).then(|| witness::search(sets, sequence, start, parts, classes))
    }

    fn sort(&mut self, sequence: &Sequence<V>, classes: &Classes) {
        let is_common = |n: &usize| classes.is_common(*n, sequence.g[*n].index());
        // The value of a common heap is the least common value that none of its splits has.
        let samples = (1..=4 * SAMPLES).map(|i| sequence.next.saturating_sub(i * STRIDE));
        let last = sequence.moves.last;
        let samples: Vec<usize> =
            samples.filter(|n| *n > last && is_common(n)).take(2 * SAMPLES).collect();
        // Half of the samples sort the parts, and the other half judge the order, which suits the first half best.
        let (judges, samples) = samples.split_at(samples.len() / 2);

        if !self.inserts_all(sequence) {
            sort(sequence, samples, &mut self.rare_parts);
            // One of the sought values is the heap's own. Another one is reserved for values that rare heaps outside
            // these parts may add.
            let spare = SOUGHT - 2;
            let needed =
                judges.iter().map(|n| needed(sequence, *n, &self.rare_parts, classes, spare));
            self.front = needed.max().unwrap_or(usize::MAX);
        }

        let step = sequence.next / 2 / POOL.min(CHOICE * sequence.bound);
        let pool = (BLOCK..sequence.next / 2).step_by(step.max(1)).filter(is_common);
        self.common_parts = pool.map(|n| (n as u32, sequence.g[n])).collect();
        // This work does not belong to the next heaps, so it is not counted.
        let splits = samples.len().max(1) * (self.rare_parts.len() + self.common_parts.len());
        self.again = sequence.work + WORTH * SORTED * splits * sequence.moves.split.len();
        sort(sequence, samples, &mut self.common_parts);
        let worth_inserting = cheapest(sequence, judges, &self.common_parts, classes);
        self.common_parts.truncate(worth_inserting);
    }
}
