//! The form of the words in a layer: the bits above the cells, and the rows and columns that the orders of pieces add.
//!
//! Converts the row of a set of cells to the row of a word with these cells, and back. If three pieces of a side age, the set of their
//! cells has 3! = 6 words. In a table, they are six neighbouring rows if the side is to move, and six neighbouring columns if it waits.

use crate::order::{order, orders};
use crate::position::{AGED, Counts, Position, SHIFT};

/// The parts of the words of mover and waiter that are the same in a whole layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// The bits above the cells, without orders: the pieces in hand, or [`AGED`].
    pub above: Position,
    /// The numbers of orders of the pieces.
    pub orders: Orders,
}

/// Numbers of orders of the pieces of each side: 1 if pieces do not age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    /// Of the mover's pieces.
    pub mover: u64,
    /// Of the waiter's pieces.
    pub waiter: u64,
}

impl Words {
    /// Words that are sets of cells.
    pub const SETS: Words =
        Words { above: Position { mover: 0, waiter: 0 }, orders: Orders { mover: 1, waiter: 1 } };

    /// The words of a layer with these pieces on the board and in hand.
    pub fn new(counts: Counts, hands: Counts, has_ages: bool) -> Words {
        let above = |(pieces, hand): (u8, u8)| {
            if has_ages && pieces > 0 { AGED } else { u64::from(hand) << SHIFT }
        };
        let sides = [(counts.mover, hands.mover), (counts.waiter, hands.waiter)];
        let [mover, waiter] = sides.map(above);
        let orders = |pieces| if has_ages { orders(pieces) } else { 1 };
        let orders = Orders { mover: orders(counts.mover), waiter: orders(counts.waiter) };
        Words { above: Position { mover, waiter }, orders }
    }

    /// The row of a mover's word, given the row of its cells.
    #[inline]
    pub fn row(&self, row: u64, word: u64) -> u64 {
        row * self.orders.mover + order(word)
    }

    /// The column of a waiter's word, given the column of its cells.
    #[inline]
    pub fn column(&self, column: u64, word: u64) -> u64 {
        column * self.orders.waiter + order(word)
    }

    /// The words with these cells in a row and a column.
    #[inline]
    pub fn position(&self, cells: Position, row: u64, column: u64) -> Position {
        let Orders { mover: rows, waiter: columns } = self.orders;
        Position {
            mover: self.above.mover | cells.mover | (row % rows) << SHIFT,
            waiter: self.above.waiter | cells.waiter | (column % columns) << SHIFT,
        }
    }
}
