//! Positions, moves, and the rules as far as moves need them.
//!
//! Takes the rules of a game and a position, and gives the empty cells to which pieces may go, and the position after a move.

use crate::board::MAX_CELLS;
use crate::counts::Counts;
use crate::error::{PositionError, PositionFault, RulesError};
use crate::rank::cells;
use crate::rules::{Movement, Rules, Side, Stuck, Travel};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

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

/// The most moves a position can have: 9 pieces with 18 free cells of 36, and the pass.
pub const MAX_MOVES: usize = 163;

const _: () = {
    // p pieces with as many of the other side leave n − 2p cells, so p (n − 2p) is greatest at p = n / 4. Placing, there
    // are fewer moves: one per cell.
    let (cells, mut pieces, mut most) = (MAX_CELLS as usize, 0, 0);
    while 2 * pieces <= cells {
        let shifts = pieces * (cells - 2 * pieces);
        most = if shifts > most { shifts } else { most };
        pieces += 1;
    }
    assert!(MAX_MOVES == most + 1, "as many moves as the largest board has, and the pass");
};

/// Rules with tables that are computed once: the legal moves of a position, and the lines that end the game.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    full: u64,
    /// Pieces on the board in the first and in the last layer.
    plies: (u8, u8),
    neighbours: [u64; MAX_CELLS as usize],
}

impl Game {
    /// The game of rules in canonical form. Checks that moves and keys can be computed by them.
    ///
    /// # Errors
    /// If a board, a number of pieces or a link is impossible. The error names the key as in a rule file.
    pub fn new(rules: Rules) -> Result<Game, RulesError> {
        rules.check_moves()?;
        let mut neighbours = [0; MAX_CELLS as usize];
        if let Some(Movement { to: Travel::Links(links), .. }) = &rules.movement {
            for &(a, b) in links {
                neighbours[a as usize] |= 1 << b;
                neighbours[b as usize] |= 1 << a;
            }
        }
        let full = (1u64 << rules.board.cells()) - 1;
        if let Some(Movement { to: Travel::Any, .. }) = &rules.movement {
            for (cell, targets) in
                neighbours.iter_mut().enumerate().take(full.count_ones() as usize)
            {
                *targets = full & !(1 << cell);
            }
        }
        let last = rules.pieces.map_or(full.count_ones() as u8, |each| 2 * each);
        let first = if rules.start.is_some() { last } else { 0 };
        Ok(Game { rules, full, plies: (first, last), neighbours })
    }

    /// The rules.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Number of cells, 1 to [`MAX_CELLS`].
    #[must_use]
    pub fn cells(&self) -> u8 {
        self.full.count_ones() as u8
    }

    /// All cells.
    #[inline]
    #[must_use]
    pub fn board(&self) -> u64 {
        self.full
    }

