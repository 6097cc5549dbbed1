//! The moves of a game as data: the steps of a phase, each one kind of move, and their combination.
//!
//! A [`Step`] says which piece is lifted, where a piece may go, the condition that the board must fulfil, and what the move does. All code
//! that makes moves interprets steps: lookup, solver, verifier, and the readers in other languages, which read the steps from the header of
//! a table. A move is legal if any step of the phase allows it. [`Moves`] combines the steps of a phase.
//!
//! | kind of move | `from` | `to` | effect |
//! |---|---|---|---|
//! | place a piece | none | the cells on which it may be placed | `Move` |
//! | move along links | a cell | the cells linked with it | `Move` |
//! | move to any empty cell | a cell | all other cells | `Move` |
//! | move under a condition, as in a jump | a cell | the cells to which the condition leads | `Move` |
//! | push | a cell of the border | the end of its row or column | `Push` |
//! | place a piece, and the oldest goes | none | the cells on which it may be placed | `Replace` |
//! | pass | none | none | `Pass` |

use crate::order::Sequence;
use crate::position::{MAX_CELLS, Position};
use crate::rank::cells;
use alloc::vec::Vec;

/// One kind of move. A set of cells is a mask, bit `c` for cell `c`. The order of the fields is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The cell whose piece the mover lifts; `None` if the piece is new, and for a pass.
    pub from: Option<u8>,
    /// The cells to which the piece may go, each by a move of its own. Empty for a pass.
    pub to: u64,
    /// The condition on the board before the move. Empty unless a piece on the board moves without a push.
    pub condition: Condition,
    /// The effect of the move.
    pub effect: Effect,
}

/// Sets of cells that must be empty, or have pieces, before a move. Other cells may be empty or have any piece. The order of the fields is
/// the file format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// The cells that must be empty.
    pub clear: u64,
    /// The cells that must have pieces of the mover.
    pub own: u64,
    /// The cells that must have pieces of the waiter.
    pub other: u64,
    /// The cells that must have pieces of either side.
    pub taken: u64,
}

/// The effect of a move. The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The piece on `from`, or a new one, goes to an empty cell of `to`.
    Move,
    /// The pieces on `path` move one cell towards `from`, which must not have a piece of the waiter, and the mover gets a piece on `to`.
    /// `to`, which is one cell, may have any piece.
    Push {
        /// The cells from `from` to `to`, both included.
        path: u64,
    },
    /// A new piece goes to an empty cell of `to`, and the mover's oldest piece leaves the board.
    Replace {
        /// When the oldest piece leaves the board.
        oldest: Oldest,
    },
    /// Nothing moves.
    Pass,
}

/// When the oldest piece of a side leaves the board while the side places a new one.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Oldest {
    /// First, so that its cell is free for the new piece.
    First,
    /// After the placement and before lines count.
    BeforeLines,
    /// After lines count. A line that includes the oldest piece wins, and then the oldest piece stays.
    AfterLines,
}

variants!(Oldest);
fields!(Step { from, to, condition, effect });
fields!(Condition { clear, own, other, taken });
choices!(Effect { Move, Push { path }, Replace { oldest }, Pass });
names!(Oldest { First = "first", BeforeLines = "before-lines", AfterLines = "after-lines" });

impl Condition {
    /// No condition.
    pub const EMPTY: Condition = Condition { clear: 0, own: 0, other: 0, taken: 0 };

    /// Returns true if a position fulfils the condition.
    #[inline]
    pub const fn holds(&self, Position { mover, waiter }: Position) -> bool {
        let Condition { clear, own, other, taken } = *self;
        clear & (mover | waiter) | own & !mover | other & !waiter | taken & !(mover | waiter) == 0
    }

    /// The cells in any of the sets.
    pub const fn cells(&self) -> u64 {
        self.clear | self.own | self.other | self.taken
    }

