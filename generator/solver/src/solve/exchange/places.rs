//! Sends an operator's results from the waiter's rows to the table in batches. This is the transposition of many
//! positions at once.

use crate::solve::exchange::Outbox;
use crate::solve::planes::STRIP_ROWS;
use crate::solve::transposition::Transposition;
use morpion_machine::isa::{Kernel, dispatch, expand};

/// Number of positions that are ranked before the first is located, so that their map entries can be prefetched.
const WAITING: usize = 128;

/// Sends positions with their codes to all their places in the table.
pub struct Places<'a, 'f, 'o, 's> {
    transposition: &'a Transposition<'f>,
    /// Columns of the table.
    columns: usize,
    /// The mover's sets by column of the waiter's rows, as sets of the cells that a waiter leaves.
    movers: &'a [u64],
    /// The first of the waiter's rows.
    first: usize,
    /// The images of the waiters under the whole group, row by row.
    images: &'a [u64],
    outbox: &'o mut Outbox<'s>,
    waiting: Vec<Found>,
}

/// A position in the waiter's rows, with its code.
#[derive(Clone, Copy)]
struct Found {
    /// The row, counted from the first.
    row: u32,
    column: u32,
    code: u16,
}

impl<'a, 'f, 'o, 's> Places<'a, 'f, 'o, 's> {
    /// Creates a sender for positions in rows from `first` on, whose waiters have these images.
    pub fn new(
        transposition: &'a Transposition<'f>,
        columns: usize,
        movers: &'a [u64],
        first: usize,
        images: &'a [u64],
        outbox: &'o mut Outbox<'s>,
    ) -> Self {
        let waiting = Vec::with_capacity(WAITING);
        Places { transposition, columns, movers, first, images, outbox, waiting }
    }

    /// Sends a position. Its row is counted from the first.
    #[inline(always)]
    pub fn send(&mut self, row: usize, column: usize, code: u16) {
        self.waiting.push(Found { row: row as u32, column: column as u32, code });
        if self.waiting.len() == WAITING {
            self.flush();
        }
    }

    /// Sends all buffered positions.
    #[inline(never)]
    pub fn flush(&mut self) {
        dispatch(Flush(self));
    }
}

/// Sends the buffered positions.
struct Flush<'p, 'a, 'f, 'o, 's>(&'p mut Places<'a, 'f, 'o, 's>);

impl Kernel for Flush<'_, '_, '_, '_, '_> {
    type Output = ();
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Places { transposition, columns, movers, first, images, outbox, waiting } = self.0;
        let mut ranks = [0; WAITING];
        for (rank, found) in ranks.iter_mut().zip(&*waiting) {
            let left = transposition.cells_left(*first + found.row as usize);
            let mover = expand::<BITS>(movers[found.column as usize], left);
            *rank = transposition.rank_and_prefetch(mover);
        }
        let order = transposition.order();
        let mut add = |row: usize, column: u32, code| {
            let key = row % STRIP_ROWS * *columns + column as usize;
            outbox.add(code, row / STRIP_ROWS, key as u32);
        };
        for (found, rank) in waiting.drain(..).zip(ranks) {
            let images = &images[found.row as usize * order..][..order];
            let location = transposition.locate::<BITS>(rank, images);
            add(location.row, location.column, found.code);
            for &symmetry in transposition.stabiliser(&location) {
                let column = transposition.image_column::<BITS>(&location, symmetry);
                add(location.row, column, found.code);
            }
        }
    }
}
