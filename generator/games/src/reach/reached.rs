//! A set of positions of one layer, with one bit per arrangement.
//!
//! A set of a folded walk has only *representatives*. Each representative represents itself and its images in other rows.

use crate::reach::TooLarge;
use crate::reach::arrangements::Arrangements;
use crate::reach::fold::Fold;
use morpion_core::{CELLS, Position};
use morpion_machine::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Number of arrangements in a block.
const BLOCK: u64 = 1 << 22;

/// A set of positions of one layer.
#[derive(Debug)]
pub struct Reached {
    arranged: Arc<Arrangements>,
    /// One bit per arrangement, by number.
    bits: Vec<AtomicU64>,
    root_moves: bool,
    fold: Arc<Fold>,
}

impl Reached {
    /// All positions of the layer, by number.
    pub fn arranged(&self) -> &Arrangements {
        &self.arranged
    }

    /// Returns true if the same side is to move as at the root. In a layer in which either side may be to move, this has no meaning with
    /// [`Sides::Together`](crate::reach::walk::Sides).
    pub fn root_moves(&self) -> bool {
        self.root_moves
    }

    /// Returns an empty set for the same layer, in which each position represents itself alone.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn unfolded(&self) -> Result<Reached, TooLarge> {
        Reached::empty(self.arranged.clone(), self.root_moves, Arc::default())
    }

    /// An empty set for the same layer, folded in the same way.
    pub(crate) fn none(&self) -> Result<Reached, TooLarge> {
        Reached::empty(self.arranged.clone(), self.root_moves, self.fold.clone())
    }

    pub(crate) fn empty(
        arranged: Arc<Arrangements>,
        root_moves: bool,
        fold: Arc<Fold>,
    ) -> Result<Reached, TooLarge> {
        let count = u64::try_from(arranged.count()).unwrap_or(u64::MAX);
        let words = usize::try_from(count.div_ceil(64)).map_err(|_| TooLarge(count))?;
        let mut bits = Vec::new();
        bits.try_reserve_exact(words).map_err(|_| TooLarge(count))?;
        bits.resize_with(words, AtomicU64::default);
        Ok(Reached { arranged, bits, root_moves, fold })
    }

    /// A set of the same positions.
    pub(crate) fn copy(&self) -> Result<Reached, TooLarge> {
        let mut copy = self.none()?;
        for (word, bits) in copy.bits.iter_mut().zip(&self.bits) {
            *word.get_mut() = bits.load(Ordering::Relaxed);
        }
        Ok(copy)
    }

    /// Removes the positions of another set of the same layer.
    pub fn remove(&mut self, other: &Reached) {
        for (word, bits) in self.bits.iter_mut().zip(&other.bits) {
            *word.get_mut() &= !bits.load(Ordering::Relaxed);
        }
    }

    /// Adds a position of the layer and returns true if it is new. Threads may add to one set at the same time.
    #[inline]
    pub fn insert(&self, position: Position) -> bool {
        self.insert_number(self.arranged.number(position))
    }

    /// Adds the position with this number.
    #[inline]
    pub(crate) fn insert_number(&self, number: u64) -> bool {
        let bit = 1 << (number % 64);
        let word = &self.bits[(number / 64) as usize];
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Number of positions that the representatives represent.
    pub fn len(&self) -> u64 {
        let blocks: Vec<Range<u64>> = self.blocks().collect();
        let in_row = |row| self.represented(row) * self.in_row(row).count() as u64;
        let in_block = |block: usize| blocks[block].clone().map(in_row).sum::<u64>();
        threads::map(blocks.len(), &in_block).into_iter().sum()
    }

    /// The rows, in blocks of about [`BLOCK`] arrangements.
    fn blocks(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let (rows, many) = (self.arranged.rows(), BLOCK / self.arranged.columns().max(1) + 1);
        (0..rows).step_by(many as usize).map(move |first| first..rows.min(first + many))
    }

    /// Number of positions that each position in a row represents.
    fn represented(&self, row: u64) -> u64 {
        self.fold.represented(self.arranged.mover(row) & CELLS)
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| word.load(Ordering::Relaxed) == 0)
    }

    /// Visits the representatives on all threads of the pool, each with the number of positions that it represents.
    pub fn for_each(&self, visit: impl Fn(Position, u64) + Sync) {
        threads::each(self.arranged.rows() as usize, &|row| {
            let positions = self.represented(row as u64);
            self.row(row as u64).for_each(|position| visit(position, positions));
        });
    }

    /// Visits the representatives block by block on all threads of the pool, and calls `check` before each block.
    pub(crate) fn for_each_in_blocks<E: From<TooLarge>>(
        &self,
        check: impl Fn() -> Result<(), E>,
        visit: impl Fn(Position) -> Result<(), TooLarge> + Sync,
    ) -> Result<(), E> {
        for block in self.blocks() {
            check()?;
            let fault = OnceLock::new();
            threads::each((block.end - block.start) as usize, &|row| {
                if let Err(error) = self.row(block.start + row as u64).try_for_each(&visit) {
                    let _ = fault.set(error);
                }
            });
            fault.into_inner().map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    /// The first representative whose number in the layer is at least `from`, and its number.
    pub fn first(&self, from: u64) -> Option<(u64, Position)> {
        let number = self.numbers(from, self.arranged.count() as u64).next()?;
        Some((number, self.arranged.position(number)))
    }

    /// The representatives, ordered by the mover's set, then by the order of the mover's pieces if they age, then in the same way by the
    /// waiter's set.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        (0..self.arranged.rows()).flat_map(|row| self.row(row))
    }

    /// The positions with one word of the mover.
    fn row(&self, row: u64) -> impl Iterator<Item = Position> + '_ {
        let position = self.arranged.in_row(row);
        self.in_row(row).map(position)
    }

    /// The columns of the set in a row, ascending.
    fn in_row(&self, row: u64) -> impl Iterator<Item = u64> + '_ {
        let columns = self.arranged.columns();
        self.numbers(row * columns, (row + 1) * columns).map(move |number| number - row * columns)
    }

    /// The numbers in the set from `next` to `end`, ascending.
    fn numbers(&self, mut next: u64, end: u64) -> impl Iterator<Item = u64> + '_ {
        std::iter::from_fn(move || {
            while next < end {
                let word = self.bits[(next / 64) as usize].load(Ordering::Relaxed) >> (next % 64);
                if word != 0 {
                    let number = next + u64::from(word.trailing_zeros());
                    next = number + 1;
                    return (number < end).then_some(number);
                }
                next = (next / 64 + 1) * 64;
            }
            None
        })
    }
}
