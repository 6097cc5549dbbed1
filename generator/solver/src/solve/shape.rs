//! Rows and columns of one layer, in the table and in the waiter's rows, on which operators work.

use crate::sets::FoldedSets;
use crate::solve::planes::{BLOCK_ROWS, STRIP_ROWS, STRIPS};
use morpion_core::{
    Counts, Header, Layer, Orders, Position, Words, orders,
    rank::{binomial, expand, unrank},
};
use std::ops::Range;

/// Rows and columns of a layer in the table and in the waiter's rows.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// All cells.
    board: u64,
    /// Number of the layer.
    pub layer: usize,
    /// Pieces of the mover and of the waiter.
    pub counts: Counts,
    /// Words of the mover and of the waiter.
    pub words: Words,
    /// Number of rows of the table: orbits of the mover's sets, each with all orders; 0 if the game is over in the layer.
    pub rows: usize,
    /// Number of columns of the table: the waiter's words on the cells that the mover leaves.
    pub columns: usize,
    /// Number of rows of the waiter's words; 0 if no mover has sets of this size.
    pub source_rows: usize,
    /// Number of columns of the waiter's rows: the mover's words on the cells that the waiter leaves.
    pub source_columns: usize,
    /// Number of columns of the waiter's rows in the layer after a placement.
    pub child_columns: usize,
    /// Number of cells that the waiter leaves.
    pub cells_left: u32,
}

impl Shape {
    /// The shape of layer number `layer`.
    pub fn of(layout: &Header, layer: usize) -> Shape {
        let game = &layout.game;
        let rows = |size| layout.rows(size) as usize;
        let (words, Layer { counts, ended, .. }) = (game.words(layer), game.graph().layers[layer]);
        let mover = u32::from(counts.mover);
        let cells_left = u32::from(game.cells() - counts.waiter);
        let Orders { mover: own, waiter: other } = words.orders;
        let with_one_more = if game.has_ages() { orders(counts.mover + 1) } else { 1 };
        Shape {
            board: game.board(),
            layer,
            counts,
            words,
            rows: if ended { 0 } else { rows(counts.mover) * own as usize },
            columns: (binomial(u32::from(game.cells()) - mover, counts.waiter.into()) * other)
                as usize,
            source_rows: rows(counts.waiter) * other as usize,
            source_columns: binomial(cells_left, mover) as usize * own as usize,
            child_columns: (binomial(cells_left, mover + 1) * with_one_more) as usize,
            cells_left,
        }
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

    /// The rows of a strip.
    pub fn rows_of(&self, strip: usize) -> Range<usize> {
        strip * STRIP_ROWS..self.rows.min((strip + 1) * STRIP_ROWS)
    }

    /// Number of entries of a strip.
    pub fn entries_of(&self, strip: usize) -> usize {
        self.rows_of(strip).len() * self.columns
    }

    /// The rows of a block.
    pub fn rows_of_block(&self, block: usize) -> Range<usize> {
        block * BLOCK_ROWS..self.rows.min((block + 1) * BLOCK_ROWS)
    }

    /// The set of the mover in a row.
    #[inline(always)]
    pub fn mover(&self, sets: &FoldedSets, row: usize) -> u64 {
        sets.orbits(self.counts.mover).representatives[row / self.words.orders.mover as usize]
    }

    /// Returns true if the set of the mover in a row has a line.
    pub fn has_line(&self, sets: &FoldedSets, row: usize) -> bool {
        sets.has_line(self.counts.mover)[row / self.words.orders.mover as usize]
    }

    /// The position of an entry.
    pub fn position(&self, sets: &FoldedSets, row: usize, column: usize) -> Position {
        let mover = self.mover(sets, row);
        let rank = column as u64 / self.words.orders.waiter;
        let waiter = expand(unrank(self.counts.waiter.into(), rank), self.board & !mover);
        self.words.position(Position { mover, waiter }, row as u64, column as u64)
    }
}
