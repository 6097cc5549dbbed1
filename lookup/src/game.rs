//! Positions, moves and the end of the game.
//!
//! Takes valid rules and a position, and gives its legal moves, the position after one of them, and whether the game is over
//! there.

use crate::board::MAX_CELLS;
use crate::counts::Counts;
use crate::error::{PositionError, PositionFault, RulesError};
use crate::rank::cells;
use crate::rules::{Movement, Rules, Side, Stuck, Travel, Value};
use crate::score::{DrawKind, Score};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A position as the table knows it, without board and colours: the cells of the side to move and the cells of the side waiting. For
/// batches and loops over many positions. A [`Position`](crate::Position) has the board and the side too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// Cells of the side to move, bit `c` for cell `c`.
    pub mover: u64,
    /// Cells of the side waiting.
    pub waiter: u64,
}

impl Position {
    /// The position of `x` and `o` with `side` to move.
    #[must_use]
    pub(crate) fn of_sides(x: u64, o: u64, side: Side) -> Position {
        match side {
            Side::X => Position { mover: x, waiter: o },
            Side::O => Position { mover: o, waiter: x },
        }
    }

    /// The cells of X and of O, given who is to move.
    #[must_use]
    pub fn sides(self, side: Side) -> (u64, u64) {
        match side {
            Side::X => (self.mover, self.waiter),
            Side::O => (self.waiter, self.mover),
        }
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

/// A move of the side to move, written and read by [`Game::format_move`] and [`Game::parse_move`].
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

/// Reason why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Over {
    /// The waiter has just made a line.
    Line,
    /// No piece can be placed, and the rules have no movement.
    Full,
    /// The mover has no legal move and the rules have movement.
    Stuck,
}

impl Over {
    /// Every reason.
    pub const ALL: [Over; 3] = [Over::Line, Over::Full, Over::Stuck];

    /// `line`, `full` or `stuck`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Over::Line => "line",
            Over::Full => "full",
            Over::Stuck => "stuck",
        }
    }
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

/// Valid rules with tables that are computed once: the legal moves of a position, and the ends of the game.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    full: u64,
    /// Pieces on the board in the first and in the last layer.
    plies: (u8, u8),
    neighbours: [u64; MAX_CELLS as usize],
}

impl Game {
    /// The game of these rules. Brings them into canonical form: lines ascending, none of which contains another; links ascending, each
    /// once, the lower cell first; a restriction of no cell is none. Compares every line with every smaller one.
    ///
    /// # Errors
    /// If the rules are invalid. The error names the first invalid key as in a rule file.
    pub fn new(mut rules: Rules) -> Result<Game, RulesError> {
        rules.check()?;
        rules.normalise();
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
            return self.made_lines(set).next().is_some();
        }
        self.rules.lines.iter().fold(false, |found, &line| found | (line & set == line))
    }

    /// The lines that the owner of `set` has made.
    pub fn made_lines(&self, set: u64) -> impl Iterator<Item = u64> + '_ {
        let is_made =
            move |&(line, prolongation): &(u64, u64)| line & set == line && prolongation & set == 0;
        self.rules.lines_with_prolongations().filter(is_made).map(|(line, _)| line)
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

    /// The position in which the game begins.
    #[must_use]
    pub fn start(&self) -> crate::Position {
        match self.rules.start {
            Some(start) => {
                self.position(Position::of_sides(start.x, start.o, start.side), start.side)
            }
            None => self.position(Position { mover: 0, waiter: 0 }, Side::X),
        }
    }

    /// The position with these cells and this side to move, on the board of this game. Unchecked.
    #[must_use]
    pub fn position(&self, raw: Position, side: Side) -> crate::Position {
        crate::Position { board: self.rules.board, raw, side }
    }

    /// The side to move in a position of this game: X if both sides have the same number of pieces, O if the waiter has one
    /// more. `None` in the movement layer, in which either side may be to move.
    #[must_use]
    pub fn side_to_move(&self, position: impl Into<Position>) -> Option<Side> {
        let position = position.into();
        let counts = Counts {
            mover: position.mover.count_ones() as u8,
            waiter: position.waiter.count_ones() as u8,
        };
        if self.is_movement(counts) {
            return None;
        }
        Some(if counts.mover == counts.waiter { Side::X } else { Side::O })
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
        let counts = Counts { mover: mover.count_ones() as u8, waiter: waiter.count_ones() as u8 };
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
    pub(crate) fn may_pass(&self, position: Position) -> bool {
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
    pub(crate) fn placements(&self, position: Position) -> u64 {
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

    /// Returns the reason if the game is over here. The position is one that [`Game::check`] accepts.
    #[inline]
    #[must_use]
    pub fn over(&self, position: impl Into<Position>) -> Option<Over> {
        let position = position.into();
        if self.has_line(position.waiter) {
            Some(Over::Line)
        } else if self.legal_moves(position).next().is_some() {
            None
        } else if self.rules.movement.is_some() {
            Some(Over::Stuck)
        } else {
            Some(Over::Full)
        }
    }

    /// Returns the worth of a finished game to the side to move.
    #[must_use]
    pub fn final_score(&self, over: Over) -> Score {
        let value = match (over, &self.rules.movement) {
            (Over::Line, _) if self.rules.misere => Value::Win,
            (Over::Line, _) => Value::Loss,
            (Over::Stuck, Some(movement)) => movement.stuck.value(),
            (Over::Stuck | Over::Full, _) => Value::Draw,
        };
        match value {
            Value::Win => Score::Win { plies: Some(0) },
            Value::Draw => Score::Draw { kind: DrawKind::End },
            Value::Loss => Score::Loss { plies: Some(0) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn piece_counts_tell_the_side_to_move_until_all_are_placed() {
        for (game, text, side) in [
            ("classic", ".../.../...", Some(Side::X)),
            ("classic", "X../.../...", Some(Side::O)),
            ("classic", "XOX/XOO/OXX", Some(Side::O)),
            ("swap", "XX./OO./...", Some(Side::X)),
            ("swap", "XX./OO./X..", Some(Side::O)),
            ("swap", "XX./OO./XO. x", None),
            ("swap", "XX./OO./XO. o", None),
            ("shisima", "XXX/.../OOO o", None),
        ] {
            let table = Table::builtin(game).unwrap();
            let (position, named) = table.game().parse_position(text).unwrap().parts();
            assert_eq!(table.game().side_to_move(position), side, "{game} {text}");
            assert!(side.is_none_or(|side| side == named), "{game} {text}");
        }
    }
}
