//! Numbers of the arrangements of a layer: all ways to put its pieces on the board, whether or not play reaches them.
//!
//! Converts between an arrangement and its number, or its row and column. Arrangements are ordered by the mover's set, then by the order of
//! the mover's pieces if they age, then in the same way by the waiter's set. On 3×3, the layer (1, 1) has 9 · 8 = 72 arrangements: number 0
//! has the mover on a1 and the waiter on b1, number 8 the mover on b1 and the waiter on a1.
//!
//! The key of an entry of a table is formed in the same way, with the row of the mover's orbit instead of the rank of its set.

use morpion_core::{
    CELLS, Counts, Game, Position, Words, by_chunks,
    chunks::{self, chunks_of, compress},
    rank::{binomial, expand, rank, subsets, unrank},
};
use std::sync::OnceLock;

/// The arrangements of the pieces of one layer on some cells. Other cells are ignored.
#[derive(Debug)]
pub struct Arrangements {
    layer: usize,
    cells: u64,
    counts: Counts,
    /// The parts of words that are not cells of these pieces: orders, hands and fixed pieces.
    words: Words,
    /// Chunks of the cells.
    chunks: usize,
    /// True if the ranks of all sets have at most 32 bits.
    is_small: bool,
    /// The sets of the waiter by rank, in which bit i is the i-th cell that the mover leaves. All sets of the mover leave equal lists, and
    /// every visit reads the list, so the first visit makes it.
    numbered: OnceLock<Vec<u64>>,
}

/// The arrangements of each layer that has entries.
pub fn layers(game: &Game) -> impl Iterator<Item = Arrangements> + '_ {
    let with_entries = (0..).zip(&game.graph().layers).filter(|(_, layer)| !layer.ended);
    with_entries
        .map(|(index, _)| Arrangements::of_layer(game, index, Position { mover: 0, waiter: 0 }))
}

impl Arrangements {
    /// The arrangements of `counts` pieces on `cells`, which are the cells of a board, or some of them. Words are sets of cells.
    pub fn new(cells: u64, counts: Counts) -> Arrangements {
        let chunks = chunks_of(64 - cells.leading_zeros());
        let (words, numbered) = (Words::SETS, OnceLock::new());
        let mut arrangements =
            Arrangements { layer: 0, cells, counts, words, chunks, is_small: false, numbered };
        arrangements.is_small = (arrangements.rows() | arrangements.columns()) >> 32 == 0;
        arrangements
    }

    /// The positions of layer number `layer` of a game in which the pieces of `fixed` are on their cells. If pieces age, no piece is fixed.
    pub fn of_layer(game: &Game, layer: usize, fixed: Position) -> Arrangements {
        let counts = game.graph().layers.get(layer).map(|layer| layer.counts).unwrap_or_default();
        let of_fixed = fixed.counts();
        let counts = Counts {
            mover: counts.mover.saturating_sub(of_fixed.mover),
            waiter: counts.waiter.saturating_sub(of_fixed.waiter),
        };
        let mut words = game.words(layer);
        words.above.mover |= fixed.mover;
        words.above.waiter |= fixed.waiter;
        let cells = game.board() & !(fixed.mover | fixed.waiter);
        Arrangements { layer, words, ..Arrangements::new(cells, counts) }
    }

    /// Number of the layer.
    pub fn layer(&self) -> usize {
        self.layer
    }

    /// Number of words of the mover.
    pub fn rows(&self) -> u64 {
        binomial(self.cells.count_ones(), self.counts.mover.into()) * self.words.orders.mover
    }

    /// Number of words of the waiter for each word of the mover.
    pub fn columns(&self) -> u64 {
        let left = self.cells.count_ones().checked_sub(self.counts.mover.into());
        let sets = left.map_or(0, |left| binomial(left, self.counts.waiter.into()));
        sets * self.words.orders.waiter
    }

    /// Number of arrangements.
    pub fn count(&self) -> u128 {
        u128::from(self.rows()) * u128::from(self.columns())
    }

    /// The number of an arrangement.
    pub fn number(&self, position: Position) -> u64 {
        self.row(position.mover) * self.columns() + self.column(position)
    }

    /// The arrangement with a number below [`Arrangements::count`].
    pub fn position(&self, number: u64) -> Position {
        let columns = self.columns().max(1);
        let (row, column) = (number / columns, number % columns);
        let mover = self.mover(row);
        let rank = column / self.words.orders.waiter;
        let waiter = expand(unrank(self.counts.waiter.into(), rank), self.cells & !mover);
        self.words.position(Position { mover, waiter }, row, column)
    }

    /// The set of the mover in a row.
    pub fn mover(&self, row: u64) -> u64 {
        expand(unrank(self.counts.mover.into(), row / self.words.orders.mover), self.cells)
    }

    /// The row of a word of the mover.
    pub fn row(&self, mover: u64) -> u64 {
        self.words.row(self.rank_within(mover & CELLS, self.cells), mover)
    }

    /// The column of the waiter's word, which depends on the cells that the mover leaves.
    pub fn column(&self, position: Position) -> u64 {
        let Position { mover, waiter } = position.cells();
        self.words.column(self.rank_within(waiter, self.cells & !mover), position.waiter)
    }

    /// The arrangements of a row, by column.
    pub fn in_row(&self, row: u64) -> impl Fn(u64) -> Position + '_ {
        let list = || {
            let left = self.cells.count_ones().saturating_sub(self.counts.mover.into());
            subsets(left, self.counts.waiter.into()).collect()
        };
        let (numbered, mover) = (self.numbered.get_or_init(list), self.mover(row));
        let left = self.cells & !mover;
        move |column| {
            let waiter = expand(numbered[(column / self.words.orders.waiter) as usize], left);
            self.words.position(Position { mover, waiter }, row, column)
        }
    }

    /// The rank of a set among the sets of equal size that lie in `within`. With the definition of the rank instead of the tables of
    /// [`morpion_core::chunks`], `morpion count swap4` executes 16 % more instructions.
    fn rank_within(&self, set: u64, within: u64) -> u64 {
        by_chunks!(self.chunks, chunks => {
            let set = compress(chunks, set, within);
            if self.is_small { chunks::rank(chunks, set).0.into() } else { rank(set) }
        })
    }
}