    /// The condition with every set replaced by its image.
    #[must_use]
    pub fn map(self, image: impl Fn(u64) -> u64) -> Condition {
        let [clear, own, other, taken] = [self.clear, self.own, self.other, self.taken].map(image);
        Condition { clear, own, other, taken }
    }
}

impl Step {
    /// The mover passes.
    pub const PASS: Step = Step { effect: Effect::Pass, ..Step::place(0) };

    /// A new piece goes to one of these cells.
    pub const fn place(to: u64) -> Step {
        Step { from: None, to, condition: Condition::EMPTY, effect: Effect::Move }
    }

    /// The piece on `from` goes to one of these cells.
    pub const fn shift(from: u8, to: u64) -> Step {
        Step { from: Some(from), ..Step::place(to) }
    }

    /// The piece on `from`, or a new one, is pushed in at `to`, the other end of `path`.
    pub const fn push(from: u8, to: u8, path: u64) -> Step {
        Step { effect: Effect::Push { path }, ..Step::shift(from, 1 << (to & 63)) }
    }

    /// A new piece goes to one of these cells, and the mover's oldest piece leaves the board.
    pub const fn replace(to: u64, oldest: Oldest) -> Step {
        Step { effect: Effect::Replace { oldest }, ..Step::place(to) }
    }

    /// Returns true for a pass.
    #[inline]
    pub const fn is_pass(&self) -> bool {
        matches!(self.effect, Effect::Pass)
    }

    /// The place of a step in its phase, which is the order in which moves are listed: new pieces, then pieces by their cells, the pass
    /// last. Two steps of a phase have different places.
    pub fn place_in_phase(&self) -> impl Ord + use<> {
        (self.is_pass(), self.from, self.to, self.condition)
    }

    /// Returns true if the step can be interpreted on a board with these cells.
    pub(crate) fn is_possible(&self, board: u64) -> bool {
        let from = self.from.map_or(0, |from| 1u64.checked_shl(from.into()).unwrap_or(1 << 63));
        if (from | self.to | self.condition.cells()) & !board != 0 {
            return false;
        }
        let is_new = from == 0;
        let is_free = self.condition == Condition::EMPTY;
        match self.effect {
            Effect::Move => self.to != 0 && (!is_new || is_free),
            Effect::Push { path } => {
                let lowest = path & path.wrapping_neg();
                let ends = lowest | (1u64 << 63).unbounded_shr(path.leading_zeros());
                let is_way = path & !board == 0 && from != self.to && from | self.to == ends;
                is_way && !is_new && self.to != 0 && is_free
            }
            Effect::Replace { oldest: _ } => self.to != 0 && is_new && is_free,
            Effect::Pass => self.to == 0 && is_new && is_free,
        }
    }

    /// The words of both sides after this step by the mover, which is a push along `path`.
    #[inline]
    pub fn pushed(&self, path: u64, Position { mover, waiter }: Position) -> Position {
        let from = self.from.map_or(0, |from| 1 << (from & 63));
        // The cells of a path are evenly spaced, so a shift by `stride` moves each piece to the next cell of the path.
        let stride = (path & path.wrapping_sub(1)).trailing_zeros() - path.trailing_zeros();
        let is_upward = path.trailing_zeros() != self.to.trailing_zeros();
        let pushed = |set: u64| {
            let moved = match is_upward {
                true => (set & path).unbounded_shr(stride),
                false => (set & path).unbounded_shl(stride),
            };
            set & !path | moved & path
        };
        Position { mover: pushed(mover & !from) | self.to, waiter: pushed(waiter & !from) }
    }
}

/// The way in which the pieces on the board travel in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Travel {
    /// Pieces do not move.
    Never,
    /// A piece moves to any empty cell.
    Anywhere,
    /// A piece moves to the cells linked with its cell.
    Links,
    /// A piece moves to cells that also depend on the pieces on other cells.
    Conditions,
    /// Pieces are pushed in from the border.
    Pushes,
}

