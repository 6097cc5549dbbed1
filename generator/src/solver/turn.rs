//! The turn: from the waiter's rows, where an operator works, to the mover's rows of the table.
//!
//! An operator fixes the waiter's set B, a representative, and gives a value for every set A of the mover among the cells
//! that B leaves. The table has (A, B) in the row of A. [`Turn::pull`] fills a whole row of the table in order and reads
//! from anywhere; [`Turn::push`] takes one decided position to all its places in the table.

use crate::isa::{compress, expand};
use crate::orbits::{Images, Orbits};
use crate::ranker::Ranker;
use crate::solver::frame::Frame;
use morpion_lookup::Counts;
use morpion_lookup::rank::{binomial, cells, subsets};

/// The turn of one layer.
pub struct Turn<'f> {
    board: u64,
    cells: u32,
    counts: Counts,
    images: &'f [Images],
    movers: &'f Orbits,
    waiters: &'f Orbits,
    /// Ranks of the mover's sets among the cells the waiter leaves: columns of the waiter's rows.
    mover_columns: Ranker,
    /// Ranks of the waiter's sets among the cells the mover leaves: columns of the table's rows.
    waiter_columns: Ranker,
    /// The masks of the low half of the cells that a mover leaves, by their size, ascending.
    low_masks: Vec<Vec<u64>>,
    low_width: u32,
    /// Of each row of movers whose orbit is shorter than the group: the other symmetries that keep its representative.
    stabilisers: Vec<Vec<u16>>,
}

/// Where a value stands in the waiter's rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source {
    /// Row of the waiter's set.
    pub row: u32,
    /// Column: rank of the mover's set among the cells that are left.
    pub column: u32,
}

/// How many sources a batch has at most: enough for their reads to overlap.
pub const BATCH: usize = 128;

impl<'f> Turn<'f> {
    /// The turn of the layer `counts`.
    pub fn new(frame: &'f Frame, counts: Counts) -> Turn<'f> {
        let cells = u32::from(frame.game().cells());
        let (mover, waiter) = (u32::from(counts.mover), u32::from(counts.waiter));
        let left = cells - mover;
        let low_width = left.div_ceil(2);
        let low_masks =
            (0..=low_width.min(waiter)).map(|size| subsets(low_width, size).collect()).collect();
        let movers = frame.orbits(counts.mover);
        let order = frame.symmetries().len();
        let stabiliser = |(&set, &length): (&u64, &u32)| {
            if length as usize == order {
                return Vec::new();
            }
            (1..order as u16)
                .filter(|&symmetry| frame.images()[usize::from(symmetry)].apply(set) == set)
                .collect()
        };
        Turn {
            board: frame.game().board(),
            cells,
            counts,
            images: frame.images(),
            movers,
            waiters: frame.orbits(counts.waiter),
            mover_columns: Ranker::new(cells - waiter, mover),
            waiter_columns: Ranker::new(left, waiter),
            low_masks,
            low_width,
            stabilisers: movers
                .representatives
                .iter()
                .zip(&movers.lengths)
                .map(stabiliser)
                .collect(),
        }
    }

    /// Visits, for one row of the table, where each of its entries comes from: batches of at most [`BATCH`] sources in
    /// the order of the columns.
    #[inline(always)]
    pub fn pull<const BITS: bool>(
        &self,
        row: usize,
        scratch: &mut Scratch,
        visitor: &mut impl Visit,
    ) {
        let mover = self.movers.representatives[row];
        let rest = self.board & !mover;
        scratch.mover_images.clear();
        scratch.mover_images.extend(self.images.iter().map(|images| images.apply(mover)));
        // A set of the waiter is a high and a low part; board cells and rank of each part are prepared once a row.
        let low_cells =
            cells(rest).take(self.low_width as usize).fold(0, |set, cell| set | 1u64 << cell);
        let high_cells = rest & !low_cells;
        scratch.low.clear();
        scratch.low.extend((0..1u64 << self.low_width).map(|bits| {
            let set = expand::<BITS>(bits, low_cells);
            (set, partial_rank(set, 0))
        }));
        let size = u32::from(self.counts.waiter);
        let mut batch = [Source::default(); BATCH];
        let mut filled = 0;
        for high in 0..1u64 << (self.cells - u32::from(self.counts.mover) - self.low_width) {
            let Some(masks) = size
                .checked_sub(high.count_ones())
                .and_then(|left| self.low_masks.get(left as usize))
            else {
                continue;
            };
            let high_set = expand::<BITS>(high, high_cells);
            let high_rank = partial_rank(high_set, size - high.count_ones());
            for &low in masks {
                let (low_set, low_rank) = scratch.low[low as usize];
                debug_assert_eq!((high_set | low_set).count_ones(), size);
                let (row, symmetry) =
                    self.waiters.split(self.waiters.map[(high_rank + low_rank) as usize]);
                let left = self.board & !self.waiters.representatives[row];
                let column =
                    self.mover_columns.rank(compress::<BITS>(scratch.mover_images[symmetry], left));
                batch[filled] = Source { row: row as u32, column };
                filled += 1;
                if filled == BATCH {
                    visitor.visit(&batch);
                    filled = 0;
                }
            }
        }
        visitor.visit(&batch[..filled]);
    }

    /// The place in the table of the position whose waiter is the representative of `row` and whose mover has the set
    /// `mover`.
    #[inline(always)]
    pub fn push<const BITS: bool>(&self, row: usize, mover: u64) -> Place {
        let (target, symmetry) = self.movers.place(mover);
        let waiter = self.images[symmetry].apply(self.waiters.representatives[row]);
        Place { row: target, column: self.column::<BITS>(target, waiter), waiter }
    }

    /// How many more places the position has in the row of `place`: those where symmetries of the mover's set take it.
    #[inline(always)]
    pub fn twins(&self, place: &Place) -> usize {
        self.stabilisers[place.row].len()
    }

    /// The column of one of the [`Turn::twins`] of `place`. It may be one that the position has already.
    #[inline(always)]
    pub fn twin<const BITS: bool>(&self, place: &Place, index: usize) -> u32 {
        let symmetry = self.stabilisers[place.row][index];
        self.column::<BITS>(place.row, self.images[usize::from(symmetry)].apply(place.waiter))
    }

    #[inline(always)]
    fn column<const BITS: bool>(&self, row: usize, waiter: u64) -> u32 {
        let left = self.board & !self.movers.representatives[row];
        self.waiter_columns.rank(compress::<BITS>(waiter, left))
    }

    /// The waiter's representative of `row`.
    pub fn waiter(&self, row: usize) -> u64 {
        self.waiters.representatives[row]
    }
}

/// Who takes the sources of [`Turn::pull`]. A trait and no closure, because a closure that is not inlined loses the
/// instruction set of the kernel around it; `visit` has to be `#[inline(always)]`.
pub trait Visit {
    /// Takes the next sources.
    fn visit(&mut self, sources: &[Source]);
}

/// A place in the table.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Row: the mover's orbit.
    pub row: usize,
    /// Column: the waiter's set.
    pub column: u32,
    /// The waiter's set in the frame of the row.
    waiter: u64,
}

/// What [`Turn::pull`] keeps between rows, to allocate once.
#[derive(Default)]
pub struct Scratch {
    mover_images: Vec<u64>,
    low: Vec<(u64, u32)>,
}

/// What the cells of `set` add to a rank when `below` cells of the whole set are lower.
#[inline]
fn partial_rank(set: u64, below: u32) -> u32 {
    cells(set).zip(below + 1..).map(|(cell, place)| binomial(u32::from(cell), place)).sum::<u64>()
        as u32
}
