//! The two sums of each layer, and how often each code occurs.

use super::field::{Field, Lanes};
use serde::{Deserialize, Serialize};

/// The sums of a layer over the rows of one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerSums {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the other side.
    pub waiter: u8,
    /// The sum over the required values, one number per lane; `None` if all positions of the layer are finished.
    pub required: Option<Lanes>,
    /// The sum over the stored values, one number per lane.
    pub stored: Lanes,
    /// The occurring codes, ascending.
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

impl LayerSums {
    /// Returns true if the required and the stored sum are equal. All parts must have been added.
    pub(crate) fn is_right(&self) -> bool {
        self.required.is_none_or(|required| required == self.stored)
    }

    /// Adds the sums of another part.
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
