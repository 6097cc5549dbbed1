//! The columns of the waiter's rows: the sets of the mover or, if pieces age, their sequences.
//!
//! The cells that the waiter leaves are numbered from 0. A column is a set of these numbers, with the number of an order above
//! [`CELLS`] if pieces age. Columns are numbered in the same way in all rows.

use morpion_core::{
    AGED, CELLS, SHIFT, Sequence, order, orders,
    rank::{binomial, cells, subsets},
};
use morpion_games::symmetry::ranker::Ranker;

/// The columns for a number of pieces.
#[derive(Clone, Debug)]
pub struct Columns {
    pub ranker: Ranker,
    /// Number of orders of each set; 1 if pieces do not age.
    orders: usize,
    /// The words by column.
    pub words: Vec<u64>,
}

impl Columns {
    /// The columns for `size` pieces on `count` cells.
    pub fn new(count: u32, size: u32, has_ages: bool) -> Columns {
        let orders = if has_ages { orders(size as u8) } else { 1 };
        // The room is known beforehand: a vector that grows would take up to twice as much, since the iterator does not know its length.
        let mut words = Vec::with_capacity(binomial(count, size) as usize * orders as usize);
        let of_set = |set| (0..orders).map(move |number| set | number << SHIFT);
        words.extend(subsets(count, size).flat_map(of_set));
        Columns { ranker: Ranker::new(count, size), orders: orders as usize, words }
    }

    /// The column of a word.
    #[inline(always)]
    pub fn of(&self, word: u64) -> u32 {
        match self.orders {
            1 => self.ranker.rank(word & CELLS),
            orders => self.ranker.rank(word & CELLS) * orders as u32 + (word >> SHIFT) as u32,
        }
    }
}

/// The age of an added piece among the pieces of its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// Pieces do not age.
    Ageless,
    /// The added piece is the oldest.
    Oldest,
    /// The added piece is the newest.
    Newest,
}

impl Added {
    /// Adds a piece on cell `number` to the word of a column.
    pub fn to(self, word: u64, number: u8) -> u64 {
        if self == Added::Ageless {
            return word | 1 << number;
        }
        let old = Sequence::of(if word == 0 { 0 } else { word | AGED });
        let mut all = Sequence::default();
        if self == Added::Oldest {
            all.push(number);
        }
        old.cells().iter().for_each(|&cell| all.push(cell));
        if self == Added::Newest {
            all.push(number);
        }
        all.word() & CELLS | order(all.word()) << SHIFT
    }
}

/// The columns that result from each column by adding a piece, by column.
#[derive(Clone, Debug)]
pub struct Supersets {
    /// Number of supersets of a set: one for each cell outside the set.
    pub degree: usize,
    /// `degree` columns per set, in the order of the added cells.
    pub columns: Vec<u32>,
    /// The added cells, in the same order.
    pub added: Vec<u8>,
}

impl Supersets {
    /// The supersets of the columns of `size` pieces out of `count` cells.
    pub fn new(count: u32, size: u32, added: Added) -> Supersets {
        let has_ages = added != Added::Ageless;
        let (from, to) =
            (Columns::new(count, size, has_ages), Columns::new(count, size + 1, has_ages));
        let degree = (count - size.min(count)) as usize;
        let all = from.words.len() * degree;
        let mut supersets =
            Supersets { degree, columns: Vec::with_capacity(all), added: Vec::with_capacity(all) };
        for &word in &from.words {
            for cell in cells(!word & ((1 << count) - 1)) {
                supersets.columns.push(to.of(added.to(word, cell)));
                supersets.added.push(cell);
            }
        }
        supersets
    }

    /// The supersets of each column with the added cells, by column.
    #[inline(always)]
    pub fn each(&self) -> impl Iterator<Item = (&[u32], &[u8])> {
        // A full set has no superset, and chunks have at least one element.
        let degree = self.degree.max(1);
        self.columns.chunks_exact(degree).zip(self.added.chunks_exact(degree))
    }
}
