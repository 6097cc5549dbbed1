//! The moves of a finite octal code, sorted by what they leave.

use morpion_grundy::Code;

/// The moves of a finite octal game: three lists of how many counters may be taken, each ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Taken with nothing left: the whole heap, which has exactly that many.
    pub whole: Vec<usize>,
    /// Taken with one heap left, not empty.
    pub shrink: Vec<usize>,
    /// Taken with two heaps left, neither empty; 0 is a split without taking.
    pub split: Vec<usize>,
    /// The last index with a digit that is not 0; 0 if there is none.
    pub last: usize,
}

impl Moves {
    /// The moves of a finite code; `None` where its digits repeat for ever.
    #[must_use]
    pub fn new(code: &Code) -> Option<Self> {
        let digits = code.finite()?;
        let with = |bit: u8| (0..digits.len()).filter(|t| digits[*t] & bit != 0).collect();
        // A heap is never left as it is: d0 is 0 or 4.
        Some(Self { whole: with(1), shrink: with(2), split: with(4), last: digits.len() - 1 })
    }

    /// The parity, 0 or 1, that the numbers of counters taken in splits have in common; `None` if they differ or nothing
    /// splits.
    #[must_use]
    pub fn parity(&self) -> Option<usize> {
        let parity = self.split.first()? & 1;
        self.split.iter().all(|t| t & 1 == parity).then_some(parity)
    }
}
