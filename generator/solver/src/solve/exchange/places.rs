//! Sends an operator's results from the waiter's rows to the table in batches. This is the transposition of many
//! positions at once.

use crate::solve::exchange::Outbox;
use crate::solve::planes::STRIP_ROWS;
use crate::solve::transposition::Transposition;
use morpion_core::CELLS;
use morpion_machine::isa::{Kernel, dispatch, expand};
use std::ops::Range;

/// Number of positions that are ranked before the first is located, so that their map entries can be prefetched.
const WAITING: usize = 128;

/// Sends positions with their codes to all their places in the table.
pub struct Places<'a, 'f, 'o, 's> {
    transposition: &'a Transposition<'f>,
    /// The mover's words by column of the waiter's rows. Cells are numbered among the cells that the waiter leaves.
    movers: &'a [u64],
    /// The first of the waiter's rows.
    first: usize,
    /// The images of the waiters under the whole group, row by row.
    images: Vec<u64>,
    outbox: &'o mut Outbox<'s>,
    waiting: Vec<Coded>,
}

/// A position in the waiter's rows, with its code.
#[derive(Clone, Copy)]
struct Coded {
    /// The row, counted from the first of the waiter's rows.
    row: u32,
    column: u32,
    code: u16,
}

impl<'a, 'f, 'o, 's> Places<'a, 'f, 'o, 's> {
    /// Creates a sender for positions in some of the waiter's rows.
    pub fn new(
        transposition: &'a Transposition<'f>,
        movers: &'a [u64],
        rows: Range<usize>,
        outbox: &'o mut Outbox<'s>,
    ) -> Self {
        let (first, images) = (rows.start, transposition.waiter_images(rows));
        let waiting = Vec::with_capacity(WAITING);
        Places { transposition, movers, first, images, outbox, waiting }
    }

    /// Sends a position. `row` is counted from the first of the waiter's rows.
    #[inline(always)]
    pub fn send(&mut self, row: usize, column: usize, code: u16) {
        self.waiting.push(Coded { row: row as u32, column: column as u32, code });
        if self.waiting.len() == WAITING {
            self.flush();
        }
    }

    /// Sends all buffered positions.
    #[inline(never)]
    pub fn flush(&mut self) {
        match self.transposition.has_ages {
            true => dispatch(Flush::<true>(self)),
            false => dispatch(Flush::<false>(self)),
        }
    }
}

/// Sends the buffered positions.
struct Flush<'p, 'a, 'f, 'o, 's, const AGES: bool>(&'p mut Places<'a, 'f, 'o, 's>);

impl<const AGES: bool> Kernel for Flush<'_, '_, '_, '_, '_, AGES> {
    type Output = ();
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Places { transposition, movers, first, images, outbox, waiting } = self.0;
        let mut ranks = [0; WAITING];
        let mover = |found: &Coded| {
            let left = transposition.cells_left::<AGES>(*first + found.row as usize);
            let word = movers[found.column as usize];
            match AGES {
                true => expand::<BITS>(word & CELLS, left) | word & !CELLS,
                false => expand::<BITS>(word, left),
            }
        };
        for (rank, found) in ranks.iter_mut().zip(&*waiting) {
            *rank = transposition.rank_and_prefetch(mover(found) & CELLS);
        }
        let order = transposition.order();
        for (found, rank) in waiting.iter().zip(ranks) {
            let images = &images[found.row as usize * order..][..order];
            let word = if AGES { mover(found) } else { 0 };
            let location = transposition.locate::<BITS, AGES>(rank, word, images);
            transposition.each_place::<BITS, AGES>(&location, |place| {
                let key = place.row % STRIP_ROWS * transposition.columns + place.column as usize;
                outbox.add(found.code, place.row / STRIP_ROWS, key as u32);
            });
        }
        waiting.clear();
    }
}
