//! The symmetric forms of a position.
//!
//! Lists all images of a position under the symmetries of the rules:
//!
//! ```text
//! X . .    . . X    . . .    . . .
//! . O .    . O .    . O .    . O .    the orbit of the first one on 3×3
//! . . .    . . .    . . X    X . .
//! ```

use alloc::vec::Vec;
use morpion_core::{Permutation, Position};

/// The images of a position under these symmetries, each once, in ascending order. If the symmetries are a group, this is its
/// orbit. Unchecked: [`Table::orbit`](crate::Table::orbit) checks that the game has the position.
#[must_use]
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
