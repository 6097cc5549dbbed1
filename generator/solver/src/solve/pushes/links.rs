//! The rows to which pushes lead from one row, and the images of sets of numbers there.

use crate::sets::FoldedSets;
use crate::solve::pushes::{MOST, Push};
use morpion_core::rank::cells;
use morpion_games::symmetry::orbits::Orbits;
use morpion_machine::memory::prefetch;

/// The rows in which the children or parents of a row are, by push.
pub struct Links<'s> {
    sets: &'s FoldedSets,
    orbits: &'s Orbits,
    /// The set of the row, and the cells that it leaves.
    set: u64,
    left: u64,
    /// Number of lower and of upper numbers.
    halves: [u32; 2],
    /// For each link, the images of the sets of lower numbers and of upper numbers; empty if there are few sets to map.
    tables: Vec<u32>,
    has_tables: bool,
    /// Row and symmetry of each push.
    folded: Vec<u32>,
    links: Vec<Link>,
}

/// The row in which the children or parents by one push are.
pub struct Link {
    /// The number of the cell that the mover must own, or must not own.
    pub number: u32,
    pub row: usize,
    images: [u8; MOST],
}

impl Link {
    /// The image of a number.
    #[inline(always)]
    pub fn image(&self, number: u32) -> u8 {
        self.images[number as usize]
    }
}

impl<'s> Links<'s> {
    /// The links of a row. If there are many sets to map, tables of images are computed.
    #[inline(always)]
    pub fn new(sets: &'s FoldedSets, orbits: &'s Orbits, row: usize, has_tables: bool) -> Self {
        let set = orbits.representatives[row];
        let left = sets.game().board() & !set;
        let lower = left.count_ones().div_ceil(2);
        let halves = [lower, left.count_ones() - lower];
        Links {
            sets,
            orbits,
            set,
            left,
            halves,
            tables: Vec::new(),
            has_tables,
            folded: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Number of table entries of a link.
    #[inline(always)]
    fn length(&self) -> usize {
        (1 << self.halves[0]) + (1 << self.halves[1])
    }

    /// The links that were added.
    #[inline(always)]
    pub fn all(&self) -> &[Link] {
        &self.links
    }

    /// Finds the rows of all pushes that may be added. The entries of all images in their map are prefetched first, and then the
    /// representatives of all rows.
    #[inline(always)]
    pub fn fold<'p>(&mut self, pushes: impl Iterator<Item = &'p Push>) {
        let Links { orbits, ref mut folded, set, .. } = *self;
        for push in pushes {
            let rank = orbits.ranker.rank(push.apply(set));
            prefetch(&orbits.map, rank as usize);
            folded.push(rank);
        }
        for folded in folded {
            *folded = orbits.map[*folded as usize];
            prefetch(&orbits.representatives, orbits.split(*folded).0);
        }
    }

    /// Removes all links.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.links.clear();
        self.tables.clear();
    }

    /// Adds the link of a push, which was number `number` when they were folded.
    #[inline(always)]
    pub fn add(&mut self, number: usize, Push { from: cell, images: permutation, .. }: &Push) {
        let Links { orbits, left, .. } = *self;
        let (row, symmetry) = orbits.split(self.folded[number]);
        let symmetry = self.sets.symmetries()[symmetry].images();
        let after = self.sets.game().board() & !orbits.representatives[row];
        let mut images = [0; MOST];
        for (number, cell) in images.iter_mut().zip(cells(left)) {
            let image = symmetry[usize::from(permutation[usize::from(cell)])];
            *number = (after & ((1 << image) - 1)).count_ones() as u8;
        }
        let number = (left & ((1 << cell) - 1)).count_ones();
        self.links.push(Link { number, row, images });
        if self.has_tables {
            let start = self.tables.len();
            self.tables.resize(start + self.length(), 0);
            let (lower, upper) = self.tables[start..].split_at_mut(1 << self.halves[0]);
            fill(lower, &images);
            fill(upper, &images[self.halves[0] as usize..]);
        }
    }

    /// Returns true if all links of the numbers of a set are fine.
    #[inline(always)]
    pub fn all_of(&self, set: u32, is_fine: impl Fn(usize, &Link) -> bool) -> bool {
        let mut links = self.links.iter().enumerate();
        links.all(|(index, link)| set >> link.number & 1 == 0 || is_fine(index, link))
    }

    /// The images of the sets of lower numbers, and of upper numbers.
    #[inline(always)]
    pub fn tables(&self, link: usize) -> [&[u32]; 2] {
        let tables = &self.tables[link * self.length()..][..self.length()];
        let (lower, upper) = tables.split_at(1 << self.halves[0]);
        [lower, upper]
    }

    /// The image of a set by link number `link`.
    #[inline(always)]
    pub fn image(&self, link: usize, set: u32) -> u32 {
        if !self.has_tables {
            let image = |number: u8| 1u32 << self.links[link].image(number.into());
            return cells(set.into()).fold(0, |all, number| all | image(number));
        }
        let [lower, upper] = self.tables(link);
        lower[set as usize & (lower.len() - 1)]
            | upper[(set >> self.halves[0]) as usize & (upper.len() - 1)]
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
