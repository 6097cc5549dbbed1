//! The moves of a position with the columns of the positions after them.

use crate::frame::{Drop, Frame, Lift};
use crate::game::{Game, Move, Position};
use crate::oracle::MAX_MOVES;
use crate::rank::cells;
use crate::rules::{MAX_CELLS, Travel};

/// Beyond all cells: in place of the cell a piece comes from, where it is new.
pub(crate) const PLACE: u8 = 0xFE;

/// Beyond all cells and after everything else: in place of both cells, a pass.
const PASS: u8 = 0xFF;

/// A move as a number: the cell a piece comes from above the cell it goes to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(u16);

impl Number {
    #[inline(always)]
    pub(crate) fn of(from: u8, to: u8) -> Number {
        Number(u16::from(from) << 8 | u16::from(to))
    }

    /// The move.
    pub(crate) fn named(self) -> Move {
        match self.0.to_be_bytes() {
            [PASS, PASS] => Move::Pass,
            [PLACE, to] => Move::Place { to },
            [from, to] => Move::Shift { from, to },
        }
    }
}

/// Cells that are worked on together.
pub(crate) const LANES: usize = 8;

/// The moves of a position while they are collected, with room for N.
pub(crate) struct List<const N: usize> {
    columns: [u32; N],
    numbers: [Number; N],
    length: usize,
}

impl<const N: usize> List<N> {
    #[inline(always)]
    pub(crate) fn new() -> List<N> {
        List { columns: [0; N], numbers: [Number(0); N], length: 0 }
    }

    /// The columns and the moves.
    #[inline(always)]
    pub(crate) fn get(&self) -> (&[u32], &[Number]) {
        let length = self.length.min(MAX_MOVES);
        (
            self.columns.get(..length).unwrap_or_default(),
            self.numbers.get(..length).unwrap_or_default(),
        )
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, number: Number, column: u32) {
        let slots = self.columns.get_mut(self.length).zip(self.numbers.get_mut(self.length));
        if let Some(slots) = slots {
            (*slots.0, *slots.1) = (column, number);
            self.length += 1;
        }
    }

    /// Every move of a piece, and the pass where the rules have it.
    #[inline(always)]
    pub(crate) fn shift(&mut self, game: &Game, position: Position, frame: &Frame<'_>) {
        let Some(movement) = &game.rules().movement else { return };
        let empty = game.board() & !(position.mover | position.waiter);
        if movement.to == Travel::Any {
            let mut drops = Drops::new();
            cells(empty).for_each(|to| drops.push(to, frame.drop(to)));
            for from in cells(position.mover) {
                self.everywhere(from, &frame.lift(from), &drops);
            }
        } else {
            for from in cells(position.mover) {
                let lift = frame.lift(from);
                for to in cells(game.neighbours(from) & empty) {
                    self.push(Number::of(from, to), lift.rank(frame.drop(to)));
                }
            }
        }
        if movement.stay {
            self.push(Number::of(PASS, PASS), frame.rank());
        }
    }

    /// The piece on `from` to every free cell, some cells at once; N has room for whole lanes behind the last move.
    #[inline(always)]
    fn everywhere(&mut self, from: u8, lift: &Lift, drops: &Drops) {
        for first in (0..drops.length).step_by(LANES) {
            let at = self.length + first;
            let (Some(columns), Some(numbers), Some(cells)) = (
                self.columns.get_mut(at..).and_then(<[_]>::first_chunk_mut::<LANES>),
                self.numbers.get_mut(at..).and_then(<[_]>::first_chunk_mut::<LANES>),
                drops.lanes.get(first / LANES),
            ) else {
                return;
            };
            for (lane, column) in columns.iter_mut().enumerate() {
                let [within, beyond] = lift.terms;
                let within = cells.within[lane].wrapping_add(within);
                let beyond = cells.beyond[lane].wrapping_add(beyond);
                let is_beyond = u32::from(cells.below[lane] > lift.index).wrapping_neg();
                *column = within ^ (within ^ beyond) & is_beyond;
            }
            *numbers = cells.to.map(|to| Number(u16::from(from) << 8 | to));
        }
        self.length += drops.length;
    }
}

/// All free cells in their order.
struct Drops {
    lanes: [DropLanes; (MAX_CELLS as usize).div_ceil(LANES)],
    length: usize,
}

/// Some of them, as [`Drop`] has them.
#[derive(Clone, Copy)]
struct DropLanes {
    within: [u32; LANES],
    beyond: [u32; LANES],
    below: [i32; LANES],
    to: [u16; LANES],
}

impl Drops {
    #[inline(always)]
    fn new() -> Drops {
        let empty =
            DropLanes { within: [0; LANES], beyond: [0; LANES], below: [0; LANES], to: [0; LANES] };
        Drops { lanes: [empty; (MAX_CELLS as usize).div_ceil(LANES)], length: 0 }
    }

    #[inline(always)]
    fn push(&mut self, to: u8, drop: Drop) {
        if let Some(lanes) = self.lanes.get_mut(self.length / LANES) {
            let lane = self.length % LANES;
            [lanes.within[lane], lanes.beyond[lane]] = drop.terms;
            lanes.below[lane] = drop.below;
            lanes.to[lane] = to.into();
            self.length += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_its_move() {
        let moves = [
            (PLACE, 35, Move::Place { to: 35 }),
            (0, 35, Move::Shift { from: 0, to: 35 }),
            (PASS, PASS, Move::Pass),
        ];
        for (from, to, mv) in moves {
            assert_eq!(Number::of(from, to).named(), mv);
        }
    }
}
