//! Images of sets of cells under the symmetries of a game, by lookup tables, seven cells at a time.
//!
//! Computes the same images as [`Permutation::apply`], faster.

use crate::chunks::{SETS, WIDTH, chunk, chunks_of};
use crate::symmetry::Permutation;
use alloc::vec::Vec;

/// Images of sets under each of several permutations. Each permutation has a table of 1 KiB for every seven cells.
#[derive(Clone, Debug)]
pub struct Images {
    /// Number of tables of a permutation.
    chunks: usize,
    /// The images of the sets of each chunk, by permutation and chunk.
    tables: Vec<[u64; SETS]>,
}

impl Images {
    /// Computes the tables of some permutations of `cells` cells.
    pub fn new(cells: u8, permutations: &[Permutation]) -> Images {
        let chunks = chunks_of(cells.into());
        let mut tables = Vec::with_capacity(permutations.len() * chunks);
        for permutation in permutations {
            let mut images = permutation.images().chunks(WIDTH as usize);
            for _ in 0..chunks {
                let images = images.next().unwrap_or_default();
                let mut table = [0; SETS];
                for (cell, &image) in images.iter().enumerate() {
                    let half = 1 << cell;
                    for set in 0..half {
                        table[half + set] = table[set] | 1u64 << (image & 63);
                    }
                }
                tables.push(table);
            }
        }
        Images { chunks, tables }
    }

    /// The image of `set` under permutation number `index`; `None` if there is no such permutation.
    #[inline]
    pub fn get(&self, index: usize, set: u64) -> Option<u64> {
        self.get_by(self.chunks, index, set)
    }

    /// The images of `set` under all permutations, in their order.
    #[inline]
    pub fn all(&self, set: u64) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.tables.chunks_exact(self.chunks).map(move |tables| image(tables, set))
    }

    /// Equal to [`Images::get`], for callers whose number of tables, `chunks`, is known to the compiler.
    #[inline(always)]
    pub(crate) fn get_by(&self, chunks: usize, index: usize, set: u64) -> Option<u64> {
        // No closure here: it would not be inlined, and a probe would take 14 % more instructions.
        let tables = self.tables.get(index * chunks..(index + 1) * chunks)?;
        Some(image(tables, set))
    }
}

/// The image of a set by the tables of one permutation.
#[inline(always)]
fn image(tables: &[[u64; SETS]], set: u64) -> u64 {
    let mut image = 0;
    for (index, table) in tables.iter().enumerate() {
        image |= table[chunk(set, index)];
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::MAX_CELLS;
    use alloc::vec;

    #[test]
    fn tables_agree_with_the_permutations_on_every_size_of_board() {
        for cells in 1..=MAX_CELLS {
            let reversed: Vec<u8> = (0..cells).rev().collect();
            let permutations =
                vec![Permutation::identity(cells), Permutation::new(&reversed).unwrap()];
            let images = Images::new(cells, &permutations);
            let full = (1u64 << cells) - 1;
            let mixed = (1..500u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20);
            for set in mixed.chain([0, full]).map(|set| set & full) {
                let expected: Vec<u64> =
                    permutations.iter().map(|permutation| permutation.apply(set)).collect();
                assert_eq!(images.all(set).collect::<Vec<_>>(), expected);
                assert_eq!(images.get(1, set), Some(expected[1]));
                assert_eq!(images.get_by(images.chunks, 1, set), Some(expected[1]));
                assert_eq!(images.get_by(images.chunks, 2, set), None);
            }
            assert_eq!(images.get(2, full), None);
        }
    }
}
