//! The turn: from the waiter's rows, where an operator works, to the mover's rows of the table.
//!
//! An operator fixes the waiter's set B, a representative, and gives a value for every set A of the mover among the cells
//! that B leaves. The table has (A, B) in the row of A. [`Turn::pull`] fills rows of the table in order and reads from
//! anywhere; [`Turn::place`] and [`Turn::twins`] take one position of the waiter's rows to all its places in the table.

use crate::solve::frame::Frame;
use morpion_games::symmetry::orbits::{Images, Orbits};
use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::Counts;
use morpion_lookup::rank::{expand, subsets};
use morpion_machine::isa::{Kernel, compress};
use morpion_machine::memory::prefetch;
use std::ops::Range;

/// The turn of one layer.
pub struct Turn<'f> {
    board: u64,
    counts: Counts,
    images: &'f [Images],
    movers: &'f Orbits,
    waiters: &'f Orbits,
    /// Ranks of the mover's sets among the cells the waiter leaves: columns of the waiter's rows.
    mover_columns: Ranker,
    /// Ranks of the waiter's sets among the cells the mover leaves: columns of the table's rows.
    waiter_columns: Ranker,
    /// The cells that each row's mover leaves, and above [`STABILISER`] bits the number of its stabiliser: in one word,
    /// as both are asked for each place and the rows come in no order.
    left: Vec<u64>,
    /// Symmetries other than the identity that keep a row's representative. The first are none, for the rows whose orbit
    /// is as long as the group, which are nearly all.
    stabilisers: Vec<Vec<u16>>,
}

/// Bits of a word that hold the cells of any board.
const STABILISER: u32 = 36;

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
        let movers = frame.orbits(counts.mover);
        let (board, order) = (frame.game().board(), frame.symmetries().len());
        let keeps = |set: u64| {
            let keeps = |&symmetry: &u16| frame.images()[usize::from(symmetry)].apply(set) == set;
            (1..order as u16).filter(keeps).collect()
        };
        let mut stabilisers = vec![Vec::new()];
        let left = movers.representatives.iter().zip(&movers.lengths).map(|(&set, &length)| {
            let mut number = 0;
            if (length as usize) < order {
                number = stabilisers.len();
                stabilisers.push(keeps(set));
            }
            board & !set | (number as u64) << STABILISER
        });
        let left = left.collect();
        Turn {
            board,
            counts,
            images: frame.images(),
            movers,
            waiters: frame.orbits(counts.waiter),
            mover_columns: Ranker::new(cells - waiter, mover),
            waiter_columns: Ranker::new(cells - mover, waiter),
            left,
            stabilisers,
        }
    }

    /// Visits where the entries of some neighbouring rows of the table come from: `rows`, of which those in `dead` (one
    /// for each) are left out. The sources of one row come in the order of its columns, in batches of at most
    /// [`BATCH`]; batches of different rows alternate, so that rows share what they read of the waiter's map.
    #[inline(always)]
    pub fn pull<const BITS: bool>(
        &self,
        rows: Range<usize>,
        dead: &[bool],
        scratch: &mut Scratch,
        visitor: &mut impl Visit,
    ) {
        let size = u32::from(self.counts.waiter);
        let ranker = &self.waiters.ranker;
        scratch.prepare(self, rows, dead, ranker);
        let order = self.images.len();
        // One batch is computed, and its lines called for, before the batch before it is visited: so the lines have the
        // time of a whole batch to arrive.
        let mut batches = [[Source::default(); BATCH]; 2];
        let mut fresh = 0;
        let (mut called_row, mut called_length) = (0, 0);
        // A set of the waiter is a high part of the board and a low one. For one high part the map is read in one short
        // stretch, which stays in the cache while all rows of the tile go over it.
        for high in 0..ranker.high_parts() {
            let Some(left) = size.checked_sub((high as u64).count_ones()) else { continue };
            let left = left as usize;
            let high_rank = ranker.high_rank(high);
            for (index, tile) in scratch.tile.iter().enumerate() {
                if tile.high & high as u64 != 0 || left + 1 >= tile.low_ends.len() {
                    continue;
                }
                let lows = tile.low_ends[left] as usize..tile.low_ends[left + 1] as usize;
                let images = &scratch.mover_images[index * order..][..order];
                for low_ranks in scratch.low_ranks[lows].chunks(BATCH) {
                    for (source, &low_rank) in batches[fresh].iter_mut().zip(low_ranks) {
                        let entry = self.waiters.map[(high_rank + low_rank) as usize];
                        let (row, symmetry) = self.waiters.split(entry);
                        let left = self.board & !self.waiters.representatives[row];
                        let column =
                            self.mover_columns.rank(compress::<BITS>(images[symmetry], left));
                        *source = Source { row: row as u32, column };
                        visitor.call(source);
                    }
                    fresh ^= 1;
                    visitor.visit(called_row, &batches[fresh][..called_length]);
                    (called_row, called_length) = (tile.row, low_ranks.len());
                }
            }
        }
        visitor.visit(called_row, &batches[fresh ^ 1][..called_length]);
    }

    /// How many symmetries there are.
    pub fn order(&self) -> usize {
        self.images.len()
    }

    /// The images of the waiter's representative of `row` under the whole group.
    pub fn waiter_images(&self, row: usize) -> impl Iterator<Item = u64> {
        self.images.iter().map(move |images| images.apply(self.waiters.representatives[row]))
    }

    /// The rank of a set of the mover, for which [`Turn::place`] will be asked soon.
    #[inline(always)]
    pub fn call(&self, mover: u64) -> u32 {
        let rank = self.movers.ranker.rank(mover);
        prefetch(&self.movers.map, rank as usize);
        rank
    }

    /// The place in the table of the position whose mover has the set of rank `mover_rank`, and whose waiter's set has these
    /// images under the whole group.
    #[inline(always)]
    pub fn place<const BITS: bool>(&self, mover_rank: u32, waiter_images: &[u64]) -> Place {
        let (row, symmetry) = self.movers.split(self.movers.map[mover_rank as usize]);
        let waiter = waiter_images[symmetry];
        Place { row, column: self.column::<BITS>(row, waiter), waiter }
    }

    /// The symmetries of the mover's set beside the identity: each takes the position to another place in the row of
    /// `place`, or to one that it has already.
    #[inline(always)]
    pub fn twins(&self, place: &Place) -> &[u16] {
        &self.stabilisers[(self.left[place.row] >> STABILISER) as usize]
    }

    /// The column where one of the [`Turn::twins`] takes `place`.
    #[inline(always)]
    pub fn twin<const BITS: bool>(&self, place: &Place, symmetry: u16) -> u32 {
        self.column::<BITS>(place.row, self.images[usize::from(symmetry)].apply(place.waiter))
    }

    #[inline(always)]
    fn column<const BITS: bool>(&self, row: usize, waiter: u64) -> u32 {
        let left = self.left[row] & self.board;
        self.waiter_columns.rank(compress::<BITS>(waiter, left))
    }

    /// The waiter's representative of `row`.
    pub fn waiter(&self, row: usize) -> u64 {
        self.waiters.representatives[row]
    }

    /// The cells that the waiter of `row` leaves.
    pub fn left(&self, row: usize) -> u64 {
        self.board & !self.waiter(row)
    }
}

