//! The moves of a position with the columns of the positions after them.
//!
//! Computes the moves of a position and, with a [`RankDelta`], the column of the position after each move. All these positions are in
//! one row. A piece that may go to any empty cell has its columns computed [`SIMD_LANES`] at a time.

use crate::index::Entries;
use crate::position::MAX_CELLS;
use crate::position::{MAX_MOVES, Move, Position};
use crate::rank::cells;
use crate::rank_delta::{RankDelta, Term};

/// Stands for the origin of a new piece.
pub(crate) const NO_ORIGIN: u8 = 0xFE;

/// A move in 16 bits: the cell a piece comes from in the high byte, the cell it goes to in the low one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveCode(u16);

impl MoveCode {
    /// The pass; greater than every other code.
    pub(crate) const PASS: MoveCode = MoveCode(u16::MAX);

    #[inline(always)]
    pub(crate) fn of(from: u8, to: u8) -> MoveCode {
        MoveCode(u16::from(from) << 8 | u16::from(to))
    }

    /// The move.
    pub(crate) fn decode(self) -> Move {
        match self.0.to_be_bytes() {
            [0xFF, 0xFF] => Move::Pass,
            [NO_ORIGIN, to] => Move::Place { to },
            [from, to] => Move::Shift { from, to },
        }
    }
}

/// The moves of a position in their order, and the entries of the positions after them.
pub(crate) struct Children<'a> {
    /// The row of these entries.
    pub(crate) row: Entries<'a>,
    pub(crate) columns: &'a [u32],
    pub(crate) codes: &'a [MoveCode],
}

/// Columns that are computed together.
pub(crate) const SIMD_LANES: usize = 8;

/// The moves of a position and their columns, with room for N.
pub(crate) struct ChildList<const N: usize> {
    columns: [u32; N],
    codes: [MoveCode; N],
    length: usize,
}

impl<const N: usize> ChildList<N> {
    #[inline(always)]
    pub(crate) fn new() -> ChildList<N> {
        ChildList { columns: [0; N], codes: [MoveCode(0); N], length: 0 }
    }

    /// The moves and the entries of the positions after them, which are in this row.
    #[inline(always)]
    pub(crate) fn in_row<'a>(&'a self, row: Entries<'a>) -> Children<'a> {
        let moves = ..self.length.min(MAX_MOVES);
        let columns = self.columns.get(moves).unwrap_or_default();
        Children { row, columns, codes: self.codes.get(moves).unwrap_or_default() }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, code: MoveCode, column: u32) {
        let slots = self.columns.get_mut(self.length).zip(self.codes.get_mut(self.length));
        if let Some(slots) = slots {
            (*slots.0, *slots.1) = (column, code);
            self.length += 1;
        }
    }

    /// Adds the moves of the piece on each cell of the mover to the empty cells among its targets.
    #[inline(always)]
    pub(crate) fn push_shifts(
        &mut self,
        targets: &[u64; MAX_CELLS as usize],
        position: Position,
        delta: &RankDelta<'_>,
    ) {
        let taken = position.mover | position.waiter;
        for from in cells(position.mover) {
            let lift = delta.lift(from);
            for to in cells(targets.get(usize::from(from)).unwrap_or(&0) & !taken) {
                self.push(MoveCode::of(from, to), lift.rank(delta.landing(to)));
            }
        }
    }

    /// Adds the moves of every piece to every empty cell.
    #[inline(always)]
    pub(crate) fn push_free(&mut self, empty: u64, position: Position, delta: &RankDelta<'_>) {
        let mut landings = Landings::default();
        cells(empty).for_each(|to| landings.push(to, delta.landing(to)));
        for from in cells(position.mover) {
            self.push_shifts_to_any_cell(from, &delta.lift(from), &landings);
        }
    }

    /// Adds the moves of the piece on `from` to every empty cell. N has room for the unused lanes after the last move.
    #[inline(always)]
    fn push_shifts_to_any_cell(&mut self, from: u8, lift: &Term, landings: &Landings) {
        for first in (0..landings.length).step_by(SIMD_LANES) {
            let at = self.length + first;
            let (Some(columns), Some(codes), Some(cells)) = (
                self.columns.get_mut(at..).and_then(<[_]>::first_chunk_mut::<SIMD_LANES>),
                self.codes.get_mut(at..).and_then(<[_]>::first_chunk_mut::<SIMD_LANES>),
                landings.lanes.get(first / SIMD_LANES),
            ) else {
                return;
            };
            for (lane, column) in columns.iter_mut().enumerate() {
                let [within, beyond] = lift.terms;
                let within = cells.within[lane].wrapping_add(within);
                let beyond = cells.beyond[lane].wrapping_add(beyond);
                let is_beyond = u32::from(cells.below[lane] > lift.below).wrapping_neg();
                *column = within ^ (within ^ beyond) & is_beyond;
            }
            *codes = cells.to.map(|to| MoveCode(u16::from(from) << 8 | to));
        }
        self.length += landings.length;
    }
}

/// All empty cells, in ascending order.
#[derive(Default)]
struct Landings {
    lanes: [LandingLanes; (MAX_CELLS as usize).div_ceil(SIMD_LANES)],
    length: usize,
}

/// [`SIMD_LANES`] of them, each field of [`Term`] in an array of its own.
#[derive(Clone, Copy, Default)]
struct LandingLanes {
    within: [u32; SIMD_LANES],
    beyond: [u32; SIMD_LANES],
    below: [i32; SIMD_LANES],
    to: [u16; SIMD_LANES],
}

impl Landings {
    #[inline(always)]
    fn push(&mut self, to: u8, landing: Term) {
        if let Some(lanes) = self.lanes.get_mut(self.length / SIMD_LANES) {
            let lane = self.length % SIMD_LANES;
            [lanes.within[lane], lanes.beyond[lane]] = landing.terms;
            lanes.below[lane] = landing.below;
            lanes.to[lane] = to.into();
            self.length += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_keeps_its_move() {
        let moves = [
            (NO_ORIGIN, 35, Move::Place { to: 35 }),
            (0, 35, Move::Shift { from: 0, to: 35 }),
            (0xFF, 0xFF, Move::Pass),
        ];
        for (from, to, mv) in moves {
            assert_eq!(MoveCode::of(from, to).decode(), mv);
        }
    }
}
