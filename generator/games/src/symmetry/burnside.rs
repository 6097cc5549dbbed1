//! Counts orbits without listing them, by Burnside's lemma.
//!
//! The number of orbits of a group is the mean number of points that its elements fix (W. Burnside, *Theory of Groups of Finite
//! Order*, 1897, §118–119; the lemma is older, Cauchy 1845 and Frobenius 1887). A permutation of the cells fixes an arrangement if
//! each of its cycles belongs to one side or is empty. So the number of fixed arrangements of layer (m, w) is the coefficient of
//! xᵐyʷ in Π (1 + xˡ + yˡ), where l runs over the lengths of the cycles.
//!
//! Example: the quarter turn of the 3×3 board has cycles of 1, 4 and 4 cells. It fixes none of the 756 arrangements of two and two
//! pieces, and two of the 630 arrangements of four and four.

use morpion_core::{Counts, Permutation, rank::cells};

/// Counts the orbits of the arrangements of layer `counts` under `symmetries`, which must be a group.
///
/// Costs symmetries × cells × pieces², independent of the number of arrangements.
pub fn orbits_of_arrangements(symmetries: &[Permutation], counts: Counts) -> u64 {
    let fixed: u128 = symmetries.iter().map(|symmetry| fixed(symmetry, counts)).sum();
    (fixed / symmetries.len().max(1) as u128) as u64
}

/// Counts the orbits of the arrangements of layer `counts` whose pieces have an order, under `symmetries`, which must be a group. Only
/// arrangements on fixed cells are fixed.
pub fn orbits_of_orders(symmetries: &[Permutation], counts: Counts) -> u64 {
    let pieces = u32::from(counts.mover + counts.waiter);
    let fixed = |symmetry: &Permutation| -> u128 {
        let cells =
            (0..).zip(symmetry.images()).filter(|(cell, image)| cell == *image).count() as u32;
        (0..pieces).map(|placed| u128::from(cells.saturating_sub(placed))).product()
    };
    (symmetries.iter().map(fixed).sum::<u128>() / symmetries.len().max(1) as u128) as u64
}

/// Counts the orbits of the sets of `size` cells under `symmetries`, which must be a group.
pub fn orbits_of_sets(symmetries: &[Permutation], size: u8) -> u64 {
    orbits_of_arrangements(symmetries, Counts { mover: size, waiter: 0 })
}

/// Counts the arrangements of the layer that a permutation fixes.
fn fixed(symmetry: &Permutation, counts: Counts) -> u128 {
    let (movers, waiters) = (usize::from(counts.mover), usize::from(counts.waiter));
    let at = |mover: usize, waiter: usize| mover * (waiters + 1) + waiter;
    let mut coefficients = vec![0u64; (movers + 1) * (waiters + 1)];
    coefficients[0] = 1;
    for length in cycles(symmetry).map(|cycle| cycle.count_ones() as usize) {
        // Multiplied by 1 + x^length + y^length in place, from the highest powers down.
        for mover in (0..=movers).rev() {
            for waiter in (0..=waiters).rev() {
                let held_by_mover = mover.checked_sub(length).map(|before| at(before, waiter));
                let held_by_waiter = waiter.checked_sub(length).map(|before| at(mover, before));
                let ways: u64 = [held_by_mover, held_by_waiter]
                    .iter()
                    .flatten()
                    .map(|&at| coefficients[at])
                    .sum();
                coefficients[at(mover, waiter)] += ways;
            }
        }
    }
    coefficients[at(movers, waiters)].into()
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
