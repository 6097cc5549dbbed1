//! The two sums of each layer, and the counts of its codes.

use super::field::{Field, Lanes};
use crate::keys::Keys;
use morpion_core::{Encoding, Position};
use serde::{Deserialize, Serialize};

/// The sums of a layer over the rows of one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerSums {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the side waiting.
    pub waiter: u8,
    /// The sum over the required values, one number per lane; `None` if all positions of the layer are finished.
    pub required: Option<Lanes>,
    /// The sum over the stored values, one number per lane.
    pub stored: Lanes,
    /// The codes that occur, ascending, with their counts.
    pub codes: Vec<CodeCount>,
}

/// The number of arrangements of a layer with one code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeCount {
    /// The code.
    pub code: u16,
    /// Number of arrangements with the code.
    pub arrangements: u64,
    /// Row and column of the first entry.
    pub first: (u64, u64),
    /// The mover's cells in the first entry.
    pub mover: u64,
    /// The waiter's cells in the first entry.
    pub waiter: u64,
}

/// The counts of all codes before any entry is counted, by code.
pub(crate) fn no_counts(encoding: Encoding) -> Vec<CodeCount> {
    let none = |code| CodeCount { code, arrangements: 0, first: (0, 0), mover: 0, waiter: 0 };
    (0..=encoding.no_position()).map(none).collect()
}

/// Adds the codes of a row to the counts of codes. Each entry counts as `orbit` arrangements.
pub(crate) fn count_codes(row: u64, codes: &[u16], orbit: u64, counts: &mut [CodeCount]) {
    for (column, code) in codes.iter().enumerate() {
        let count = &mut counts[usize::from(*code)];
        if count.arrangements == 0 {
            count.first = (row, column as u64);
        }
        count.arrangements += orbit;
    }
}

impl LayerSums {
    /// The result for layer `index` with these counts of codes, and with sums of 0.
    pub(crate) fn new(keys: &Keys, index: usize, counts: &[CodeCount]) -> LayerSums {
        let pieces = keys.table.raw().header().layers[index].counts;
        let occurring = counts.iter().filter(|count| count.arrangements > 0);
        let with_position = |count: &CodeCount| {
            let (row, column) = count.first;
            let Position { mover, waiter } = keys.position((index, row, column));
            CodeCount { mover, waiter, ..*count }
        };
        LayerSums {
            mover: pieces.mover,
            waiter: pieces.waiter,
            required: keys.children_of(index).map(|_| [0, 0]),
            stored: [0, 0],
            codes: occurring.map(with_position).collect(),
        }
    }

    /// Returns true if the required and the stored sum are equal, or if there is no required sum. Call it after all parts have been added.
    pub(crate) fn is_right(&self) -> bool {
        self.required.is_none_or(|required| required == self.stored)
    }

    /// Adds the sums and counts of other rows of the layer.
    pub(crate) fn add<const E: u32>(&mut self, other: &LayerSums) {
        self.stored = Field::<E>::add(self.stored, other.stored);
        if let Some((required, other)) = self.required.as_mut().zip(other.required) {
            *required = Field::<E>::add(*required, other);
        }
        for other in &other.codes {
            match self.codes.binary_search_by_key(&other.code, |count| count.code) {
                Err(at) => self.codes.insert(at, *other),
                Ok(at) => {
                    let known = &mut self.codes[at];
                    let arrangements = known.arrangements + other.arrangements;
                    let first = if other.first < known.first { *other } else { *known };
                    *known = CodeCount { arrangements, ..first };
                }
            }
        }
    }
}
