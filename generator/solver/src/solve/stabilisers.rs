//! The stabilisers of the representatives of one size, without the identity.
//!
//! A symmetry that keeps the representative of a mover's set takes a position to another column of the same row.

use crate::sets::FoldedSets;

/// The different stabilisers, and which of them each row has.
#[derive(Default)]
pub struct Stabilisers {
    /// The numbers of the symmetries of each. The first stabiliser is empty and belongs to nearly all rows, because their orbits are as
    /// long as the group.
    pub all: Vec<Vec<u16>>,
    /// Number of the stabiliser of each row.
    pub numbers: Vec<u16>,
}

impl Stabilisers {
    /// The stabilisers of the rows of sets of `size`.
    pub fn new(sets: &FoldedSets, size: u8) -> Stabilisers {
        let (orbits, order) = (sets.orbits(size), sets.symmetries().len());
        let mut all = vec![Vec::new()];
        let number = |(&set, &length): (&u64, &u32)| {
            if length as usize == order {
                return 0;
            }
            let images = (0..).zip(sets.images().all(set)).skip(1);
            let keeping = images.filter(|&(_, image)| image == set);
            let stabiliser: Vec<u16> = keeping.map(|(symmetry, _)| symmetry).collect();
            let found = all.iter().position(|other| *other == stabiliser);
            found.unwrap_or_else(|| {
                all.push(stabiliser);
                all.len() - 1
            }) as u16
        };
        let numbers = orbits.representatives.iter().zip(&orbits.lengths).map(number).collect();
        Stabilisers { all, numbers }
    }
}
