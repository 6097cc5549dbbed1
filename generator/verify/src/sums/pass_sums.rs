//! The sums that a pass over the rows of a layer computes.

use super::field::{Field, Lanes};
use morpion_core::Encoding;

/// The task of a pass over the rows of a layer.
pub(crate) struct Wanted {
    /// The layer whose rows are read.
    pub rows: usize,
    /// True if the stored values of that layer are summed, and compared inside each row.
    pub stored: bool,
    /// The layers whose required values are summed. Their children are in the rows of `rows`.
    pub required: Vec<usize>,
    /// Number of rows if the sums of one layer are split by row, else 0.
    pub buckets: u64,
}

/// The sums of one thread or pass.
pub(crate) struct PassSums {
    /// Number of entries read.
    pub entries: u64,
    pub stored: Lanes,
    pub required: Vec<Lanes>,
    /// For each code, its number of arrangements, and the row and column of its first entry.
    pub counts: Vec<(u64, (u64, u64))>,
    /// The required sum minus the stored sum, for each row.
    pub by_row: Vec<Lanes>,
}

impl PassSums {
    pub fn new(wanted: &Wanted, encoding: Encoding) -> PassSums {
        PassSums {
            entries: 0,
            stored: [0, 0],
            required: vec![[0, 0]; wanted.required.len()],
            counts: vec![(0, (0, 0)); usize::from(encoding.no_position()) + 1],
            by_row: vec![[0, 0]; wanted.buckets as usize],
        }
    }

    /// Adds the results of another thread or pass.
    pub fn merge<const E: u32>(mut self, other: PassSums) -> PassSums {
        self.entries += other.entries;
        self.stored = Field::<E>::add(self.stored, other.stored);
        for (sums, others) in
            [(&mut self.required, &other.required), (&mut self.by_row, &other.by_row)]
        {
            for (sum, &other) in sums.iter_mut().zip(others) {
                *sum = Field::<E>::add(*sum, other);
            }
        }
        for (count, other) in self.counts.iter_mut().zip(&other.counts) {
            if other.0 > 0 {
                count.1 = if count.0 == 0 { other.1 } else { count.1.min(other.1) };
                count.0 += other.0;
            }
        }
        self
    }
}
