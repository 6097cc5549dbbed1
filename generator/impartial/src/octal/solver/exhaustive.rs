//! The exhaustive method: the mex of each heap over all its splits, with vector instructions, for games without a sparse mask.
//!
//! The first splits are inserted one by one. Then all splits are searched for the least missing value, until a value is
//! found that no split has. This is the definition in another order.
//!
//! Example: Kayles (0.77), heap 9, with values 0 1 2 3 1 4 3 2 1 of heaps 0 to 8. The options 8 and 7 have the values 1 and 2. The
//! first splits 1 + 7 and 1 + 6 have 1 ^ 2 = 3 and 1 ^ 3 = 2. The least value missing from {1, 2, 3} is 0, which 4 + 4 has. The
//! next missing value is 4, which no split has. So G(9) = 4.

use super::sequence::{Overflow, Sequence};
use crate::mex::NimberSet;
use crate::nimber::Nimber;
use std::iter::repeat;

/// Computes all heaps from `next` to `last`.
pub(super) fn compute<V: Nimber>(sequence: &mut Sequence<V>, last: usize) -> Result<(), Overflow> {
    sequence.reserve(last);
    let mut options = NimberSet::new(sequence.words());
    while sequence.next <= last {
        if options.words() != sequence.words() {
            options = NimberSet::new(sequence.words());
        }
        let value = mex(sequence, sequence.next, &mut options);
        sequence.push(value)?;
    }
    Ok(())
}

/// The value of heap `n`.
fn mex<V: Nimber>(sequence: &mut Sequence<V>, n: usize, options: &mut NimberSet) -> usize {
    options.clear();
    sequence.insert_unsplit(n, options);
    sequence.work += 64 + sequence.bound;
    let more = sequence.insert_first_splits(n, 4 * sequence.bound, options);
    let mut missing = options.missing_among(repeat(u64::MAX));
    let value = missing.find(|value| !more || !sequence.has_split(n, *value));
    value.unwrap_or(64 * options.words())
}
