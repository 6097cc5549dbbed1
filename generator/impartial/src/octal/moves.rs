//! The moves of a finite octal code, sorted by the heaps that they leave.

use morpion_grundy::Code;

/// The moves of a finite octal game: three ascending lists of numbers of counters, by what their removal leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Numbers of counters whose removal may leave nothing.
    pub whole: Vec<usize>,
    /// Numbers of counters whose removal may leave one non-empty heap.
    pub shrink: Vec<usize>,
    /// Numbers of counters whose removal may leave two non-empty heaps. 0 is a split without taking.
    pub split: Vec<usize>,
    /// The index of the last digit that is not 0, or 0 if there is none.
    pub last: usize,
}

impl Moves {
    /// Sorts the digits of a finite code. Returns `None` if the digits repeat forever.
    #[must_use]
    pub fn new(code: &Code) -> Option<Self> {
        let digits = code.finite()?;
        let with = |bit: u8| (0..digits.len()).filter(|t| digits[*t] & bit != 0).collect();
        // A move must change the heap, so d0 is 0 or 4.
        Some(Self { whole: with(1), shrink: with(2), split: with(4), last: digits.len() - 1 })
    }

    /// Returns the parity, 0 or 1, of all numbers in `split`. `None` if their parities differ or no move splits.
    #[must_use]
    pub fn parity(&self) -> Option<u8> {
        let parity = self.split.first()? & 1;
        self.split.iter().all(|t| t & 1 == parity).then_some(parity as u8)
    }
}
