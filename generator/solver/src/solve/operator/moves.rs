//! The moves of pieces in the waiter's rows.
//!
//! In a row the waiter's cells are known. They may contradict the condition of a step. Otherwise they leave a requirement on the mover's
//! cells ([`Required`]), which is tested for each column. Most neighbouring rows have the same moves. So the rows of a block share a list
//! of moves, each with the lanes that have this move.

use super::layer_rules::LayerRules;
use crate::solve::planes::Bits;
use morpion_core::{
    Condition,
    rank::{cells, compress},
};
use std::collections::BTreeMap;
use std::ops::BitOr;

/// Requirements of a move on the mover's set before the move. Cells are numbered among the cells that the waiter leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Required {
    /// The cells that must not be in the set.
    clear: u64,
    /// The cells that must be in the set.
    own: u64,
}

impl Required {
    /// No requirement.
    const NONE: Required = Required { clear: 0, own: 0 };

    /// Returns the requirements of a condition that the waiter's set does not settle; `None` if this set contradicts the condition.
    fn of(condition: Condition, waiter: u64, left: u64) -> Option<Required> {
        let Condition { clear, own, other, taken } = condition;
        let is_possible = (clear | own) & waiter == 0 && other & !waiter == 0;
        is_possible.then(|| Required {
            clear: compress(clear, left),
            own: compress((own | taken) & left, left),
        })
    }

    #[inline(always)]
    fn is_met(self, mover: u64) -> bool {
        mover & self.clear | !mover & self.own == 0
    }
}

/// Visits the moves in the row of a waiter's set: the number of the piece, the numbers of its targets, and the requirements.
fn each_move(rules: &LayerRules, waiter: u64, mut visit: impl FnMut(u8, u64, Required)) {
    let left = rules.game.board() & !waiter;
    for step in rules.game.graph().steps(rules.layer) {
        let from = step.from.filter(|&from| left >> from & 1 == 1);
        if let Some((from, required)) = from.zip(Required::of(step.condition, waiter, left)) {
            let number = (left & ((1 << from) - 1)).count_ones() as u8;
            visit(number, compress(step.to & left, left), required);
        }
    }
}

/// The moves in one of the waiter's rows.
pub struct RowMoves {
    /// The cells on which a piece may be placed.
    placed: u64,
    /// For each target, the cells from which a piece may always go there.
    sources: Vec<u64>,
    /// Moves with requirements: the piece, its targets, and the requirements.
    others: Vec<(u8, u64, Required)>,
}

impl RowMoves {
    /// The moves in the row of a waiter's set.
    pub fn new(rules: &LayerRules, waiter: u64) -> RowMoves {
        let placed = compress(rules.placed(), rules.game.board() & !waiter);
        let (mut sources, mut others) = (vec![0; rules.cells_left() as usize], Vec::new());
        each_move(rules, waiter, |from, to, required| match required {
            Required::NONE => cells(to).for_each(|to| sources[usize::from(to)] |= 1 << from),
            _ => others.push((from, to, required)),
        });
        RowMoves { placed, sources, others }
    }

    /// Returns true if a piece may be placed on an empty cell.
    pub fn places(&self, to: u8) -> bool {
        self.placed >> to & 1 == 1
    }

    /// The cells from which a piece may have come to `to`. The mover's other pieces are on `others`.
    pub fn sources(&self, others: u64, to: u8) -> u64 {
        let leads = |&(from, targets, required): &(u8, u64, Required)| {
            let leads = targets >> to & 1 == 1 && required.is_met(others | 1 << from);
            if leads { 1 << from } else { 0 }
        };
        let sources =
            self.others.iter().map(leads).fold(self.sources[usize::from(to)], BitOr::bitor);
        sources & !others & !(1 << to)
    }
}

/// The moves of a piece in some rows: targets, each with the lanes that have the move.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Moves that require nothing, by target.
    free: Vec<(u8, Bits)>,
    others: Vec<(u8, Required, Bits)>,
}

impl Targets {
    /// Visits the moves of a mover with this set. A target may be visited several times, or be occupied.
    #[inline(always)]
    pub fn each(&self, mover: u64, mut visit: impl FnMut(u8, Bits)) {
        self.free.iter().for_each(|&(to, lanes)| visit(to, lanes));
        for &(to, required, lanes) in &self.others {
            if required.is_met(mover) {
                visit(to, lanes);
            }
        }
    }
}

/// The moves from each cell that the waiter leaves, in the rows with these waiters.
pub fn target_lanes(rules: &LayerRules, waiters: &[u64]) -> Vec<Targets> {
    let count = rules.cells_left() as usize;
    let mut free = vec![Bits::NONE; count * count];
    let mut others = BTreeMap::<(u8, u8, Required), Bits>::new();
    for (lane, &waiter) in waiters.iter().enumerate() {
        each_move(rules, waiter, |from, targets, required| {
            cells(targets).for_each(|to| match required {
                Required::NONE => free[usize::from(from) * count + usize::from(to)].set(lane),
                _ => others.entry((from, to, required)).or_default().set(lane),
            });
        });
    }
    let of_cell = |lanes: &[Bits]| {
        let linked = (0..).zip(lanes).filter(|(_, lanes)| **lanes != Bits::NONE);
        Targets { free: linked.map(|(to, &lanes)| (to, lanes)).collect(), others: Vec::new() }
    };
    let mut targets: Vec<Targets> = free.chunks_exact(count.max(1)).map(of_cell).collect();
    for ((from, to, required), lanes) in others {
        targets[usize::from(from)].others.push((to, required, lanes));
    }
    targets
}
