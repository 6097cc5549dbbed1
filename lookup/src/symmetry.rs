//! Symmetries of the rules as permutations of the cells.

use crate::rank::cells;
use crate::rules::MAX_CELLS;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A permutation of the cells: cell `c` goes to [`Permutation::image`]`(c)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Permutation {
    images: Vec<u8>,
}

impl Permutation {
    /// The permutation that sends cell `c` to `images[c]`, or `None` where `images` is no permutation of
    /// `0..images.len()` or longer than [`MAX_CELLS`].
    pub fn new(images: &[u8]) -> Option<Permutation> {
        let permutation = Permutation { images: images.to_vec() };
        permutation.is_sound().then_some(permutation)
    }

    /// The identity on `cells` cells.
    pub fn identity(cells: u8) -> Permutation {
        Permutation { images: (0..cells).collect() }
    }

    /// Whether this is a permutation at all; one that was read from a file need not be.
    pub(crate) fn is_sound(&self) -> bool {
        let full = self
            .images
            .iter()
            .filter(|&&cell| cell < MAX_CELLS)
            .fold(0u64, |set, &cell| set | 1 << cell);
        self.images.len() <= MAX_CELLS as usize && full == (1u64 << self.images.len()) - 1
    }

    /// How many cells are permuted.
    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Whether there is no cell to permute.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// Where `cell` goes; off the board nothing moves.
    #[inline]
    pub fn image(&self, cell: u8) -> u8 {
        self.images.get(usize::from(cell)).copied().unwrap_or(cell)
    }

    /// Where all cells go, in their order.
    #[inline]
    pub fn images(&self) -> &[u8] {
        &self.images
    }

    /// Where the cells of `set` go. Cells off the board are dropped. Costs one read a cell.
    #[inline]
    pub fn apply(&self, set: u64) -> u64 {
        cells(set)
            .filter_map(|cell| self.images.get(cell as usize))
            .fold(0, |image, &cell| image | 1 << (cell & 63))
    }

    /// The permutation that undoes this one.
    pub fn inverse(&self) -> Permutation {
        let mut images = alloc::vec![0; self.images.len()];
        for (cell, &image) in self.images.iter().enumerate() {
            images[image as usize] = cell as u8;
        }
        Permutation { images }
    }
}

// As a list of bytes, which is read and written at once: opening a table reads up to 1,024 of them.
impl Serialize for Permutation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.images)
    }
}

impl<'de> Deserialize<'de> for Permutation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Permutation, D::Error> {
        struct Images;
        impl Visitor<'_> for Images {
            type Value = Permutation;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a permutation of at most 36 cells")
            }

            fn visit_bytes<E: Error>(self, images: &[u8]) -> Result<Permutation, E> {
                Permutation::new(images).ok_or_else(|| E::invalid_length(images.len(), &self))
            }
        }
        deserializer.deserialize_bytes(Images)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_permutations_are_accepted() {
        assert!(Permutation::new(&[2, 0, 1]).is_some());
        assert!(Permutation::new(&[0, 0, 1]).is_none());
        assert!(Permutation::new(&[0, 1, 3]).is_none());
        assert!(Permutation::new(&[200]).is_none());
        assert!(Permutation::new(&[0; 40]).is_none());
    }

    #[test]
    fn the_inverse_undoes() {
        let turn = Permutation::new(&[2, 5, 8, 1, 4, 7, 0, 3, 6]).unwrap();
        for set in 0..1 << 9 {
            assert_eq!(turn.inverse().apply(turn.apply(set)), set);
        }
        assert_eq!(turn.apply(0b111), 1 << 2 | 1 << 5 | 1 << 8);
        assert_eq!((turn.image(8), turn.image(9), turn.image(255)), (6, 9, 255));
    }
}
