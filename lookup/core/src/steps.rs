//! The moves of a game as data: the kinds of moves of a layer, and the legal moves that they allow in a position.
//!
//! A [`Step`] says which piece is lifted, where a piece may go, and what must be on the board. Placing, sliding, going to any cell
//! and passing are steps. Everything that makes moves interprets them: legal moves, answers, solver, proof, and the readers in other
//! languages, which find them in the header of a table.
//!
//! | kind of move | `from` | `to` |
//! |---|---|---|
//! | place a piece | none | the cells on which it may be placed |
//! | slide along links | a cell | the cells linked with it |
//! | move to any empty cell | a cell | all other cells |
//! | push | a cell of the border | the end of its row or column |
//! | place a piece, and the oldest goes | none | the cells on which it may be placed |
//! | pass | none | none |

use crate::order::Sequence;
use crate::position::{MAX_CELLS, Position};

/// One kind of move. A set of cells is a mask, bit `c` for cell `c`. The order of the fields is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// The cell whose piece the mover lifts; `None` if the piece is new, and for a pass.
    pub from: Option<u8>,
    /// The cells to which the piece may go if they are empty. Each is a move of its own. None for a pass.
    pub to: u64,
    /// For a push, the cells from `from` to `to`, both included: what is on them moves one cell towards `from`, which must not have a
    /// piece of the other side. `to`, which is one cell, may have any piece. None for all other moves.
    pub path: u64,
    /// When the oldest piece of the mover goes; `None` if it stays.
    pub oldest: Option<Oldest>,
}

/// When the oldest piece of a side goes as it places a new one.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Oldest {
    /// First, so that its cell is free for the new piece.
    First,
    /// After the placement and before lines count.
    BeforeLines,
    /// After lines count. A line with the oldest piece wins, and then it stays.
    AfterLines,
}

fields!(Step { from, to, path, oldest });
variants!(Oldest);
names!(Oldest { First = "first", BeforeLines = "before-lines", AfterLines = "after-lines" });

impl Step {
    /// The mover passes.
    pub const PASS: Step = Step::place(0);

    /// A new piece goes to one of these cells.
    pub const fn place(to: u64) -> Step {
        Step { from: None, to, path: 0, oldest: None }
    }

    /// The piece on `from` goes to one of these cells.
    pub const fn shift(from: u8, to: u64) -> Step {
        Step { from: Some(from), ..Step::place(to) }
    }

    /// Returns true for a pass.
    #[inline]
    pub const fn is_pass(&self) -> bool {
        self.from.is_none() && self.to == 0
    }

    /// The cells to which the piece can go now; none if the step is impossible, and for a pass.
    #[inline]
    pub fn targets(&self, Position { mover, waiter }: Position) -> u64 {
        let from = self.from.map_or(0, |from| 1 << (from & 63));
        if self.path != 0 {
            return if waiter & from == 0 { self.to } else { 0 };
        }
        let mut taken = mover | waiter;
        if self.oldest == Some(Oldest::First)
            && let Some(&oldest) = Sequence::of(mover).cells().first()
        {
            taken &= !(1 << oldest);
        }
        if from & !mover == 0 { self.to & !taken } else { 0 }
    }

    /// Returns true if the step can be interpreted on a board with these cells: a push goes from one end of a path to the other, and the
    /// oldest piece goes as another one is placed.
    pub(crate) fn is_possible(&self, board: u64) -> bool {
        let from = self.from.map_or(0, |from| 1u64.checked_shl(from.into()).unwrap_or(1 << 63));
        if (from | self.to | self.path) & !board != 0 {
            return false;
        }
        let lowest = self.path & self.path.wrapping_neg();
        let ends = lowest | (1u64 << 63).unbounded_shr(self.path.leading_zeros());
        match self.path {
            0 => self.oldest.is_none() || self.from.is_none(),
            _ => self.oldest.is_none() && from != self.to && from | self.to == ends && from != 0,
        }
    }

    /// The set after the push of this step, without the pushed piece itself.
    #[inline]
    const fn pushed(&self, set: u64) -> u64 {
        // The cells of a path have equal distances.
        let path = self.path;
        let stride = (path & path.wrapping_sub(1)).trailing_zeros() - path.trailing_zeros();
        let is_upward = path.trailing_zeros() != self.to.trailing_zeros();
        let moved = match is_upward {
            true => (set & path).unbounded_shr(stride),
            false => (set & path).unbounded_shl(stride),
        };
        set & !path | moved & path
    }

    /// The words of the mover and of the waiter after the push of this step by the mover.
    #[inline]
    pub fn push(&self, Position { mover, waiter }: Position) -> [u64; 2] {
        let from = self.from.map_or(0, |from| 1 << (from & 63));
        [self.pushed(mover & !from) | self.to, self.pushed(waiter & !from)]
    }
}

/// The form of the steps of a layer: one for which there is a fast kernel, or the general form.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a game has at most three of them")]
pub(crate) enum Form {
    /// A new piece goes to any empty one of these cells.
    Place(u64),
    /// A piece goes to an empty cell of the set at the index of its own cell.
    Shift([u64; MAX_CELLS as usize]),
    /// Any steps.
    General,
}

impl Form {
    /// The form of these steps.
    pub(crate) fn of(steps: &[Step]) -> Form {
        // The pass is the last step.
        let steps = steps.strip_suffix(&[Step::PASS]).unwrap_or(steps);
        if steps.iter().any(|step| step.path != 0 || step.oldest.is_some()) {
            return Form::General;
        }
        if let [Step { from: None, to, .. }] = steps {
            return Form::Place(*to);
        }
        let mut targets = [0; MAX_CELLS as usize];
        for step in steps {
            let slot = step.from.and_then(|from| targets.get_mut(usize::from(from)));
            let Some(slot) = slot.filter(|slot| **slot == 0) else {
                return Form::General;
            };
            *slot = step.to;
        }
        Form::Shift(targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn each_form_is_recognised() {
        let free: Vec<Step> = (0..3).map(|cell| Step::shift(cell, 0b111 & !(1 << cell))).collect();
        assert!(matches!(Form::of(&free), Form::Shift(targets) if targets[..4] == [6, 5, 3, 0]));
        assert!(matches!(Form::of(&[Step::place(0b101)]), Form::Place(0b101)));
        let two = [Step::place(0b1), Step::place(0b10)];
        assert!(matches!(Form::of(&two), Form::General));
    }
}
