//! The symmetric forms of a position.
//!
//! Takes a position, and gives all positions that the symmetries of the rules take it to:
//!
//! ```text
//! X . .    . . X    . . .    . . .
//! . O .    . O .    . O .    . O .    the orbit of the first one on 3×3
//! . . .    . . .    . . X    X . .
//! ```

use crate::error::ProbeError;
use crate::game::Position;
use crate::source::Source;
use crate::symmetry::Permutation;
use crate::table::Table;
use alloc::vec::Vec;

impl<S: Source> Table<S> {
    /// The orbit of a position: every position that a symmetry of the rules takes it to, itself among them, each once,
    /// ascending. The first one is the same for all positions of an orbit, and so names the orbit.
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
    /// All of them have the same score. The symmetries are those that the table has, at most 1,024: a game of more is
    /// stored with the symmetries of its board. Reads nothing of the source.
    ///
    /// # Errors
    /// [`ProbeError::Position`] where the game has no such position.
    pub fn orbit(&self, position: impl Into<Position>) -> Result<Vec<Position>, ProbeError> {
        let position = position.into();
        self.game().check(position)?;
        Ok(orbit(position, &self.header().symmetries))
    }
}

/// The images of a position under these symmetries, each once, ascending; its orbit where they are a group. Nothing is
/// checked: [`Table::orbit`] asks whether the game has the position.
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
