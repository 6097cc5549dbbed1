//! Memory of one layer, as its solution declares it.

/// Bytes of memory for solving, in addition to the folded sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    /// Memory that all threads share, without rows.
    pub shared: u64,
    /// Memory of each thread.
    pub own: u64,
    /// The rows of a layer and of the next layer, with their pending entries and remembered planes.
    pub rows: u64,
}
