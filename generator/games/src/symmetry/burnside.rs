//! Counts orbits without listing them, by Burnside's lemma.
//!
//! The number of orbits of a group is the mean number of points that its elements fix (W. Burnside, *Theory of Groups of Finite
//! Order*, 1897, §118–119; the lemma is older, Cauchy 1845 and Frobenius 1887). A permutation of the cells fixes a set if each of
//! its cycles is inside the set or outside. So the number of fixed sets of m cells is the coefficient of xᵐ in Π (1 + xˡ), where l runs
//! over the lengths of the cycles.
//!
//! Example: the quarter turn of the 3×3 board has cycles of 1, 4 and 4 cells. It fixes none of the 36 sets of two cells, and two of the
//! 126 sets of four.

use morpion_core::{Permutation, rank::cells};

/// Counts the orbits of the sets of `size` cells under `symmetries`, which must be a group.
///
/// Costs symmetries × cells × size, independent of the number of sets.
pub fn orbits_of_sets(symmetries: &[Permutation], size: u8) -> u64 {
    let fixed: u128 = symmetries.iter().map(|symmetry| fixed(symmetry, size.into())).sum();
    (fixed / symmetries.len().max(1) as u128) as u64
}

/// Counts the sets of `size` cells that a permutation fixes.
fn fixed(symmetry: &Permutation, size: usize) -> u128 {
    let mut coefficients = vec![0u128; size + 1];
    coefficients[0] = 1;
    for length in cycles(symmetry).map(|cycle| cycle.count_ones() as usize) {
        // Multiplies by 1 + x^length in place, from the highest power down.
        for power in (length..=size).rev() {
            coefficients[power] += coefficients[power - length];
        }
    }
    coefficients[size]
}

/// The sets of cells that a permutation moves in a cycle.
pub fn cycles(symmetry: &Permutation) -> impl Iterator<Item = u64> {
    let mut left = (1u64 << symmetry.images().len()) - 1;
    std::iter::from_fn(move || {
        let (mut cell, mut cycle) = (cells(left).next()?, 0);
        while cycle >> cell & 1 == 0 {
            cycle |= 1 << cell;
            cell = symmetry.image(cell);
        }
        left &= !cycle;
        Some(cycle)
    })
}
