//! Rows and columns of one layer, in the table and in the waiter's rows, on which operators work.

use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::planes::{BLOCK_ROWS, STRIP_ROWS, STRIPS};
use morpion_lookup::raw::rank::binomial;
use morpion_lookup::{Counts, Game};
use morpion_reach::arrangements::Arrangements;
use std::ops::Range;

/// Rows and columns of a layer in the table and in the waiter's rows.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    arrangements: Arrangements,
    /// Pieces of the mover and of the waiter.
    pub counts: Counts,
    /// Number of rows of the table: orbits of the mover's sets.
    pub rows: usize,
    /// Number of columns of the table: the waiter's sets among the cells that the mover leaves.
    pub columns: usize,
    /// Number of rows of the waiter's sets; 0 if no mover has sets of this size.
    pub source_rows: usize,
    /// Number of columns of the waiter's rows: the mover's sets among the cells that the waiter leaves.
    pub source_columns: usize,
    /// Number of columns of the waiter's rows in the layer after a placement.
    pub child_columns: usize,
    /// Number of cells that the waiter leaves.
    pub cells_left: u32,
}

impl Shape {
    /// The shape of the layer `counts`.
    pub fn of(sets: &FoldedSets, counts: Counts) -> Shape {
        let rows = |size| if sets.has_rows(size) { sets.orbits(size).rows() } else { 0 };
        Shape::new(sets.game(), counts, rows)
    }

    /// The shape of the layer `counts` before sets are folded.
    pub(crate) fn planned(layout: &Layout, counts: Counts) -> Shape {
        Shape::new(layout.game(), counts, |size| layout.rows(size) as usize)
    }

    fn new(game: &Game, counts: Counts, rows: impl Fn(u8) -> usize) -> Shape {
        let mover = u32::from(counts.mover);
        let cells_left = u32::from(game.cells() - counts.waiter);
        let arrangements = Arrangements::new(game.board(), counts);
        Shape {
            arrangements,
            counts,
            rows: rows(counts.mover),
            columns: arrangements.columns() as usize,
            source_rows: rows(counts.waiter),
            source_columns: binomial(cells_left, mover) as usize,
            child_columns: binomial(cells_left, mover + 1) as usize,
            cells_left,
        }
    }

    /// Returns true if no layer follows: the board is full, or all pieces are placed.
    pub(crate) fn is_last(&self, layout: &Layout) -> bool {
        let game = layout.game();
        let index = game.layer_index(self.counts).unwrap_or(usize::MAX);
        let next = game.graph().layers.get(index).and_then(|layer| layer.next);
        self.child_columns == 0 || next.is_none_or(|next| usize::from(next) == index)
    }

    /// Number of entries of the layer.
    pub fn entries(&self) -> usize {
        self.rows * self.columns
    }

    /// Number of blocks of the table.
    pub fn blocks(&self) -> usize {
        self.rows.div_ceil(BLOCK_ROWS)
    }

    /// Number of strips of the table.
    pub fn strips(&self) -> usize {
        self.rows.div_ceil(STRIP_ROWS)
    }

    /// The strips of a block.
    pub fn strips_of(&self, block: usize) -> Range<usize> {
        block * STRIPS..self.strips().min((block + 1) * STRIPS)
    }

    /// Number of entries of a strip.
    pub fn entries_of(&self, strip: usize) -> usize {
        (self.rows - strip * STRIP_ROWS).min(STRIP_ROWS) * self.columns
    }

    /// The waiter's rows of a block.
    pub fn source_rows_of(&self, block: usize) -> Range<usize> {
        block * BLOCK_ROWS..self.source_rows.min((block + 1) * BLOCK_ROWS)
    }

    /// The waiter's sets in the order of the columns, for one set of the mover.
    pub fn waiters(&self, mover: u64) -> impl Iterator<Item = u64> + use<> {
        self.arrangements.waiters(mover)
    }
}
