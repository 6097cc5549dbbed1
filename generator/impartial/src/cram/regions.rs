//! Values of positions of cram, computed from their connected regions. The value of each region is cached up to symmetry. So
//! empty boards can be solved for which a table of all positions would be too large.
//!
//! The mex is never computed. Let `*v` be a nim heap of `v` counters. `R + *v` is lost for the side to move exactly if
//! `v` is the value of `R`, and a single winning move disproves a loss (Lemoine and Viennot, *Nimbers are inevitable*,
//! 2012).

use super::board::Board;
use super::shape::{Shape, shapes};
use std::collections::HashMap;

/// Computes values of positions, with a cache of the values of regions up to rotation and reflection.
#[derive(Default)]
pub struct Regions {
    /// The values from 0 to 31 that each shape may have, as bits. A single bit is the value.
    possible: HashMap<Shape, u32>,
}

impl Regions {
    /// Number of shapes in the cache.
    #[must_use]
    pub fn shapes(&self) -> usize {
        self.possible.len()
    }

    /// Returns the value of the board with these cells occupied.
    pub fn value(&mut self, board: Board, occupied: u64) -> u8 {
        let free = board.all() & !occupied;
        shapes(free, board.columns).into_iter().fold(0, |sum, shape| sum ^ self.shape(shape))
    }

    /// Returns the values that a shape may have.
    fn possible(&mut self, shape: Shape) -> &mut u32 {
        // A value is at most the number of moves of the longest play.
        let most = (shape.cells.count_ones() / 2).min(31);
        self.possible.entry(shape).or_insert(u32::MAX >> (31 - most))
    }

    fn shape(&mut self, shape: Shape) -> u8 {
        // Each turn excludes a value. The last possible value needs no search.
        loop {
            let least = self.possible(shape).trailing_zeros() as u8;
            if self.is(shape, least) {
                return least;
            }
        }
    }

    /// Returns true if `shape` has the value `value`, so that `shape + *value` is lost for the side to move.
    fn is(&mut self, shape: Shape, value: u8) -> bool {
        let possible = *self.possible(shape);
        if possible >> value & 1 == 0 || possible.is_power_of_two() {
            return possible == 1 << value;
        }
        let is_value = !shape.options().iter().any(|shapes| self.sum_is(shapes, value))
            && !(0..value).any(|smaller| self.is(shape, smaller));
        let possible = self.possible(shape);
        *possible = if is_value { 1 << value } else { *possible & !(1 << value) };
        debug_assert!(*possible != 0, "one of the values is that of the shape");
        is_value
    }

    /// Returns true if the sum of these shapes has the value `value`. The values of the smaller shapes are computed. The
    /// largest shape is only compared with the remaining value.
    fn sum_is(&mut self, shapes: &[Shape], value: u8) -> bool {
        let Some((last, others)) = shapes.split_last() else { return value == 0 };
        let sum = others.iter().fold(value, |sum, shape| sum ^ self.shape(*shape));
        sum < 32 && self.is(*last, sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::dense::dense;
    use super::*;
    use crate::octal::{Moves, definition};
    use morpion_machine::progress::Unobserved;

    #[test]
    fn regions_and_the_table_of_all_positions_agree_on_every_set() {
        for (rows, columns) in [(1, 1), (1, 5), (2, 2), (2, 3), (3, 3), (3, 4), (2, 7), (1, 12)] {
            let board = Board { rows, columns };
            let values = dense(board, &Unobserved).unwrap();
            let mut regions = Regions::default();
            for (set, value) in values.iter().enumerate() {
                assert_eq!(regions.value(board, set as u64), *value, "{rows}x{columns} {set:#x}");
            }
        }
    }

    #[test]
    fn one_row_is_dawsons_kayles() {
        let heaps = definition::values(&Moves::new(&"0.07".parse().unwrap()).unwrap(), 40);
        let mut regions = Regions::default();
        for cells in 1..=40 {
            let value = regions.value(Board { rows: 1, columns: cells }, 0);
            assert_eq!(u32::from(value), heaps[cells as usize]);
        }
    }
}