/// The moves of a phase: all its steps combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// The cells on which a new piece may be placed if they are empty.
    pub placements: u64,
    /// The cells to which a piece on each cell may go, if conditions hold.
    pub targets: [u64; MAX_CELLS as usize],
    /// The cells from which a piece may go.
    pub origins: u64,
    /// The way in which pieces travel.
    pub travel: Travel,
    /// When the oldest piece leaves the board as a new piece is placed; `None` if it stays.
    pub oldest: Option<Oldest>,
    /// True if the mover may pass.
    pub may_pass: bool,
    /// The steps with conditions, by origin.
    conditional: Vec<Step>,
}

impl Moves {
    /// The moves of a phase without moves.
    pub(crate) const NONE: Moves = Moves {
        placements: 0,
        targets: [0; MAX_CELLS as usize],
        origins: 0,
        travel: Travel::Never,
        oldest: None,
        may_pass: false,
        conditional: Vec::new(),
    };

    /// Reads the steps of a phase on a board with these cells.
    pub(crate) fn new(steps: &[Step], board: u64) -> Moves {
        let mut moves = Moves::NONE;
        for step in steps {
            match step.effect {
                Effect::Move if step.condition != Condition::EMPTY => {
                    moves.travel = Travel::Conditions;
                }
                Effect::Push { path: _ } => moves.travel = Travel::Pushes,
                Effect::Replace { oldest } => moves.oldest = Some(oldest),
                Effect::Pass => moves.may_pass = true,
                Effect::Move => {}
            }
            match step.from {
                None => moves.placements |= step.to,
                Some(from) => {
                    moves.origins |= 1 << (from & 63);
                    let targets = moves.targets.get_mut(usize::from(from));
                    targets.into_iter().for_each(|targets| *targets |= step.to);
                }
            }
        }
        let is_to_all =
            |(cell, &to): (u8, &u64)| board >> cell & 1 == 0 || to == board & !(1 << cell);
        if moves.travel == Travel::Never && moves.origins != 0 {
            let to_all = (0..).zip(&moves.targets).all(is_to_all);
            moves.travel = if to_all { Travel::Anywhere } else { Travel::Links };
        }
        if moves.travel == Travel::Conditions {
            moves.conditional = steps.iter().filter(|step| step.from.is_some()).copied().collect();
        }
        moves
    }

    /// Returns true if the phase has placements only, and no piece leaves the board.
    #[inline]
    pub(crate) fn only_places(&self) -> bool {
        self.origins == 0 && self.oldest.is_none()
    }

    /// The origins from which the mover may move now: cells with a piece of the mover or, for a push, empty cells too.
    #[inline]
    pub(crate) fn origins(&self, Position { mover, waiter }: Position) -> u64 {
        self.origins & if self.travel == Travel::Pushes { !waiter } else { mover }
    }

    /// The cells on which a new piece may be placed now.
    #[inline]
    pub(crate) fn places(&self, Position { mover, waiter }: Position) -> u64 {
        let mut taken = mover | waiter;
        if self.oldest == Some(Oldest::First)
            && let Some(&oldest) = Sequence::of(mover).cells().first()
        {
            taken &= !(1 << oldest);
        }
        self.placements & !taken
    }

    /// The cells to which the piece from `from`, one of the [`origins`](Moves::origins), may go now.
    #[inline(always)]
    pub(crate) fn targets(&self, from: u8, position: Position) -> u64 {
        let targets = *self.targets.get(usize::from(from)).unwrap_or(&0);
        match self.travel {
            Travel::Never | Travel::Anywhere | Travel::Links => {
                targets & !(position.mover | position.waiter)
            }
            Travel::Pushes => targets,
            Travel::Conditions => self.allowed(from, position),
        }
    }

    /// The targets of the steps from cell `from` that have a condition which holds.
    #[inline(never)]
    fn allowed(&self, from: u8, position: Position) -> u64 {
        let first = self.conditional.partition_point(|step| step.from < Some(from));
        let steps = self.conditional.iter().skip(first);
        let steps = steps.take_while(|step| step.from == Some(from));
        let holding = steps.filter(|step| step.condition.holds(position));
        holding.fold(0, |to, step| to | step.to) & !(position.mover | position.waiter)
    }

