//! The symmetric forms of a position.
//!
//! Lists all images of a position under the symmetries of the rules:
//!
//! ```text
//! X . .    . . X    . . .    . . .
//! . O .    . O .    . O .    . O .    the orbit of the first one on 3×3
//! . . .    . . .    . . X    X . .
//! ```

use crate::raw::{Permutation, Position};
use crate::{ProbeError, Source, Table};
use alloc::vec::Vec;

impl<S: Source> Table<S> {
    /// The orbit of a position: its images under all symmetries of the rules, each once, in ascending order, with the position itself.
    /// The first image is the same for all positions of an orbit, so it names the orbit.
    ///
    /// ```
    /// let table = morpion_lookup::Table::builtin("classic").unwrap();
    /// let corner = table.game().parse_position("X../.O./... x")?;
    /// let other = table.game().parse_position("..X/.O./... x")?;
    /// assert_eq!(table.orbit(corner)?.len(), 4);
    /// assert_eq!(table.orbit(corner)?, table.orbit(other)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// All have the same score. The table has at most 1,024 symmetries: a game with more is stored with the symmetries of its
    /// board. Reads nothing from the source.
    ///
    /// # Errors
    /// [`ProbeError::Position`] if the game does not have the position.
    pub fn orbit(&self, position: impl Into<Position>) -> Result<Vec<Position>, ProbeError> {
        let position = position.into();
        self.game().check(position)?;
        Ok(orbit(position, &self.header().symmetries))
    }
}

/// The images of a position under these symmetries, each once, in ascending order. If the symmetries are a group, this is its
/// orbit. Unchecked: [`Table::orbit`] checks that the game has the position.
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
