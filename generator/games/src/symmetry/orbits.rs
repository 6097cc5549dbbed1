//! Folds the sets of one size by the group into orbits, the rows of a table.
//!
//! The representative of an orbit is its least set. On 3×3 the nine sets of one cell fold into three rows: {0} for the corners, {1}
//! for the sides, {4} for the centre.

use crate::symmetry::ranker::Ranker;
use morpion_core::{
    Images, Permutation,
    rank::{binomial, subsets},
    symmetry_bits,
};
use morpion_machine::memory::filled;
use morpion_machine::progress::{Progress, Stopped};

/// The orbits of the sets of one size, numbered in ascending order of their representatives. The representative of an orbit is its least
/// mask.
#[derive(Clone, Debug)]
pub struct Orbits {
    /// Cells of a set.
    pub size: u32,
    /// The representative of each row.
    pub representatives: Vec<u64>,
    /// Number of sets in the orbit of each row.
    pub lengths: Vec<u32>,
    /// Row and symmetry of each set, by rank: the low [`Orbits::bits`] bits number the first symmetry that takes the set to the
    /// representative, the bits above are the row. A table contains this map as it is.
    pub map: Vec<u32>,
    /// Number of low bits of a map entry that number the symmetry.
    pub bits: u32,
    /// Ranks of the sets.
    pub ranker: Ranker,
}

impl Orbits {
    /// Folds the `size`-subsets of `cells` cells by `symmetries`, a group in ascending order.
    ///
    /// The number of sets must be less than 2³², and rows times symmetries must fit 32 bits; [`Orbits::fit`] checks both.
    /// Costs one image and 4 bytes per set.
    ///
    /// # Errors
    /// If `progress` requests a stop.
    pub fn new(
        cells: u32,
        size: u32,
        symmetries: &[Permutation],
        progress: &dyn Progress,
    ) -> Result<Orbits, Stopped> {
        const FREE: u32 = u32::MAX;
        let ranker = Ranker::new(cells, size);
        let bits = symmetry_bits(symmetries.len());
        let inverses: Vec<Permutation> = symmetries.iter().map(inverse).collect();
        let inverses = Images::new(cells as u8, &inverses);
        let mut map = filled(binomial(cells, size) as usize, FREE);
        let (mut representatives, mut lengths) = (Vec::new(), Vec::new());
        for (set, rank) in subsets(cells, size).zip(0..) {
            if map[rank as usize] != FREE {
                continue;
            }
            // In ascending order, a set without an orbit is the least of its orbit.
            let row = representatives.len() as u32;
            if row.is_multiple_of(1 << 12) {
                progress.check()?;
            }
            let mut length = 0;
            for (symmetry, image) in inverses.all(set).enumerate() {
                let entry = &mut map[ranker.rank(image) as usize];
                if *entry == FREE {
                    *entry = row << bits | symmetry as u32;
                    length += 1;
                }
            }
            representatives.push(set);
            lengths.push(length);
        }
        // Solvers read the representatives at random, as they read the map, so large pages are faster for both.
        let mut in_large_pages = filled(representatives.len(), 0);
        in_large_pages.copy_from_slice(&representatives);
        Ok(Orbits { size, representatives: in_large_pages, lengths, map, bits, ranker })
    }

    /// Checks that [`Orbits::new`] can fold the `size`-subsets of `cells` cells by a group of `symmetries` elements.
    pub fn fit(cells: u32, size: u32, symmetries: usize) -> bool {
        // Less than 2³², so that the greatest entry stays free, which marks a set without an orbit.
        binomial(cells, size)
            .checked_shl(symmetry_bits(symmetries))
            .is_some_and(|sets| sets < 1 << 32)
    }

    /// Number of orbits.
    pub fn rows(&self) -> usize {
        self.representatives.len()
    }

    /// Splits an entry of the map into row and symmetry.
    #[inline(always)]
    pub fn split(&self, entry: u32) -> (usize, usize) {
        ((entry >> self.bits) as usize, (entry & ((1 << self.bits) - 1)) as usize)
    }
}

/// The inverse of a permutation.
pub fn inverse(permutation: &Permutation) -> Permutation {
    let mut images = permutation.images().to_vec();
    for (&image, cell) in permutation.images().iter().zip(0..) {
        images[usize::from(image)] = cell;
    }
    Permutation::new(&images).expect("the inverse of a permutation is one")
}
