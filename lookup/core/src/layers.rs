//! The layers of a game, with their moves: which layer follows, whose turn it is, and how the game ends.
//!
//! Compiles rules into a [`LayerGraph`]. On 3×3 with three pieces each that then slide, it has seven layers. In the first six, a piece
//! is placed and the next layer follows. In the last one, pieces slide, and the positions after a move are in the same layer.

use crate::board::MAX_CELLS;
use crate::position::{Counts, Side};
use crate::rules::{Rules, Stuck, Travel, Value};
use crate::steps::Step;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Reason why a game is over.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Over {
    /// The waiter has just made a line.
    Line,
    /// No piece can be placed, and the rules have no movement.
    Full,
    /// The mover has no legal move and the rules have movement.
    Stuck,
}

names!(Over { Line = "line", Full = "full", Stuck = "stuck" });

/// Writes the name.
impl core::fmt::Display for Over {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// One layer: all positions with the same numbers of pieces. The order of the fields is the file format, in which the counts are
/// those of the layer's section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// Pieces of the side to move and of the side waiting.
    #[serde(skip)]
    pub counts: Counts,
    /// Index of its steps in [`LayerGraph::phases`].
    pub phase: u8,
    /// Index of the layer of the positions after a move; `None` if no position of the layer has a move.
    pub next: Option<u8>,
    /// The side to move; `None` if either may be to move.
    pub turn: Option<Side>,
}

/// The layers of a game in the order of play, their moves, and the ends of the game, which begins at layer 0. The order of the fields
/// is the file format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerGraph {
    /// The kinds of moves of each phase of the game, in the order in which moves are listed.
    pub phases: Vec<Vec<Step>>,
    /// The layers.
    pub layers: Vec<Layer>,
    /// The value for the side to move if the side waiting has made a line.
    pub line: Value,
    /// The result for a side to move without a move.
    pub blocked: Stuck,
    /// The reason why a game is over if the side to move has no move: `Full` or `Stuck`.
    pub blocked_reason: Over,
}

impl LayerGraph {
    /// The layers of valid rules in canonical form.
    pub(crate) fn new(rules: &Rules) -> LayerGraph {
        let cells = rules.board.cells() as u8;
        let board = (1u64 << cells) - 1;
        let mut graph = LayerGraph {
            phases: Vec::new(),
            layers: Vec::new(),
            line: if rules.misere { Value::Win } else { Value::Loss },
            blocked: Stuck::Draw,
            blocked_reason: Over::Full,
        };
        let last = rules.pieces.map_or(cells, |each| 2 * each);
        let first = if rules.start.is_some() { last } else { 0 };
        for ply in first..=last {
            let counts = Counts { mover: ply / 2, waiter: ply.div_ceil(2) };
            let turn = if counts.mover == counts.waiter { Side::X } else { Side::O };
            let opening = rules.opening.filter(|opening| u32::from(ply) < opening.during.plies());
            let forbidden = opening.map_or(0, |opening| opening.forbidden);
            let index = ply - first;
            let layer = if ply < last {
                let allowed = Step::place(board & !forbidden);
                let phase = graph.phase(Vec::from_iter((allowed.to != 0).then_some(allowed)));
                Layer { counts, phase, next: Some(index + 1), turn: Some(turn) }
            } else if rules.movement.is_some() {
                let phase = graph.phase(movement(rules, board));
                Layer { counts, phase, next: Some(index), turn: None }
            } else {
                Layer { counts, phase: graph.phase(Vec::new()), next: None, turn: Some(turn) }
            };
            graph.layers.push(layer);
        }
        if let Some(movement) = &rules.movement {
            (graph.blocked, graph.blocked_reason) = (movement.stuck, Over::Stuck);
        }
        graph
    }

    /// The index of a phase with these steps.
    fn phase(&mut self, steps: Vec<Step>) -> u8 {
        let index = self.phases.iter().position(|phase| *phase == steps);
        index.unwrap_or_else(|| {
            self.phases.push(steps);
            self.phases.len() - 1
        }) as u8
    }

    /// The steps of layer number `index`; none if there is no such layer.
    #[inline]
    #[must_use]
    pub fn steps(&self, index: usize) -> &[Step] {
        let phase = self.layers.get(index).map(|layer| usize::from(layer.phase));
        phase.and_then(|phase| self.phases.get(phase)).map_or(&[], Vec::as_slice)
    }

    /// Returns true if the moves of layer number `index` stay in it, so that play can continue there forever.
    #[inline]
    #[must_use]
    pub fn is_cyclic(&self, index: usize) -> bool {
        self.layers.get(index).is_some_and(|layer| layer.next.map(usize::from) == Some(index))
    }

    /// Returns true if play can continue forever in some layer.
    #[must_use]
    pub fn has_cycles(&self) -> bool {
        (0..self.layers.len()).any(|index| self.is_cyclic(index))
    }

    /// Returns true if a side without another move passes.
    #[inline]
    #[must_use]
    pub fn passes_if_blocked(&self) -> bool {
        self.blocked == Stuck::Pass
    }

    /// The index of each layer by its counts.
    pub(crate) fn index(&self) -> LayerIndex {
        let mut index = LayerIndex([[NO_LAYER; WIDTH]; WIDTH]);
        for (number, Layer { counts, .. }) in (0..NO_LAYER).zip(&self.layers) {
            index.0[usize::from(counts.mover)][usize::from(counts.waiter)] = number;
        }
        index
    }
}

/// The moves of the movement layer.
fn movement(rules: &Rules, board: u64) -> Vec<Step> {
    let Some(movement) = &rules.movement else { return Vec::new() };
    let cells = 0..board.count_ones() as u8;
    let mut steps: Vec<Step> = cells.map(|cell| Step::shift(cell, board & !(1 << cell))).collect();
    if let Travel::Links(links) = &movement.to {
        steps.iter_mut().for_each(|step| step.to = 0);
        for &(a, b) in links {
            steps[usize::from(a)].to |= 1 << b;
            steps[usize::from(b)].to |= 1 << a;
        }
    }
    steps.retain(|step| step.to != 0);
    if movement.stay {
        steps.push(Step::PASS);
    }
    steps
}

const WIDTH: usize = MAX_CELLS as usize + 1;

const NO_LAYER: u8 = u8::MAX;

/// The index of the layer by the pieces of the mover and of the waiter.
#[derive(Clone, Debug)]
pub(crate) struct LayerIndex([[u8; WIDTH]; WIDTH]);

impl LayerIndex {
    #[inline(always)]
    pub(crate) fn get(&self, Counts { mover, waiter }: Counts) -> Option<usize> {
        let index = *self.0.get(usize::from(mover))?.get(usize::from(waiter))?;
        (index != NO_LAYER).then_some(index.into())
    }
}
