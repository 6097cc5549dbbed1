//! The order of pieces that age, as part of a side's word.
//!
//! Converts between a word and the cells of its pieces, the oldest first. The order is written above the cells as the number of a
//! permutation (Lehmer code, 0 if the lowest cell is the oldest), with the bit [`AGED`], which distinguishes such a word from a set of
//! cells and from a word with pieces in hand. With pieces on cells 0 to 2, the order 2, 0, 1 has the number 2 · 2! + 0 · 1! + 0 = 4.

use crate::position::{AGED, CELLS, SHIFT};
use crate::rank::cells;

/// The most pieces of a side in a game whose pieces age: the number of their order then fits 16 bits.
pub const MAX_AGED: u8 = 8;

/// The cells of a side whose pieces age, the oldest first: at most [`MAX_AGED`], and one more after a placement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    cells: [u8; MAX_AGED as usize + 1],
    length: usize,
}

/// Number of orders of `pieces` pieces.
pub const fn orders(pieces: u8) -> u64 {
    let (mut product, mut factor) = (1, 2);
    while factor <= pieces as u64 {
        product = factor.saturating_mul(product);
        factor += 1;
    }
    product
}

/// The number of the order of a word; 0 for a word without order.
pub const fn order(word: u64) -> u64 {
    if word & AGED == 0 { 0 } else { (word >> SHIFT) & 0xFFFF }
}

/// Returns true if a word is valid in a game whose pieces age: it has no pieces, or pieces and the number of an order of them.
pub(crate) fn is_in_order(word: u64) -> bool {
    let (set, pieces) = (word & CELLS, (word & CELLS).count_ones() as u8);
    let ordered = if set == 0 { 0 } else { set | AGED | order(word) << SHIFT };
    word == ordered && pieces <= MAX_AGED + 1 && order(word) < orders(pieces)
}

impl Sequence {
    /// The pieces of a word, at most nine.
    pub fn of(word: u64) -> Sequence {
        // Numbers of orders have 16 bits, so divisions of 32 bits are enough. They are faster than divisions of 64 bits.
        let (mut left, mut number) = (word & CELLS, order(word) as u32);
        let mut sequence = Sequence::default();
        for rest in (0..left.count_ones().min(u32::from(MAX_AGED) + 1)).rev() {
            let later = orders(rest as u8) as u32;
            let cell = cells(left).nth((number / later % (rest + 1)) as usize).unwrap_or_default();
            number %= later;
            left &= !(1 << cell);
            sequence.push(cell);
        }
        sequence
    }

    /// The cells, the oldest first.
    pub fn cells(&self) -> &[u8] {
        self.cells.get(..self.length).unwrap_or_default()
    }

    /// Adds the newest piece.
    pub fn push(&mut self, cell: u8) {
        if let Some(slot) = self.cells.get_mut(self.length) {
            *slot = cell;
            self.length += 1;
        }
    }

    /// Removes the oldest piece, if there is one.
    pub fn remove_oldest(&mut self) {
        self.cells.rotate_left(1);
        self.length = self.length.saturating_sub(1);
    }

    /// The word of these pieces; 0 without any.
    pub fn word(&self) -> u64 {
        let (mut set, mut number) = (0, 0);
        for (index, &cell) in self.cells().iter().enumerate() {
            let smaller = self.cells().iter().skip(index).filter(|&&other| other < cell).count();
            number = number * (self.length - index) as u64 + smaller as u64;
            set |= 1 << (cell & 63);
        }
        if set == 0 { 0 } else { set | AGED | number << SHIFT }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_order_is_a_word_of_its_own() {
        let set = 0b1_0110_1001;
        let words = (0..orders(5)).map(|number| set | AGED | number << SHIFT);
        for word in words {
            let sequence = Sequence::of(word);
            assert_eq!(sequence.word(), word);
            assert_eq!(sequence.cells().iter().fold(0, |set, cell| set | 1 << cell), set);
        }
        assert_eq!(Sequence::of(0b111 | AGED | 4 << SHIFT).cells(), [2, 0, 1]);
        assert_eq!(Sequence::of(0).word(), 0);
        let bits = [0, set, AGED, set | AGED, 0xFFF, 0xFFF | AGED, 1 << 63];
        for word in bits.iter().flat_map(|bits| (0..200).map(move |order| bits | order << SHIFT)) {
            assert_eq!(is_in_order(word), Sequence::of(word).word() == word, "{word:#x}");
            // The pieces of any word are on its cells.
            let cells = Sequence::of(word).cells().iter().fold(0u64, |set, cell| set | 1 << cell);
            assert_eq!(
                (cells & !word, cells.count_ones()),
                (0, (word & CELLS).count_ones().min(9))
            );
        }
    }
}
