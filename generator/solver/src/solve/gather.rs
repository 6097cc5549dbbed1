//! Gathering: rows of the table filled in order, each entry from where it stands in the waiter's rows.
//!
//! In: neighbouring rows of the table, by the [`Transposition`] of their layer. Out: for each of their entries, in the order
//! of the columns, its [`WaiterKey`], handed to a visitor in batches.

use crate::solve::transposition::Transposition;
use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::rank::{expand, subsets};
use morpion_machine::isa::{Kernel, compress};
use std::ops::Range;

/// Where a value stands in the waiter's rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct WaiterKey {
    /// Row of the waiter's set.
    pub row: u32,
    /// Column: rank of the mover's set among the cells that are left.
    pub column: u32,
}

/// How many sources a batch has at most: enough for their reads to overlap.
const BATCH: usize = 128;

/// How many rows of the table are gathered together.
pub const GATHERED_ROWS: usize = 64;

/// What takes the sources of a [`Gather`]. A trait and no closure, because a closure that is not inlined loses the
/// instruction set of the kernel around it; `visit` has to be `#[inline(always)]`.
pub trait GatherVisitor {
    /// Takes the next sources of row number `row` of those that are gathered.
    fn visit(&mut self, row: usize, sources: &[WaiterKey]);

    /// Prefetches what [`GatherVisitor::visit`] will read for a source, about a batch before it does.
    #[inline(always)]
    fn prefetch(&self, source: &WaiterKey) {
        let _ = source;
    }
}

/// The gathering of some rows, as a kernel. The sources of one row come in the order of its columns; batches of different
/// rows alternate, so that rows share what they read of the waiter's map.
pub struct Gather<'a, 'f, V> {
    /// The transposition of the layer.
    pub transposition: &'a Transposition<'f>,
    /// Neighbouring rows of the table, at most [`GATHERED_ROWS`].
    pub rows: Range<usize>,
    /// For each of them whether it is left out.
    pub skip: &'a [bool],
    /// Reused from one gathering to the next.
    pub scratch: &'a mut Scratch,
    /// What takes the sources.
    pub visitor: V,
}

impl<V: GatherVisitor> Kernel for Gather<'_, '_, V> {
    type Output = V;

    #[inline(always)]
    fn run<const BITS: bool>(self) -> V {
        let Gather { transposition, rows, skip, scratch, mut visitor } = self;
        let Transposition { board, counts, waiters, mover_columns, .. } = transposition;
        let size = u32::from(counts.waiter);
        let ranker = &waiters.ranker;
        scratch.prepare(transposition, rows, skip, ranker);
        let order = transposition.order();
        // One batch is computed, and its lines prefetched, before the batch before it is visited: so the lines have the
        // time of a whole batch to arrive.
        let mut batches = [[WaiterKey::default(); BATCH]; 2];
        let mut fresh = 0;
        let (mut waiting_row, mut waiting_length) = (0, 0);
        // A set of the waiter is a high part of the board and a low one. For one high part the map is read in one short
        // stretch, which stays in the cache while all rows of the tile go over it.
        for high in 0..ranker.high_parts() {
            let Some(low_size) = size.checked_sub((high as u64).count_ones()) else { continue };
            let low_size = low_size as usize;
            let high_rank = ranker.high_rank(high);
            for (index, tile_row) in scratch.tile.iter().enumerate() {
                if tile_row.high & high as u64 != 0 || low_size + 1 >= tile_row.low_ends.len() {
                    continue;
                }
                let lows =
                    tile_row.low_ends[low_size] as usize..tile_row.low_ends[low_size + 1] as usize;
                let images = &scratch.mover_images[index * order..][..order];
                for low_ranks in scratch.low_ranks[lows].chunks(BATCH) {
                    for (source, &low_rank) in batches[fresh].iter_mut().zip(low_ranks) {
                        let entry = waiters.map[(high_rank + low_rank) as usize];
                        let (row, symmetry) = waiters.split(entry);
                        let left = board & !waiters.representatives[row];
                        let column = mover_columns.rank(compress::<BITS>(images[symmetry], left));
                        *source = WaiterKey { row: row as u32, column };
                        visitor.prefetch(source);
                    }
                    fresh ^= 1;
                    visitor.visit(waiting_row, &batches[fresh][..waiting_length]);
                    (waiting_row, waiting_length) = (tile_row.row, low_ranks.len());
                }
            }
        }
        visitor.visit(waiting_row, &batches[fresh ^ 1][..waiting_length]);
        visitor
    }
}

/// Buffers of a [`Gather`], for one tile of rows after the other.
#[derive(Default)]
pub struct Scratch {
    tile: Vec<TileRow>,
    /// The images of each row's mover under the whole group.
    mover_images: Vec<u64>,
    /// Of each row, what the low parts that its mover leaves add to a rank: by their size, then ascending.
    low_ranks: Vec<u32>,
}

/// One row of the tile that is gathered.
struct TileRow {
    /// Number among the rows that are gathered.
    row: usize,
    /// The high part of the mover's set.
    high: u64,
    /// Where the low parts of size 0, 1, … begin in `low_ranks`, and where the last ones end.
    low_ends: Vec<u32>,
}

impl Scratch {
    fn prepare(
        &mut self,
        transposition: &Transposition,
        rows: Range<usize>,
        skip: &[bool],
        ranker: &Ranker,
    ) {
        self.tile.clear();
        self.mover_images.clear();
        self.low_ranks.clear();
        let split = ranker.split();
        for (row, _) in rows.clone().zip(skip).filter(|(_, skip)| !**skip) {
            let mover = transposition.movers.representatives[row];
            self.mover_images.extend(transposition.images.iter().map(|images| images.apply(mover)));
            let left = transposition.board & !mover & ((1 << split) - 1);
            let mut low_ends = vec![self.low_ranks.len() as u32];
            for size in 0..=left.count_ones().min(u32::from(transposition.counts.waiter)) {
                let lows = subsets(left.count_ones(), size)
                    .map(|bits| ranker.low_rank(expand(bits, left)));
                self.low_ranks.extend(lows);
                low_ends.push(self.low_ranks.len() as u32);
            }
            self.tile.push(TileRow { row: row - rows.start, high: mover >> split, low_ends });
        }
    }
}
