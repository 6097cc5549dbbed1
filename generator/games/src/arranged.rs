//! The positions of one layer, by number: all arrangements of its pieces, whether or not play reaches them.
//!
//! Adds to [`Arrangements`] what the board does not show: the pieces in hand, which the layer determines, and the orders of pieces
//! that age. Some pieces may be fixed.

use morpion_lookup::raw::rank::{expand, subsets};
use morpion_lookup::raw::{AGED, Arrangements, CELLS, Layer, Position, SHIFT, order};
use morpion_lookup::{Counts, Game};
use std::ops::Range;
use std::sync::OnceLock;

/// The name of a layer: the pieces of the side to move and of the side waiting on the board, and in hand if there are some.
pub fn layer_name(layer: &Layer) -> String {
    let Layer { counts, hands, .. } = layer;
    let mut name = format!("({}, {})", counts.mover, counts.waiter);
    if *hands != Counts::default() {
        name.push_str(&format!(" + ({}, {})", hands.mover, hands.waiter));
    }
    name
}

/// The positions of each layer that has entries.
pub fn layers(game: &Game) -> impl Iterator<Item = Arranged> + '_ {
    let none = Position { mover: 0, waiter: 0 };
    let with_entries = (0..).zip(&game.graph().layers).filter(|(_, layer)| !layer.ended);
    with_entries.map(move |(index, _)| Arranged::new(game, index, none))
}

/// The bits above the cells of the words of a layer: the pieces in hand, or the mark of pieces that age without their order.
pub fn above(game: &Game, Layer { counts, hands, .. }: &Layer) -> Position {
    let of_side = |pieces: u8, hand: u8| match game.has_ages() && pieces > 0 {
        true => AGED,
        false => u64::from(hand) << SHIFT,
    };
    Position {
        mover: of_side(counts.mover, hands.mover),
        waiter: of_side(counts.waiter, hands.waiter),
    }
}

/// The positions of one layer, some of whose pieces may be fixed.
#[derive(Debug)]
pub struct Arranged {
    layer: usize,
    fixed: Position,
    /// The cells without a fixed piece.
    cells: u64,
    /// The arrangements of the pieces that are not fixed.
    arrangements: Arrangements,
    pieces: Counts,
    /// The words above the cells, without orders.
    above: Position,
    /// Numbers of orders of the mover's and of the waiter's pieces.
    orders: [u64; 2],
    /// The waiter's sets by column, as sets of the cells that the mover leaves. Listed once, because every visit needs them.
    waiters: OnceLock<Vec<u64>>,
}

impl Arranged {
    /// The positions of layer number `layer` with these pieces, of the mover and of the waiter, on their cells.
    pub fn new(game: &Game, layer: usize, fixed: Position) -> Arranged {
        let node = &game.graph().layers[layer];
        let mover = node.counts.mover - fixed.mover.count_ones() as u8;
        let waiter = node.counts.waiter - fixed.waiter.count_ones() as u8;
        let pieces = Counts { mover, waiter };
        let cells = game.board() & !(fixed.mover | fixed.waiter);
        let above = above(game, node);
        let arrangements = Arrangements::new(cells, pieces);
        let (orders, waiters) = (game.orders(layer), OnceLock::new());
        Arranged { layer, fixed, cells, arrangements, pieces, above, orders, waiters }
    }

    /// Number of the layer.
    pub fn layer(&self) -> usize {
        self.layer
    }

    /// Number of positions.
    pub fn count(&self) -> u128 {
        u128::from(self.rows()) * u128::from(self.columns())
    }

    /// Number of words of the mover.
    pub fn rows(&self) -> u64 {
        self.arrangements.rows() * self.orders[0]
    }

    /// Number of words of the waiter for each word of the mover.
    pub fn columns(&self) -> u64 {
        self.arrangements.columns() * self.orders[1]
    }

    /// The number of a position.
    #[inline]
    pub fn number(&self, position: Position) -> u64 {
        self.row_of(position.mover) + self.column_of(position)
    }

    /// The number of the first position with this word of the mover.
    #[inline]
    pub fn row_of(&self, mover: u64) -> u64 {
        (self.arrangements.row(mover & CELLS) * self.orders[0] + order(mover)) * self.columns()
    }

    /// The number of a position among those with the same word of the mover.
    #[inline]
    pub fn column_of(&self, position: Position) -> u64 {
        self.arrangements.column(position.cells()) * self.orders[1] + order(position.waiter)
    }

    /// The position with a number below [`Arranged::count`].
    pub fn position(&self, number: u64) -> Position {
        let columns = self.columns().max(1);
        let (row, column) = (number / columns, number % columns);
        let at = row / self.orders[0] * self.arrangements.columns() + column / self.orders[1];
        let Position { mover, waiter } = self.arrangements.position(at);
        self.words(mover, waiter, row % self.orders[0], column % self.orders[1])
    }

    /// The words of the mover with these cells, by number: one for each order of its pieces.
    pub fn words_of(&self, cells: u64) -> Range<u64> {
        let first = self.arrangements.row(cells) * self.orders[0];
        first..first + self.orders[0]
    }

    /// The positions with one word of the mover, by their number among these.
    pub fn row(&self, row: u64) -> impl Fn(u64) -> Position + '_ {
        let waiters = self.waiters.get_or_init(|| {
            let left = self.cells.count_ones() - u32::from(self.pieces.mover);
            subsets(left, self.pieces.waiter.into()).collect()
        });
        let first = row / self.orders[0] * self.arrangements.columns();
        let mover = self.arrangements.position(first).mover;
        let left = self.cells & !mover;
        move |column| {
            let waiter = expand(waiters[(column / self.orders[1]) as usize], left);
            self.words(mover, waiter, row % self.orders[0], column % self.orders[1])
        }
    }

    /// The words of sets without the fixed pieces.
    fn words(&self, mover: u64, waiter: u64, mover_order: u64, waiter_order: u64) -> Position {
        Position {
            mover: self.fixed.mover | self.above.mover | mover | mover_order << SHIFT,
            waiter: self.fixed.waiter | self.above.waiter | waiter | waiter_order << SHIFT,
        }
    }
}
