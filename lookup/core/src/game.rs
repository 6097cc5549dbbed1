//! Positions, moves, and the rules as far as moves need them.
//!
//! Takes the rules of a game and a position, and gives the empty cells to which pieces may go, and the position after a move.

use crate::board::MAX_CELLS;
use crate::counts::Counts;
use crate::error::{PositionError, PositionFault, RulesError};
use crate::layers::{LayerGraph, LayerIndex};
use crate::rules::{Rules, Side};
use crate::steps::{Form, Step};
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

/// The most moves a position can have: 9 pieces with 18 free cells of 36, and the pass. p pieces with as many of the other side leave
/// n − 2p cells, so p (n − 2p) is greatest at p = n / 4.
pub const MAX_MOVES: usize = MAX_CELLS as usize / 4 * (MAX_CELLS as usize / 2) + 1;

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

/// Rules, and what follows from them: the layers with their moves, and the ends of the game.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    full: u64,
    graph: LayerGraph,
    index: LayerIndex,
    /// The form of the steps of each phase of the graph.
    forms: Vec<Form>,
}

impl Game {
    /// The game of rules in canonical form. Checks that moves and keys can be computed by them.
    ///
    /// # Errors
    /// If a board, a number of pieces or a link is impossible. The error names the key as in a rule file.
    pub fn new(rules: Rules) -> Result<Game, RulesError> {
        rules.check_moves()?;
        let full = (1u64 << rules.board.cells()) - 1;
        let graph = LayerGraph::new(&rules);
        let forms = graph.phases.iter().map(|steps| Form::of(steps, full)).collect();
        Ok(Game { rules, full, index: graph.index(), graph, forms })
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

    /// The layers with their moves.
    #[inline]
    #[must_use]
    pub fn graph(&self) -> &LayerGraph {
        &self.graph
    }

    /// The layers of the game in the order of play: (0, 0), (0, 1), (1, 1), (1, 2), … or, from a preset start, the
    /// movement layer alone.
    #[must_use]
    pub fn layers(&self) -> Vec<Counts> {
        self.graph.layers.iter().map(|layer| layer.counts).collect()
    }

    /// The index of a layer in [`Game::layers`]; `None` if the game does not have the layer.
    #[inline]
    #[must_use]
    pub fn layer_index(&self, counts: Counts) -> Option<usize> {
        self.index.get(counts)
    }

    /// The index of the layer of a position; `None` if the game does not have the layer.
    #[inline]
    #[must_use]
    pub fn layer_of(&self, position: Position) -> Option<usize> {
        self.layer_index(position.counts())
    }

    /// Returns true if the moves of this layer stay in it: pieces move instead of being placed.
    #[inline]
    #[must_use]
    pub fn is_movement(&self, counts: Counts) -> bool {
        self.layer_index(counts).is_some_and(|index| self.graph.is_cyclic(index))
    }

    /// The form of the steps of layer number `index`.
    #[inline]
    #[must_use]
    pub fn form(&self, index: usize) -> &Form {
        let phase = self.graph.layers.get(index).map(|layer| usize::from(layer.phase));
        phase.and_then(|phase| self.forms.get(phase)).unwrap_or(&Form::General)
    }

    /// Returns whether `set` contains a whole line and no cell that extends it. Looks at every line.
    #[inline]
    #[must_use]
    pub fn has_line(&self, set: u64) -> bool {
        self.have_lines(set, set).0
    }

    /// [`Game::has_line`] of two sets. Branch-free if no cell extends a line: all lines are looked at.
    #[inline]
    pub(crate) fn have_lines(&self, a: u64, b: u64) -> (bool, bool) {
        let rules = &self.rules;
        if rules.prolongations.is_empty() {
            return rules.lines.iter().fold((false, false), |(of_a, of_b), &line| {
                (of_a | (line & a == line), of_b | (line & b == line))
            });
        }
        let is_made = |set, (line, prolongation)| line & set == line && prolongation & set == 0;
        let has_line = |set| rules.lines_with_prolongations().any(|line| is_made(set, line));
        (has_line(a), has_line(b))
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

    /// Returns true if passing is a legal move of the mover in layer number `layer`.
    #[inline]
    pub fn may_pass(&self, layer: usize, position: Position) -> bool {
        let steps = self.graph.steps(layer);
        steps.last().is_some_and(Step::is_pass)
            || self.graph.passes_if_blocked()
                && !steps.iter().any(|step| step.targets(position) != 0)
    }
}