    /// The cells linked with `from`: its targets, without those that a piece reaches by sliding or jumping past another cell. Let c be a
    /// cell from which a piece can reach the target. A piece goes past c if a step to the target needs c to be empty. It also goes past c
    /// if all steps to the target have a condition on c, and not all steps to c have a condition on the target.
    pub(crate) fn links(&self, from: u8) -> u64 {
        let targets = *self.targets.get(usize::from(from)).unwrap_or(&0);
        if self.travel != Travel::Conditions {
            return targets;
        }
        // By target: the cells that must be empty in some step, and the cells on which all steps have a condition.
        let (mut clear, mut seen) = ([0; 64], [0; 64]);
        cells(targets).for_each(|to| seen[usize::from(to)] = u64::MAX);
        for step in self.conditional.iter().filter(|step| step.from == Some(from)) {
            for to in cells(step.to).map(usize::from) {
                clear[to] |= step.condition.clear;
                seen[to] &= step.condition.cells();
            }
        }
        let is_linked = |to: &u8| {
            let [clear, all] = [clear, seen].map(|sets| sets[usize::from(*to)]);
            let is_past = |cell| clear >> cell & 1 == 1 || seen[usize::from(cell)] >> to & 1 == 0;
            let is_before = |&cell: &u8| {
                self.targets.get(usize::from(cell)).is_some_and(|next| next >> to & 1 == 1)
            };
            !cells((clear | all) & !(1 << to)).filter(is_before).any(is_past)
        };
        cells(targets).filter(is_linked).fold(0, |linked, cell| linked | 1 << cell)
    }

    /// Returns true if the mover has a move that is not a pass.
    #[inline]
    pub(crate) fn any(&self, position: Position) -> bool {
        self.places(position) != 0
            || cells(self.origins(position)).any(|from| self.targets(from, position) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn travel_is_what_the_steps_say_together() {
        let board = 0b111;
        let free: Vec<Step> = (0..3).map(|cell| Step::shift(cell, board & !(1 << cell))).collect();
        let travel = |steps: &[Step]| Moves::new(steps, board).travel;
        assert_eq!(travel(&free), Travel::Anywhere);
        assert_eq!(travel(&free[..2]), Travel::Links);
        let [two, one] = [Step::place(0b1), Step::place(0b10)];
        assert_eq!(travel(&[two, one]), Travel::Never);
        assert_eq!(Moves::new(&[two, one], board).placements, 0b11);
        assert_eq!(travel(&[Step::push(0, 2, board)]), Travel::Pushes);
        let condition = Condition { other: 0b10, ..Condition::EMPTY };
        let jump = Step { condition, ..Step::shift(0, 0b100) };
        assert_eq!(travel(&[jump]), Travel::Conditions);
    }

    #[test]
    fn a_move_is_legal_if_any_step_allows_it() {
        let beside = |other: u64| Step {
            condition: Condition { other, ..Condition::EMPTY },
            ..Step::shift(1, 0b100)
        };
        let moves = Moves::new(&[beside(0b1), beside(0b1000)], 0b1111);
        let targets = |waiter| moves.targets(1, Position { mover: 0b10, waiter });
        assert_eq!([0b1, 0b1000, 0b1001, 0].map(targets), [0b100, 0b100, 0b100, 0]);
    }

    #[test]
    fn a_condition_needs_every_cell() {
        let condition = Condition { clear: 0b1, own: 0b10, other: 0b100, taken: 0b1000 };
        let holds = |mover, waiter| condition.holds(Position { mover, waiter });
        assert!(holds(0b1010, 0b100) && holds(0b10, 0b1100));
        for (mover, waiter) in [(0b1011, 0b100), (0b1000, 0b100), (0b1010, 0), (0b10, 0b100)] {
            assert!(!holds(mover, waiter));
        }
    }
}
