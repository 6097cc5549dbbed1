//! The sums that a pass over the rows of a layer computes.

use super::field::{Field, Lanes};
use morpion_core::Encoding;

/// The sums of one thread or pass.
pub(crate) struct PassSums {
    /// Number of entries read.
    pub entries: u64,
    pub stored: Lanes,
    pub required: Vec<Lanes>,
    /// The entries with each code.
    pub counts: Vec<Occurrences>,
}

/// The entries with one code.
#[derive(Clone, Copy, Default)]
pub(crate) struct Occurrences {
    pub arrangements: u64,
    /// Row and column of the first entry.
    pub first: (u64, u64),
}

impl PassSums {
    /// Sums of no rows. `required` is the number of layers with required values.
    pub fn new(required: usize, encoding: Encoding) -> PassSums {
        PassSums {
            entries: 0,
            stored: [0, 0],
            required: vec![[0, 0]; required],
            counts: vec![Occurrences::default(); usize::from(encoding.no_position()) + 1],
        }
    }

    /// Adds the results of another thread or pass.
    pub fn merge<const E: u32>(mut self, other: PassSums) -> PassSums {
        self.entries += other.entries;
        self.stored = Field::<E>::add(self.stored, other.stored);
        for (sum, &other) in self.required.iter_mut().zip(&other.required) {
            *sum = Field::<E>::add(*sum, other);
        }
        for (count, other) in self.counts.iter_mut().zip(&other.counts) {
            if other.arrangements > 0 {
                let is_first = count.arrangements == 0 || other.first < count.first;
                count.first = if is_first { other.first } else { count.first };
                count.arrangements += other.arrangements;
            }
        }
        self
    }
}