    /// The cells to which a piece on `cell` may move while they are empty; none in a game without movement and off the
    /// board.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, cell: u8) -> u64 {
        self.neighbours.get(usize::from(cell)).map_or(0, |cells| cells & self.full)
    }

    /// The layers of the game in the order of play: (0, 0), (0, 1), (1, 1), (1, 2), … or, from a preset start, the
    /// movement layer alone.
    #[must_use]
    pub fn layers(&self) -> Vec<Counts> {
        let (first, last) = self.plies;
        (first..=last).map(|ply| Counts { mover: ply / 2, waiter: ply.div_ceil(2) }).collect()
    }

    /// The index of a layer in [`Game::layers`]; `None` if the game does not have the layer.
    #[inline]
    #[must_use]
    pub fn layer_index(&self, counts: Counts) -> Option<usize> {
        let ply = counts.mover.checked_add(counts.waiter)?;
        let (first, last) = self.plies;
        (counts.mover == ply / 2 && (first..=last).contains(&ply)).then(|| usize::from(ply - first))
    }

    /// Returns whether the positions of this layer move pieces instead of placing them.
    #[inline]
    #[must_use]
    pub fn is_movement(&self, counts: Counts) -> bool {
        self.rules.movement.is_some()
            && Some(counts.mover) == self.rules.pieces
            && counts.waiter == counts.mover
    }

    /// Returns whether `set` contains a whole line and no cell that extends it. Looks at every line.
    #[inline]
    #[must_use]
    pub fn has_line(&self, set: u64) -> bool {
        if !self.rules.prolongations.is_empty() {
            let is_made = |(line, prolongation)| line & set == line && prolongation & set == 0;
            return self.rules.lines_with_prolongations().any(is_made);
        }
        self.rules.lines.iter().fold(false, |found, &line| found | (line & set == line))
    }

    /// [`Game::has_line`] of the mover and of the waiter. Branch-free where no cell extends a line: all lines are looked at.
    #[inline]
    pub(crate) fn lines_of(&self, Position { mover, waiter }: Position) -> (bool, bool) {
        if !self.rules.prolongations.is_empty() {
            return (self.has_line(mover), self.has_line(waiter));
        }
        self.rules.lines.iter().fold((false, false), |(of_mover, of_waiter), &line| {
            (of_mover | (line & mover == line), of_waiter | (line & waiter == line))
        })
    }

    /// Checks that a table of this game contains the position.
    ///
    /// # Errors
    /// The first fault: cells off the board, overlap, piece counts, or a line of the side to move.
    #[inline]
    pub fn check(&self, position: impl Into<Position>) -> Result<Counts, PositionError> {
        let position = position.into();
        let counts = self.counts(position)?;
        if self.has_line(position.mover) {
            let fault = match self.has_line(position.waiter) {
                true => PositionFault::BothLines,
                false => PositionFault::MoverLine,
            };
            return Err(fault.into());
        }
        Ok(counts)
    }

    /// The layer of an arrangement, whether or not the mover owns a line.
    ///
    /// # Errors
    /// Errors of [`Game::check`], but not for lines.
    #[inline]
    pub(crate) fn counts(&self, position: Position) -> Result<Counts, PositionError> {
        let Position { mover, waiter } = position;
        let counts = position.counts();
        let is_on_board = (mover | waiter) & !self.full == 0 && mover & waiter == 0;
        if is_on_board && self.layer_index(counts).is_some() {
            Ok(counts)
        } else {
            Err(self.misplaced(position, counts).into())
        }
    }

    #[cold]
    fn misplaced(&self, Position { mover, waiter }: Position, counts: Counts) -> PositionFault {
        if (mover | waiter) & !self.full != 0 {
            PositionFault::OffTheBoard { cells: self.cells() }
        } else if mover & waiter != 0 {
            PositionFault::Overlap { cell: (mover & waiter).trailing_zeros() as u8 }
        } else {
            PositionFault::Counts(counts)
        }
    }

    /// Returns whether passing is a legal move of the mover in a movement layer: if a lifted piece may go back, or if the side
    /// is blocked and the rules say that it passes.
    #[inline]
    pub fn may_pass(&self, position: Position) -> bool {
        let Some(movement) = &self.rules.movement else { return false };
        movement.stay && position.mover != 0
            || movement.stuck == Stuck::Pass && !self.can_shift(position)
    }

    /// Returns whether a piece of the mover has an empty cell to go to.
    fn can_shift(&self, Position { mover, waiter }: Position) -> bool {
        let empty = self.full & !(mover | waiter);
        cells(mover).any(|from| self.neighbours(from) & empty != 0)
    }

    /// The empty cells on which the mover may place, in a layer that places.
    #[inline]
    pub fn placements(&self, position: Position) -> u64 {
        let ply = (position.mover | position.waiter).count_ones();
        self.full & !(position.mover | position.waiter) & !self.forbidden(ply)
    }

    /// The cells on which the placement number `ply` (from 0) may not go.
    #[inline]
    #[must_use]
    pub fn forbidden(&self, ply: u32) -> u64 {
        match self.rules.opening {
            Some(opening) if ply < opening.during.plies() => opening.forbidden,
            _ => 0,
        }
    }
}