/// Who takes the sources of [`Turn::pull`]. A trait and no closure, because a closure that is not inlined loses the
/// instruction set of the kernel around it; `visit` has to be `#[inline(always)]`.
pub trait Visit {
    /// Takes the next sources of the row number `row` of those that are pulled.
    fn visit(&mut self, row: usize, sources: &[Source]);

    /// Is told of a source before it is visited, to call for what it will read there.
    #[inline(always)]
    fn call(&self, source: &Source) {
        let _ = source;
    }
}

/// How many rows of the table are pulled together.
pub const TILE: usize = 64;

/// [`Turn::pull`] as a kernel.
pub struct Pull<'a, 'f, V> {
    /// The turn.
    pub turn: &'a Turn<'f>,
    /// At most [`TILE`] rows of the table.
    pub rows: Range<usize>,
    /// For each of them whether it is left out.
    pub dead: &'a [bool],
    /// To allocate once.
    pub scratch: &'a mut Scratch,
    /// Who takes the sources.
    pub visitor: V,
}

impl<V: Visit> Kernel for Pull<'_, '_, V> {
    type Output = V;

    #[inline(always)]
    fn run<const BITS: bool>(mut self) -> V {
        self.turn.pull::<BITS>(self.rows, self.dead, self.scratch, &mut self.visitor);
        self.visitor
    }
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

/// What [`Turn::pull`] keeps between tiles, to allocate once.
#[derive(Default)]
pub struct Scratch {
    tile: Vec<TileRow>,
    /// The images of each row's mover under the whole group.
    mover_images: Vec<u64>,
    /// Of each row, what the low parts that its mover leaves add to a rank: by their size, then ascending.
    low_ranks: Vec<u32>,
}

struct TileRow {
    /// Number among the rows that are pulled.
    row: usize,
    /// The high part of the mover's set.
    high: u64,
    /// Where the low parts of size 0, 1, … begin in `low_ranks`, and where the last ones end.
    low_ends: Vec<u32>,
}

impl Scratch {
    fn prepare(&mut self, turn: &Turn, rows: Range<usize>, dead: &[bool], ranker: &Ranker) {
        self.tile.clear();
        self.mover_images.clear();
        self.low_ranks.clear();
        let split = ranker.split();
        for (row, _) in rows.clone().zip(dead).filter(|(_, dead)| !**dead) {
            let mover = turn.movers.representatives[row];
            self.mover_images.extend(turn.images.iter().map(|images| images.apply(mover)));
            let left = turn.board & !mover & ((1 << split) - 1);
            let mut low_ends = vec![self.low_ranks.len() as u32];
            for size in 0..=left.count_ones().min(u32::from(turn.counts.waiter)) {
                let lows = subsets(left.count_ones(), size)
                    .map(|bits| ranker.low_rank(expand(bits, left)));
                self.low_ranks.extend(lows);
                low_ends.push(self.low_ranks.len() as u32);
            }
            self.tile.push(TileRow { row: row - rows.start, high: mover >> split, low_ends });
        }
    }
}
