//! Stabilisers of representatives and their cosets.
//!
//! The symmetries that map a set to its representative form one coset. The hash of a position needs the least image of the waiter's set
//! under this coset.

use morpion_core::Permutation;
use morpion_games::symmetry::group::product;

/// The stabilisers of the representatives of a table, each with its cosets.
pub(crate) struct Cosets {
    symmetries: Vec<Permutation>,
    /// For each stabiliser, the coset of each symmetry. The coset of the identity, which is the first symmetry, is the stabiliser itself.
    stabilisers: Vec<Vec<u32>>,
    /// The symmetries of each coset, ascending.
    elements: Vec<Vec<u16>>,
}

impl Cosets {
    /// Creates an empty list of stabilisers. The symmetries must form a group and be in ascending order.
    pub fn new(symmetries: &[Permutation]) -> Cosets {
        Cosets { symmetries: symmetries.to_vec(), stabilisers: Vec::new(), elements: Vec::new() }
    }

    /// Finds the stabiliser of a set, or adds it; returns its number.
    pub fn stabiliser_of(&mut self, set: u64) -> u32 {
        let keeps = |(number, symmetry): (u16, &Permutation)| {
            (symmetry.apply(set) == set).then_some(number)
        };
        let elements: Vec<u16> = (0..).zip(&self.symmetries).filter_map(keeps).collect();
        let mut known = self.stabilisers.iter();
        if let Some(known) = known.position(|cosets| self.of_coset(cosets[0]) == elements) {
            return known as u32;
        }
        let mut cosets = vec![u32::MAX; self.symmetries.len()];
        for first in 0..cosets.len() {
            if cosets[first] == u32::MAX {
                let coset = self.elements.len() as u32;
                let after = |&keeping: &u16| self.product(first, usize::from(keeping));
                let mut found: Vec<u16> = elements.iter().map(after).collect();
                found.iter().for_each(|&symmetry| cosets[usize::from(symmetry)] = coset);
                found.sort_unstable();
                self.elements.push(found);
            }
        }
        let number = self.stabilisers.len() as u32;
        self.stabilisers.push(cosets);
        number
    }

    /// The number of the symmetry that applies `first`, then `second`.
    fn product(&self, first: usize, second: usize) -> u16 {
        let [first, second] = [first, second].map(|number| &self.symmetries[number]);
        self.symmetries.binary_search(&product(first, second)).expect("a group is closed") as u16
    }

    /// The symmetries of a stabiliser, the identity first.
    pub fn elements(&self, stabiliser: u32) -> impl Iterator<Item = &Permutation> {
        let elements = self.of_coset(self.coset(stabiliser, 0));
        elements.iter().map(|&number| &self.symmetries[usize::from(number)])
    }

    /// The number of the coset of a symmetry that maps a set to a representative with this stabiliser: all symmetries that map the set to
    /// this representative.
    pub fn coset(&self, stabiliser: u32, symmetry: u32) -> u32 {
        self.stabilisers[stabiliser as usize][symmetry as usize]
    }

    /// Number of cosets of all stabilisers.
    pub fn count(&self) -> usize {
        self.elements.len()
    }

    /// The symmetries of a coset, ascending.
    pub fn of_coset(&self, coset: u32) -> &[u16] {
        &self.elements[coset as usize]
    }
}
