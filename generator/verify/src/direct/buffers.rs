//! Memory that a thread reuses from waiter to waiter.

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct Buffers {
    /// For each set of the mover, the greatest preference among its valid children; 0 without a valid child.
    pub best: Vec<u16>,
    /// Codes: of the children by one push, in the order of their places, or of the entries of a run.
    pub codes: Vec<u16>,
    /// Preferences of children. Preferences after one push are in the order of the mover's sets before the push.
    pub values: Vec<u16>,
    /// The mover's sets with lines, after a turn.
    pub lined: Vec<Lined>,
    /// The images of the lower cells of the mover's sets.
    pub lower: Vec<u64>,
    /// The image of the upper cells of each run.
    pub upper: Vec<u64>,
    /// The code that each set of the mover requires.
    pub expected: Vec<Option<u16>>,
    /// The images of the waiter's set.
    pub images: Vec<u64>,
    /// The number in the layer of each entry of a run.
    pub keys: Vec<u64>,
}

/// A mover's set with lines, after a turn.
pub(super) struct Lined {
    pub rank: usize,
    /// Number of the run.
    pub run: usize,
    /// Index of the set's lower cells in a filled table.
    pub lower: usize,
    /// The cells of the set's lines.
    pub cells: u64,
    /// The preference if nothing is taken.
    pub keeping: u16,
    /// The best preference if a piece is taken.
    pub taking: u16,
}
