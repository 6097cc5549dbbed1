//! Choice of the method that computes the next heaps: sparse space or all splits. If both are possible, each computes a
//! few heaps, and the cheaper method continues.

use super::exhaustive;
use super::sequence::{Overflow, Sequence};
use super::sparse::{Histogram, Mask, SparseSpace};
use crate::nimber::Nimber;

/// Method of computing the values. All methods give the same values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Sparse space if some mask is sparse, otherwise all splits.
    #[default]
    Best,
    /// All splits of every heap, with vector instructions.
    Exhaustive,
    /// Sparse space, even if many heaps are rare.
    Sparse,
    /// Sparse space with this mask.
    Fixed(Mask),
}

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
    /// Chooses the method for the heaps from `next` on. Keeps the space of `before` if its mask is still the best. If
    /// both methods are possible, computes a few heaps by each and takes the cheaper method.
    pub fn choose(
        sequence: &mut Sequence<V>,
        method: Method,
        last: usize,
        before: Option<Engine<V>>,
    ) -> Result<Self, Overflow> {
        let known = sequence.next - 1;
        let exhaustive = Self { space: None, again: usize::MAX };
        if sequence.moves.split.is_empty() || method == Method::Exhaustive {
            return Ok(exhaustive);
        }
        if let Method::Fixed(mask) = method {
            return Ok(Self { space: Some(SparseSpace::new(mask)), ..exhaustive });
        }
        let best = method == Method::Best;
        if best && known < FIRST_CHOICE {
            return Ok(Self { again: FIRST_CHOICE, ..exhaustive });
        }
        let histogram = Histogram::of(&sequence.g[..sequence.next], sequence.bound);
        let (mask, rare) = histogram.sparsest(sequence.moves.parity());
        let again = (2 * known).max(16);
        let before = before.and_then(|engine| engine.space).filter(|space| space.mask() == mask);
        let mut space = before.unwrap_or_else(|| SparseSpace::new(mask));
        space.limit = usize::MAX;
        if best && sequence.next + 2 * TRIAL <= last {
            let (start, work) = (sequence.next, sequence.work);
            exhaustive::compute(sequence, start + TRIAL - 1)?;
            let all_splits = sequence.work - work;
            space.compute(sequence, start + 2 * TRIAL - 1)?;
            if sequence.work - work > 2 * all_splits {
                return Ok(Self { again, ..exhaustive });
            }
        }
        space.limit = 2 * rare + 32;
        Ok(Self { space: Some(space), again })
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
        sequence.next > self.again
            || self.space.as_ref().is_some_and(|space| space.rare() > space.limit)
    }
}
