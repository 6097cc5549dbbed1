//! The representative of a class of symmetric positions.

use morpion_core::{Images, Permutation, Position};

/// Symmetries that find the representatives of classes.
pub struct Least {
    permutations: Vec<Permutation>,
    images: Images,
}

impl Least {
    /// Prepares the search for least images under `permutations`: a group, or any symmetries.
    pub fn new(cells: u8, permutations: Vec<Permutation>) -> Least {
        Least { images: Images::new(cells, &permutations), permutations }
    }

    /// Returns the least image of a position. Symmetric positions have the same least image.
    pub fn of(&self, position: Position) -> Position {
        let least = |images: &mut dyn Iterator<Item = (u64, u64)>| {
            images.map(|(mover, waiter)| Position { mover, waiter }).min().unwrap_or(position)
        };
        if position == position.cells() {
            let images = self.images.all(position.mover);
            return least(&mut images.zip(self.images.all(position.waiter)));
        }
        let image = |symmetry: &Permutation| {
            (symmetry.apply(position.mover), symmetry.apply(position.waiter))
        };
        least(&mut self.permutations.iter().map(image))
    }
}
