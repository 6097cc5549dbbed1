//! The rows to which pushes lead from one row, and the images of sets of numbers there.

use crate::sets::FoldedSets;
use crate::solve::pushes::{MOST, Push};
use morpion_core::rank::cells;
use morpion_games::symmetry::orbits::Orbits;
use morpion_machine::memory::prefetch;

/// The rows in which the children or parents of a row are, by push.
pub struct Links {
    all: Vec<Link>,
    /// Number of cells whose numbers count as lower, and the length of the tables of a link.
    lower: u32,
    length: usize,
    /// For each link, the images of the sets of lower numbers and of upper numbers; empty if there are few sets to map.
    tables: Vec<u32>,
}

/// The row in which the children or parents by one push are.
pub struct Link {
    /// The number of the cell that the mover must own, or must not own.
    pub number: u32,
    pub row: usize,
    images: [u8; MOST],
}

impl Links {
    /// The links of a row, for the pushes from cells that the row leaves and whose numbers are in the set `numbers`. If `has_tables`,
    /// tables of images are computed, which saves time if many sets are mapped.
    #[inline(always)]
    pub fn new(
        sets: &FoldedSets,
        orbits: &Orbits,
        row: usize,
        pushes: &[Push],
        numbers: u32,
        has_tables: bool,
    ) -> Links {
        let (board, set) = (sets.layout.game.board(), orbits.representatives[row]);
        let left = board & !set;
        // First prefetches the map entries of all images, and then the representatives of all rows.
        let mut folded: Vec<(u32, &Push, u32)> = Vec::with_capacity(pushes.len());
        for push in pushes.iter().filter(|push| left >> push.from & 1 == 1) {
            let number = (left & ((1 << push.from) - 1)).count_ones();
            if numbers >> number & 1 == 1 {
                let rank = orbits.ranker.rank(push.images.get(0, set).unwrap_or_default());
                prefetch(&orbits.map, rank as usize);
                folded.push((number, push, rank));
            }
        }
        for (.., folded) in &mut folded {
            *folded = orbits.map[*folded as usize];
            prefetch(&orbits.representatives, orbits.split(*folded).0);
        }
        let mut all = Vec::with_capacity(folded.len());
        for (number, push, folded) in folded {
            let (row, symmetry) = orbits.split(folded);
            let symmetry = sets.layout.symmetries[symmetry].images();
            let after = board & !orbits.representatives[row];
            let mut images = [0; MOST];
            for (number, cell) in images.iter_mut().zip(cells(left)) {
                let image = symmetry[usize::from(push.permutation.images()[usize::from(cell)])];
                *number = (after & ((1 << image) - 1)).count_ones() as u8;
            }
            all.push(Link { number, row, images });
        }
        let lower = left.count_ones().div_ceil(2);
        let length = (1 << lower) + (1 << (left.count_ones() - lower));
        let mut tables = vec![0; if has_tables { length * all.len() } else { 0 }];
        for (link, tables) in all.iter().zip(tables.chunks_exact_mut(length)) {
            let (low, high) = tables.split_at_mut(1 << lower);
            fill(low, &link.images);
            fill(high, &link.images[lower as usize..]);
        }
        Links { all, lower, length, tables }
    }

    /// The links, in the order of the pushes.
    #[inline(always)]
    pub fn all(&self) -> &[Link] {
        &self.all
    }

    /// Prefetches the rows with these codes.
    #[inline(always)]
    pub fn prefetch<T>(&self, codes: &[T], columns: usize) {
        for link in &self.all {
            let row = &codes[link.row * columns..][..columns];
            (0..columns).step_by(64 / size_of::<T>()).for_each(|column| prefetch(row, column));
        }
    }

    /// The image of a set by link number `link`.
    #[inline(always)]
    pub fn image(&self, link: usize, set: u32) -> u32 {
        if self.tables.is_empty() {
            let image = |number: u8| 1u32 << self.all[link].images[usize::from(number)];
            return cells(set.into()).fold(0, |all, number| all | image(number));
        }
        let tables = &self.tables[link * self.length..][..self.length];
        let (lower, upper) = tables.split_at(1 << self.lower);
        lower[set as usize & (lower.len() - 1)]
            | upper[(set >> self.lower) as usize & (upper.len() - 1)]
    }
}

/// Fills a table with the images of all sets of numbers.
#[inline(always)]
fn fill(table: &mut [u32], images: &[u8]) {
    let mut length = 1;
    for image in images.iter().take(table.len().trailing_zeros() as usize) {
        let (without, with) = table.split_at_mut(length);
        for (with, without) in with.iter_mut().zip(without) {
            *with = *without | 1 << image;
        }
        length *= 2;
    }
}
