//! Symmetries of the rules as permutations of the cells.
//!
//! Computes the images of sets of cells from the images of the cells, which a header lists. On 3×3 the quarter turn
//! clockwise takes the corner 0 to the corner 2, the edge 1 to the edge 5, and leaves the centre:
//!
//! ```text
//! 0 1 2      6 3 0
//! 3 4 5  →   7 4 1     images 2 5 8 1 4 7 0 3 6: cell 0 goes to 2, cell 1 to 5, …; the top row {0,1,2} to {2,5,8}
//! 6 7 8      8 5 2
//! ```

use crate::fields;
use crate::order::Sequence;
use crate::position::{AGED, CELLS, MAX_CELLS, Position};
use crate::rank::cells;
use alloc::vec::Vec;

/// A permutation of the cells: cell `c` goes to [`Permutation::image`]`(c)`. Ordered by the images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Permutation {
    /// The images, then zeros. An array, because opening a table reads up to 1,024 permutations, and a `Vec` would allocate for each.
    images: [u8; MAX_CELLS as usize],
    length: u8,
}

impl Permutation {
    /// The permutation that sends cell `c` to `images[c]`; `None` if `images` is longer than [`MAX_CELLS`] or is not a permutation of
    /// `0..images.len()`.
    pub fn new(images: &[u8]) -> Option<Permutation> {
        let mut permutation = Permutation { length: 0, images: [0; MAX_CELLS as usize] };
        permutation.images.get_mut(..images.len())?.copy_from_slice(images);
        permutation.length = images.len() as u8;
        let bit = |&cell: &u8| 1u64.checked_shl(cell.into()).unwrap_or(0);
        let full = images.iter().fold(0, |set, cell| set | bit(cell));
        (full == (1u64 << images.len()) - 1).then_some(permutation)
    }

    /// The identity on `cells` cells, at most [`MAX_CELLS`].
    pub fn identity(cells: u8) -> Permutation {
        let length = cells.min(MAX_CELLS);
        let image = |cell: usize| if cell < length.into() { cell as u8 } else { 0 };
        let images = core::array::from_fn(image);
        Permutation { length, images }
    }

    /// The image of `cell`; a cell off the board is its own image.
    #[inline]
    pub fn image(&self, cell: u8) -> u8 {
        self.images().get(usize::from(cell)).copied().unwrap_or(cell)
    }

    /// The images of all cells, in their order.
    #[inline]
    pub fn images(&self) -> &[u8] {
        self.images.get(..usize::from(self.length)).unwrap_or(&self.images)
    }

    /// The image of a side's word. Cells off the board are dropped. Costs one read per cell.
    #[inline]
    #[must_use]
    pub fn apply(&self, word: u64) -> u64 {
        if word > CELLS {
            return self.apply_above(word);
        }
        let images = cells(word).filter_map(|cell| self.images().get(cell as usize));
        images.fold(0, |set, image| set | 1 << (image & 63))
    }

    /// The image of a word with pieces in hand or pieces that age.
    #[cold]
    fn apply_above(&self, word: u64) -> u64 {
        if word & AGED == 0 {
            return word & !CELLS | self.apply(word & CELLS);
        }
        let mut image = Sequence::default();
        Sequence::of(word).cells().iter().for_each(|&cell| image.push(self.image(cell)));
        image.word()
    }
}

/// The images of a position under these symmetries, each once, in ascending order. If the symmetries form a group, which is not checked,
/// the images are the orbit of the position.
pub fn orbit(position: Position, symmetries: &[Permutation]) -> Vec<Position> {
    let image = |symmetry: &Permutation| Position {
        mover: symmetry.apply(position.mover),
        waiter: symmetry.apply(position.waiter),
    };
    let mut orbit: Vec<Position> = symmetries.iter().map(image).collect();
    orbit.sort_unstable();
    orbit.dedup();
    orbit
}

coded!(
    Permutation,
    |permutation, encoder| fields::Encode::encode(permutation.images(), encoder),
    |decoder| {
        let images: Vec<u8> = fields::Decode::decode(decoder)?;
        Permutation::new(&images)
            .ok_or(fields::DecodeError::Other("not a permutation of at most 36 cells"))
    }
);

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
    fn a_turn_moves_the_top_row_to_the_right() {
        let turn = Permutation::new(&[2, 5, 8, 1, 4, 7, 0, 3, 6]).unwrap();
        assert_eq!(turn.apply(0b111), 1 << 2 | 1 << 5 | 1 << 8);
        assert_eq!((turn.image(8), turn.image(9), turn.image(255)), (6, 9, 255));
    }
}
