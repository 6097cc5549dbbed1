//! The second half of a step: what was found in the waiter's rows is written to all its places in the table.

use super::{Block, MovementLayer, tiles};
use crate::error::{SolveError, TooDeep};
use crate::solve::planes::{BLOCK_ROWS, Bits};
use crate::solve::shared::Shared;
use crate::solve::transposition::{Location, Transposition};
use morpion_lookup::raw::rank::subsets;
use morpion_machine::isa::{Isa, Kernel, dispatch, expand};
use morpion_machine::memory::prefetch;
use rayon::prelude::*;

/// Columns of a block that are written together.
const WRITTEN_COLUMNS: usize = 256;

impl<E: Shared> MovementLayer<'_, E> {
    /// Writes what was found to the table's rows; `codes` are those of a win and of a loss, `None` where the distance does
    /// not fit. Returns how many entries were written.
    pub(super) fn write(&mut self, codes: [Option<E>; 2]) -> Result<u64, SolveError> {
        let movers: Vec<u64> =
            subsets(self.shape.cells_left, u32::from(self.counts.mover)).collect();
        let table = E::share(&mut self.codes);
        let isa = Isa::detect();
        let work = Write {
            transposition: &self.transposition,
            images: &self.images,
            movers: &movers,
            table,
            columns: self.shape.columns,
            blocks: &self.blocks,
        };
        let wins: fn(&Block) -> &[Bits] = |block| &block.wins;
        let losses: fn(&Block) -> &[Bits] = |block| &block.losses;
        let mut written = 0;
        for (found, code) in [wins, losses].into_iter().zip(codes) {
            let chunks = self.blocks.par_iter().enumerate().flat_map(|(number, block)| {
                let chunks = found(block).par_chunks(WRITTEN_COLUMNS).enumerate();
                chunks.map(move |(chunk, plane)| Chunk {
                    block: number,
                    first: chunk * WRITTEN_COLUMNS,
                    plane,
                })
            });
            written += chunks
                .map(|chunk| match code {
                    Some(code) => dispatch(isa, WriteChunk { work, chunk, code }),
                    // A distance that does not fit is a fault only where there is a position at it.
                    None => work.expect_nothing(chunk).map(|()| 0),
                })
                .try_reduce(|| 0, |a, b| Ok(a + b))?;
        }
        Ok(written)
    }
}

/// What all chunks of a step share: how positions are located, and the table.
struct Write<'a, 'f, E: Shared> {
    transposition: &'a Transposition<'f>,
    /// Images of the waiters' representatives, for each row as many as the group has elements.
    images: &'a [u64],
    /// The mover's sets by column, of the cells that a waiter leaves.
    movers: &'a [u64],
    table: &'a [E::Atomic],
    /// Columns of the table.
    columns: usize,
    blocks: &'a [Block],
}

impl<E: Shared> Clone for Write<'_, '_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Shared> Copy for Write<'_, '_, E> {}

/// Some columns of what was found in a block.
#[derive(Clone, Copy)]
struct Chunk<'a> {
    block: usize,
    /// The first column.
    first: usize,
    /// These columns of the plane of wins or of losses.
    plane: &'a [Bits],
}

impl<E: Shared> Write<'_, '_, E> {
    /// Where the position stands in the table whose waiter is that of `row` and whose mover has this set of the cells left.
    #[inline(always)]
    fn locate<const BITS: bool>(&self, row: usize, mover: u64) -> Location {
        let left = self.transposition.cells_left(row);
        let rank = self.transposition.rank_and_prefetch(expand::<BITS>(mover, left));
        let order = self.transposition.order();
        self.transposition.locate::<BITS>(rank, &self.images[row * order..][..order])
    }

    /// An error where any position of the chunk is undecided.
    fn expect_nothing(&self, chunk: Chunk) -> Result<(), TooDeep> {
        let mut undecided = false;
        for (lanes, &mover) in chunk.plane.iter().zip(&self.movers[chunk.first..]) {
            lanes.each(|lane| {
                let location = self.locate::<false>(chunk.block * BLOCK_ROWS + lane, mover);
                let entry = &self.table[location.row * self.columns + location.column as usize];
                undecided |= E::load(entry) == E::default();
            });
        }
        if undecided { Err(TooDeep) } else { Ok(()) }
    }
}

/// Writes one code for all positions of a chunk that are undecided. Returns how many entries it wrote.
struct WriteChunk<'a, 'f, E: Shared> {
    work: Write<'a, 'f, E>,
    chunk: Chunk<'a>,
    code: E,
}

impl<E: Shared> Kernel for WriteChunk<'_, '_, E> {
    type Output = Result<u64, TooDeep>;

    #[inline(always)]
    fn run<const BITS: bool>(self) -> Result<u64, TooDeep> {
        let WriteChunk { work, chunk, code } = self;
        let Write { transposition, movers, table, columns, blocks, .. } = work;
        let (mut written, tiles) = (0, tiles(columns));
        let mut entries: Vec<(u32, u32)> = Vec::new();
        for (lanes, &mover) in chunk.plane.iter().zip(&movers[chunk.first..]) {
            // All locations first, then all writes, so that the cache misses of the writes overlap.
            entries.clear();
            let mut add = |row: usize, column: u32| {
                prefetch(table, row * columns + column as usize);
                entries.push((row as u32, column));
            };
            for (word, &bits) in lanes.0.iter().enumerate() {
                let mut rest = bits;
                while rest != 0 {
                    let lane = word * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let location = work.locate::<BITS>(chunk.block * BLOCK_ROWS + lane, mover);
                    add(location.row, location.column);
                    for &symmetry in transposition.stabiliser(&location) {
                        let column = transposition.image_column::<BITS>(&location, symmetry);
                        add(location.row, column);
                    }
                }
            }
            for &(row, column) in &entries {
                let (row, column) = (row as usize, column as usize);
                let entry = &table[row * columns + column];
                // Entries that are not 0 are finished positions or none.
                if E::load(entry) == E::default() {
                    E::store(entry, code);
                    blocks[row / BLOCK_ROWS].make_stale(row % BLOCK_ROWS, column, tiles);
                    written += 1;
                }
            }
        }
        Ok(written)
    }
}
