//! The rows of all sets of the mover of one size, and the symmetries that map the sets to the representatives.

use super::field::Lanes;
use super::hash::Hash;
use crate::keys::{Keys, Row};
use morpion_core::rank::binomial;

/// The bit of [`Place`] that marks a set with a line.
const LINE: u32 = 1 << 31;

/// The row and the coset of one set.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub row: u32,
    coset: u32,
}

impl Place {
    /// Number of the coset, in the order of [`Places::least_images`].
    #[inline(always)]
    pub fn coset(self) -> usize {
        (self.coset & !LINE) as usize
    }

    /// True if the set owns a line.
    #[inline(always)]
    pub fn has_line(self) -> bool {
        self.coset & LINE != 0
    }
}

/// The rows of all sets of one size.
pub(crate) struct Places {
    /// The places by rank of the set.
    pub by_rank: Vec<Place>,
    /// The factor of the representative of each row.
    pub factors: Vec<Lanes>,
    /// The symmetries of each coset that occurs.
    cosets: Vec<Vec<u16>>,
}

impl Places {
    pub fn new<const E: u32>(keys: &Keys, size: u8, hash: &Hash<E>) -> Places {
        let game = keys.table.game();
        let rows = keys.rows(size);
        let line = |row: &Row| if game.has_line(row.representative) { LINE } else { 0 };
        let lines: Vec<u32> = rows.iter().map(line).collect();
        let (mut cosets, mut numbers) = (Vec::new(), vec![u32::MAX; keys.cosets.count()]);
        let count = binomial(u32::from(game.cells()), u32::from(size));
        let place = |rank| {
            let (row, symmetry) = keys.map(size).entry(rank);
            let coset = keys.cosets.coset(rows[row as usize].stabiliser, symmetry);
            let number = &mut numbers[coset as usize];
            if *number == u32::MAX {
                *number = cosets.len() as u32;
                cosets.push(keys.cosets.of_coset(coset).to_vec());
            }
            Place { row: row as u32, coset: *number | lines[row as usize] }
        };
        let by_rank = (0..count).map(place).collect();
        let factors = rows.iter().map(|row| hash.of_mover(row.representative)).collect();
        Places { by_rank, factors, cosets }
    }

    /// Computes the factor of the least image of a waiter's set under each coset. `images` are the images of this set under each symmetry.
    pub fn least_images<const E: u32>(
        &self,
        hash: &Hash<E>,
        images: &[u64],
        factors: &mut Vec<Lanes>,
    ) {
        factors.clear();
        factors.extend(self.cosets.iter().map(|coset| {
            let images = coset.iter().map(|&symmetry| images[usize::from(symmetry)]);
            hash.of_waiter(images.min().unwrap_or_default())
        }));
    }
}
