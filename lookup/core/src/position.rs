//! Positions and moves as sets of cells and numbers of pieces.
//!
//! A position is two sets of cells, and a move changes the mover's set. The number of pieces of each side identifies the layer.

use crate::board::MAX_CELLS;
use serde::{Deserialize, Serialize};

/// One of the two players; X starts the game.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// The first player.
    X,
    /// The second player.
    O,
}

impl Side {
    /// The other side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::X => Side::O,
            Side::O => Side::X,
        }
    }

    /// `x` or `o`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Side::X => 'x',
            Side::O => 'o',
        }
    }
}

/// A position as the table knows it, without board and colours: the cells of the side to move and the cells of the side waiting. For
/// batches and loops over many positions. `morpion_lookup::Position` has the board and the side too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// Cells of the side to move, bit `c` for cell `c`.
    pub mover: u64,
    /// Cells of the side waiting.
    pub waiter: u64,
}

impl Position {
    /// The cells of X and of O, given who is to move.
    #[must_use]
    pub fn sides(self, side: Side) -> (u64, u64) {
        match side {
            Side::X => (self.mover, self.waiter),
            Side::O => (self.waiter, self.mover),
        }
    }

    /// Number of pieces of each side.
    #[inline]
    #[must_use]
    pub fn counts(self) -> Counts {
        let [mover, waiter] = [self.mover, self.waiter].map(|set| set.count_ones() as u8);
        Counts { mover, waiter }
    }

    /// The position after `mv`, seen by the other side. The move should be legal here; after one that is not, the
    /// result may be invalid, and cells from 64 on are dropped.
    #[inline]
    #[must_use]
    pub fn after(self, mv: Move) -> Position {
        let bit = |cell| 1u64.checked_shl(u32::from(cell)).unwrap_or(0);
        let mover = match mv {
            Move::Place { to } => self.mover | bit(to),
            Move::Shift { from, to } => self.mover & !bit(from) | bit(to),
            Move::Pass => self.mover,
        };
        Position { mover: self.waiter, waiter: mover }
    }
}

/// A move of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A new piece on an empty cell.
    Place {
        /// The cell.
        to: u8,
    },
    /// A piece of the mover to an empty cell.
    Shift {
        /// Its cell before.
        from: u8,
        /// Its cell after.
        to: u8,
    },
    /// A pass: chosen, by putting a lifted piece back, or forced, if the side is blocked and the rules say that it passes.
    Pass,
}

/// The most moves a position can have: 9 pieces with 18 free cells of 36, and the pass. p pieces with as many of the other side leave
/// n − 2p cells, so p (n − 2p) is greatest at p = n / 4.
pub const MAX_MOVES: usize = MAX_CELLS as usize / 4 * (MAX_CELLS as usize / 2) + 1;

/// Piece counts of one layer: all positions with `mover` pieces of the mover and `waiter` of the waiter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the side waiting.
    pub waiter: u8,
}
