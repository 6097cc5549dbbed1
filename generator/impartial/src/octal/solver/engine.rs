//! Choice of the method that computes the next heaps: sparse space or all splits. If both are possible, each computes a
//! few heaps, and the cheaper method continues.

use super::exhaustive;
use super::sequence::{Overflow, Sequence};
use super::sparse::{Histogram, SparseSpace};
use crate::nimber::Nimber;

/// The least heap number at which masks are tried.
const FIRST_CHOICE: usize = 256;
/// Heaps computed by each method to compare their costs.
const TRIAL: usize = 16;
/// Heaps computed between two progress reports.
const STEP: usize = 256;

/// The current method, and the limits at which it is chosen again.
pub(super) struct Engine<V: Nimber> {
    /// The sparse space; `None` if all splits are tried.
    space: Option<SparseSpace<V>>,
    /// The heap after which to choose again.
    again: usize,
}

impl<V: Nimber> Engine<V> {
    /// Chooses the method for the heaps from `next` on. If both methods are possible, computes a few heaps by each and takes the
    /// cheaper one.
    pub fn choose(
        sequence: &mut Sequence<V>,
        last: usize,
        exhaustive: bool,
    ) -> Result<Self, Overflow> {
        let (start, work) = (sequence.next, sequence.work);
        if sequence.moves.split.is_empty() || exhaustive || start + 2 * TRIAL > last {
            return Ok(Self { space: None, again: usize::MAX });
        }
        if start <= FIRST_CHOICE {
            return Ok(Self { space: None, again: FIRST_CHOICE });
        }
        exhaustive::compute(sequence, start + TRIAL - 1)?;
        let all_splits = sequence.work - work;
        let histogram = Histogram::of(&sequence.g[..sequence.next], sequence.bound);
        let (mask, _) = histogram.sparsest(sequence.moves.parity());
        let mut space = SparseSpace::new(mask, sequence);
        space.compute(sequence, start + 2 * TRIAL - 1)?;
        let is_cheaper = sequence.work - work <= 2 * all_splits;
        Ok(Self { space: is_cheaper.then_some(space), again: 2 * start })
    }

    /// Computes some heaps, none beyond `last`.
    pub fn compute(&mut self, sequence: &mut Sequence<V>, last: usize) -> Result<(), Overflow> {
        let last = last.min(sequence.next + STEP - 1);
        match &mut self.space {
            Some(space) => space.compute(sequence, last),
            None => exhaustive::compute(sequence, last),
        }
    }

    /// Checks whether the heaps or the rare heaps have doubled since the choice.
    pub fn is_stale(&self, sequence: &Sequence<V>) -> bool {
        sequence.next > self.again || self.space.as_ref().is_some_and(SparseSpace::is_full)
    }
}
