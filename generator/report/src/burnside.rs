//! Counting classes of arrangements without looking at any: Burnside's lemma.
//!
//! The number of orbits of a group is the mean number of things that its elements leave as they are (W. Burnside,
//! *Theory of Groups of Finite Order*, 1897, §118–119; the lemma is older, Cauchy 1845 and Frobenius 1887). An
//! arrangement of a layer is left as it is by a permutation of the cells where each of its cycles of cells is held by
//! the mover, held by the waiter, or empty as a whole; so these are counted by the coefficient of xᵐyʷ in
//! Π (1 + xˡ + yˡ), l running over the lengths of the cycles.

use crate::count::{Count, Symmetry};
use morpion_games::symmetry::group::symmetries_of_board;
use morpion_games::symmetry::orbits::Orbits;
use morpion_lookup::rank::{binomial, expand, subsets};
use morpion_lookup::{Counts, Game, Permutation, Table};
use rayon::prelude::*;
use serde::Serialize;

/// The number of classes of arrangements of the layer `counts` under `symmetries`, which have to be a group.
///
/// Costs as much as there are symmetries times cells times pieces squared, whatever the number of arrangements.
pub fn classes(symmetries: &[Permutation], counts: Counts) -> u64 {
    let fixed: u128 = symmetries.iter().map(|symmetry| fixed(symmetry, counts)).sum();
    (fixed / symmetries.len().max(1) as u128) as u64
}

/// How many arrangements of the layer a permutation leaves as they are.
fn fixed(symmetry: &Permutation, counts: Counts) -> u128 {
    let (movers, waiters) = (usize::from(counts.mover), usize::from(counts.waiter));
    let mut coefficients = vec![vec![0u128; waiters + 1]; movers + 1];
    coefficients[0][0] = 1;
    for length in cycle_lengths(symmetry) {
        // Multiplied by 1 + x^length + y^length in place, from the highest powers down.
        for mover in (0..=movers).rev() {
            for waiter in (0..=waiters).rev() {
                if let Some(before) = mover.checked_sub(length) {
                    coefficients[mover][waiter] += coefficients[before][waiter];
                }
                if let Some(before) = waiter.checked_sub(length) {
                    coefficients[mover][waiter] += coefficients[mover][before];
                }
            }
        }
    }
    coefficients[movers][waiters]
}

fn cycle_lengths(symmetry: &Permutation) -> Vec<usize> {
    let mut seen = vec![false; symmetry.len()];
    let mut lengths = Vec::new();
    for start in 0..symmetry.len() {
        let (mut cell, mut length) = (start, 0);
        while !std::mem::replace(&mut seen[cell], true) {
            cell = usize::from(symmetry.image(cell as u8));
            length += 1;
        }
        if length > 0 {
            lengths.push(length);
        }
    }
    lengths
}

/// The same number by looking at all of them: the classes of the mover's sets, and for each the waiter's sets that no
/// symmetry which keeps the mover's set takes to a lesser one. `None` where the sets are too many to be folded.
pub fn enumerate(game: &Game, symmetries: &[Permutation], counts: Counts) -> Option<u64> {
    let (cells, size) = (u32::from(game.cells()), u32::from(counts.mover));
    if !Orbits::fit(cells, size, symmetries.len()) {
        return None;
    }
    let orbits = Orbits::new(cells, size, symmetries);
    let classes = orbits.representatives.par_iter().map(|&mover| {
        let left = game.board() & !mover;
        let keeps: Vec<&Permutation> =
            symmetries[1..].iter().filter(|symmetry| symmetry.apply(mover) == mover).collect();
        let waiters =
            subsets(left.count_ones(), u32::from(counts.waiter)).map(|bits| expand(bits, left));
        waiters
            .filter(|&waiter| keeps.iter().all(|symmetry| symmetry.apply(waiter) >= waiter))
            .count() as u64
    });
    Some(classes.sum())
}

/// The classes of one layer, counted in three ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LayerClasses {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the side waiting.
    pub waiter: u8,
    /// All arrangements.
    pub arrangements: u64,
    /// Their classes by Burnside's lemma.
    pub burnside: u64,
    /// Their classes by looking at them; `None` where they are too many to be looked at.
    pub enumerated: Option<u64>,
    /// The classes that play reaches by placing alone; `None` from a preset start.
    pub reached: Option<u64>,
}

/// The most arrangements of a layer whose classes are enumerated.
const ENUMERATED: u64 = 1_000_000_000;

/// Counts the classes of every layer under the symmetries that `count` was made with.
pub fn layers(table: &Table, symmetry: Symmetry, count: &Count) -> Vec<LayerClasses> {
    let game = table.game();
    let cells = u32::from(game.cells());
    let symmetries = match symmetry {
        Symmetry::None => vec![Permutation::identity(game.cells())],
        Symmetry::Board => symmetries_of_board(game),
        Symmetry::Rules => table.header().symmetries.clone(),
    };
    let classes_of = |(index, counts): (usize, Counts)| {
        let (mover, waiter) = (u32::from(counts.mover), u32::from(counts.waiter));
        let arrangements = binomial(cells, mover) * binomial(cells - mover, waiter);
        LayerClasses {
            mover: counts.mover,
            waiter: counts.waiter,
            arrangements,
            burnside: classes(&symmetries, counts),
            enumerated: (arrangements <= ENUMERATED)
                .then(|| enumerate(game, &symmetries, counts))
                .flatten(),
            reached: count.plies.as_ref().and_then(|plies| plies.get(index).copied()),
        }
    };
    game.layers().into_iter().enumerate().map(classes_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::rules::parse;
    use morpion_games::symmetry::group::{group, symmetries_of_board};

    #[test]
    fn the_lemma_and_the_enumeration_agree_on_every_layer() {
        for body in [
            "rows = 3\ncolumns = 3\n[lines]\nlength = 3",
            "rows = 2\ncolumns = 4\n[lines]\nlength = 2",
            "rows = 4\ncolumns = 4\n[lines]\nlength = 4\n[pieces]\neach = 4\n[moves]\nto = \"any\"",
        ] {
            let game = parse("t", &format!("name = \"t\"\n[board]\n{body}")).unwrap();
            for symmetries in [
                group(&game).1,
                symmetries_of_board(&game),
                vec![Permutation::identity(game.cells())],
            ] {
                for counts in game.layers() {
                    assert_eq!(
                        Some(classes(&symmetries, counts)),
                        enumerate(&game, &symmetries, counts),
                        "{counts:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_well_known_number_of_boards() {
        let game = parse("t", "name = \"t\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3")
            .unwrap();
        let counted: Vec<u64> = game
            .layers()
            .iter()
            .map(|&counts| classes(&symmetries_of_board(&game), counts))
            .collect();
        // Placing in turn without looking at lines: 1, 3, 12, 38, 108, 174, 228, 174, 89, 23 boards, 850 in all.
        assert_eq!(counted, [1, 3, 12, 38, 108, 174, 228, 174, 89, 23]);
    }
}
