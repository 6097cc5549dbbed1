//! Sends an operator's results from the waiter's rows to the table in batches. This is the transposition of many
//! positions at once.

use crate::solve::exchange::Outbox;
use crate::solve::planes::STRIP_ROWS;
use crate::solve::transposition::Transposition;

/// Number of positions that are ranked before the first is located, so that their map entries can be prefetched.
const WAITING: usize = 128;

/// Sends positions with their codes to all their places in the table.
pub struct Places<'a, 'f, 'o, 's> {
    pub transposition: &'a Transposition<'f>,
    /// Columns of the table.
    pub columns: usize,
    /// The images of the waiters under the whole group, row by row.
    images: &'a [u64],
    outbox: &'o mut Outbox<'s>,
    /// The rank of the mover's set, the index of the waiter's images, and the code.
    waiting: Vec<(u32, u32, u16)>,
}

impl<'a, 'f, 'o, 's> Places<'a, 'f, 'o, 's> {
    /// Creates a sender for positions whose waiters have these images.
    pub fn new(
        transposition: &'a Transposition<'f>,
        columns: usize,
        images: &'a [u64],
        outbox: &'o mut Outbox<'s>,
    ) -> Self {
        let waiting = Vec::with_capacity(WAITING);
        Places { transposition, columns, images, outbox, waiting }
    }

    /// Sends the position with this set of the mover, and with the waiter at index `images`.
    #[inline(always)]
    pub fn send<const BITS: bool>(&mut self, mover: u64, images: usize, code: u16) {
        let rank = self.transposition.rank_and_prefetch(mover);
        self.waiting.push((rank, images as u32, code));
        if self.waiting.len() == WAITING {
            self.flush::<BITS>();
        }
    }

    /// Sends all buffered positions.
    #[inline(always)]
    pub fn flush<const BITS: bool>(&mut self) {
        let Places { transposition, columns, images, outbox, waiting } = self;
        let order = transposition.order();
        let mut add = |row: usize, column: u32, code| {
            let key = row % STRIP_ROWS * *columns + column as usize;
            outbox.add(code, row / STRIP_ROWS, key as u32);
        };
        for (rank, number, code) in waiting.drain(..) {
            let images = &images[number as usize * order..][..order];
            let location = transposition.locate::<BITS>(rank, images);
            add(location.row, location.column, code);
            for &symmetry in transposition.stabiliser(&location) {
                add(location.row, transposition.image_column::<BITS>(&location, symmetry), code);
            }
        }
    }
}
