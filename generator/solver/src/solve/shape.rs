//! Rows and columns of one layer: in the table, and in the waiter's rows where operators work.

use crate::solve::frame::Frame;
use morpion_lookup::Counts;
use morpion_lookup::rank::{binomial, expand, subsets};

/// Rows and columns of a layer in the table and in the waiter's rows.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    board: u64,
    counts: Counts,
    /// Rows of the table: orbits of the mover's sets.
    pub rows: usize,
    /// Columns of the table: the waiter's sets among the cells the mover leaves.
    pub columns: usize,
    /// Rows of the waiter's sets; 0 where no mover has sets of that size.
    pub source_rows: usize,
    /// Columns of the waiter's rows: the mover's sets among the cells the waiter leaves.
    pub source_columns: usize,
    /// Columns of the waiter's rows in the layer after a placement.
    pub child_columns: usize,
    /// Cells the waiter leaves.
    pub cells_left: u32,
}

impl Shape {
    /// The shape of the layer `counts`.
    pub fn of(frame: &Frame, counts: Counts) -> Shape {
        let cells = u32::from(frame.game().cells());
        let (mover, waiter) = (u32::from(counts.mover), u32::from(counts.waiter));
        let cells_left = cells - waiter;
        let has_rows = frame.header().maps.iter().any(|map| map.size == counts.waiter);
        Shape {
            board: frame.game().board(),
            counts,
            rows: frame.orbits(counts.mover).rows(),
            columns: binomial(cells - mover, waiter) as usize,
            source_rows: if has_rows { frame.orbits(counts.waiter).rows() } else { 0 },
            source_columns: binomial(cells_left, mover) as usize,
            child_columns: binomial(cells_left, mover + 1) as usize,
            cells_left,
        }
    }

    /// Entries of the layer.
    pub fn entries(&self) -> usize {
        self.rows * self.columns
    }

    /// The waiter's sets in the order of the columns, for a mover's set.
    pub fn waiters(&self, mover: u64) -> impl Iterator<Item = u64> + use<> {
        let left = self.board & !mover;
        subsets(left.count_ones(), u32::from(self.counts.waiter))
            .map(move |bits| expand(bits, left))
    }
}
