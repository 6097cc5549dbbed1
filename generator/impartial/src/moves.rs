//! A finite code's digits, sorted by what they allow.

use morpion_grundy::Code;

/// The moves of a finite octal game: three lists of numbers of counters taken, each ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Taken as a whole heap of exactly so many.
    pub all: Vec<usize>,
    /// Taken so that one heap is left, not empty.
    pub one: Vec<usize>,
    /// Taken so that two heaps are left, neither empty; 0 is a split without taking.
    pub two: Vec<usize>,
    /// The last index with a digit that is not 0; 0 where there is none.
    pub last: usize,
}

impl Moves {
    /// The moves of a finite code; `None` where its digits repeat for ever.
    #[must_use]
    pub fn new(code: &Code) -> Option<Self> {
        let digits = code.finite()?;
        let with = |bit: u8| (0..digits.len()).filter(|t| digits[*t] & bit != 0).collect();
        // A heap is never left as it is: d0 is 0 or 4.
        Some(Self { all: with(1), one: with(2), two: with(4), last: digits.len() - 1 })
    }

    /// The common parity of all digits that split, where they have one: 0 or 1.
    #[must_use]
    pub fn parity(&self) -> Option<usize> {
        let parity = self.two.first()? & 1;
        self.two.iter().all(|t| t & 1 == parity).then_some(parity)
    }
}
