//! The layers of a game, with their moves: which layer follows, whose turn it is, and how the game ends.
//!
//! Finds the layer of a position in a [`LayerGraph`]. A game on 3×3 in which each side places three pieces and then slides them has seven
//! layers. In the first six, a piece is placed and the next layer follows. In the last one, pieces slide, and the positions after a move
//! are in the same layer.

use crate::fields::{Decode, Encode};
use crate::position::{Counts, MAX_CELLS, Side};
use crate::score::Value;
use crate::steps::Step;
use crate::words::Words;
use alloc::vec::Vec;

/// Reason why a game is over.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Over {
    /// The waiter has just made a line.
    Line,
    /// No piece can be placed, and the rules have no movement.
    Full,
    /// The mover has no legal move and the rules have movement.
    Stuck,
    /// The mover owns a line, which the waiter has just completed by a push.
    OwnLine,
    /// The mover has too few pieces.
    Few,
}

variants!(Over, Stuck, Takes);
names!(Over { Line = "line", Full = "full", Stuck = "stuck", OwnLine = "own-line", Few = "few" });

/// Writes the name of the reason.
impl core::fmt::Display for Over {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// The result for a blocked side: it has no legal move once all pieces are placed.
///
/// The order of the variants is the file format. Formats for people write their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stuck {
    /// The blocked side wins.
    Win,
    /// The game is drawn.
    Draw,
    /// The blocked side loses.
    Loss,
    /// The blocked side passes. If both sides are blocked the game never ends.
    Pass,
}

names!(Stuck { Win = "win", Draw = "draw", Loss = "loss", Pass = "pass" });

/// The pieces that a side may take with a line. With the last three variants, two lines at once take two pieces, or one if no second piece
/// may be taken.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Takes {
    /// Any piece.
    Any,
    /// A piece outside lines. If there is none, nothing is taken.
    Outside,
    /// A piece outside lines, or any piece if all are in lines.
    OutsideFirst,
    /// As [`Takes::Any`].
    TwoAny,
    /// As [`Takes::Outside`].
    TwoOutside,
    /// As [`Takes::OutsideFirst`].
    TwoOutsideFirst,
}

names!(Takes {
    Any = "any", Outside = "outside", OutsideFirst = "outside-first",
    TwoAny = "two-any", TwoOutside = "two-outside", TwoOutsideFirst = "two-outside-first"
});

impl Takes {
    /// The most pieces that one move takes.
    #[inline]
    pub fn most(self) -> u8 {
        1 + u8::from(self as u8 >= Takes::TwoAny as u8)
    }
}

/// One layer: all positions with the same numbers of pieces. The order of the fields is the file format, without `next`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Pieces of the side to move and of the side waiting on the board.
    pub counts: Counts,
    /// Pieces in hand of the side to move and of the side waiting, if words contain these numbers; otherwise 0.
    pub hands: Counts,
    /// Index of its steps in [`LayerGraph::phases`].
    pub phase: u8,
    /// Index of the layer of the positions after a move that neither takes a piece nor pushes in a new one; `None` if there is no such
    /// layer or no move. [`Game::new`](crate::Game::new) sets it.
    pub next: Option<u16>,
    /// The side to move; `None` if either may be to move.
    pub turn: Option<Side>,
    /// True if the game is over in all positions of the layer, which then has no entries in a table: the mover has too few pieces, or
    /// the waiter has made a line with its oldest piece.
    pub ended: bool,
}

coded!(
    Layer,
    |layer, encoder| {
        let Layer { counts, hands, phase, next: _, turn, ended } = *layer;
        Encode::encode(&(counts, hands, phase, turn, ended), encoder)
    },
    |decoder| {
        let (counts, hands, phase, turn, ended) = Decode::decode(decoder)?;
        Ok(Layer { counts, hands, phase, next: None, turn, ended })
    }
);

/// The layers of a game in the order of play, their moves, and the ends of the game, which begins at layer 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerGraph {
    /// The kinds of moves of each phase of the game, in the order in which moves are listed.
    pub phases: Vec<Vec<Step>>,
    /// The layers.
    pub layers: Vec<Layer>,
    /// The value for the side to move if the side waiting has made a line. A line of the side to move has the opposite value.
    pub line: Value,
    /// The result for a side to move without a move.
    pub blocked: Stuck,
    /// The reason why a game is over if the side to move has no move: `Full` or `Stuck`.
    pub blocked_reason: Over,
    /// The result for a side to move on a full board, if it is not `blocked`.
    pub full: Option<Stuck>,
    /// The pieces that a line takes; `None` if a line ends the game.
    pub takes: Option<Takes>,
    /// True if a move may complete a line of the other side, so that a side to move may own a line.
    pub own_lines: bool,
}

impl LayerGraph {
    /// The steps of layer number `index`; none if there is no such layer.
    #[inline]
    pub fn steps(&self, index: usize) -> &[Step] {
        let phase = self.layers.get(index).map(|layer| usize::from(layer.phase));
        phase.and_then(|phase| self.phases.get(phase)).map_or(&[], Vec::as_slice)
    }

    /// Returns true if a line ends the game at once, so that a side to move never owns one.
    #[inline]
    pub fn lines_end(&self) -> bool {
        !self.may_take() && !self.own_lines
    }

    /// Returns true if moves can lead from layer number `index` back to this layer, in one move or in two.
    pub fn is_cyclic(&self, index: usize) -> bool {
        let next = |index: usize| self.layers.get(index)?.next.map(usize::from);
        next(index) == Some(index) || next(index).and_then(next) == Some(index)
    }

    /// Returns true if play can continue forever in some layer.
    pub fn has_cycles(&self) -> bool {
        (0..self.layers.len()).any(|index| self.is_cyclic(index))
    }

    /// Returns true if a move may take a piece.
    #[inline]
    pub fn may_take(&self) -> bool {
        self.takes.is_some()
    }

    /// Returns true if no two layers have the same pieces.
    pub(crate) fn has_each_once(&self) -> bool {
        let mut keys: Vec<u32> =
            self.layers.iter().map(|layer| key(layer.counts, layer.hands)).collect();
        keys.sort_unstable();
        keys.is_sorted_by(|a, b| a < b)
    }

    /// Returns true if a side without another move passes.
    #[inline]
    pub fn passes_if_blocked(&self) -> bool {
        self.blocked == Stuck::Pass
    }

    /// Builds the index that finds a layer by its numbers of pieces.
    pub(crate) fn index(&self, has_ages: bool) -> LayerIndex {
        let by_counts = [[NO_LAYER; WIDTH]; WIDTH];
        let mut index = LayerIndex { by_counts, others: Vec::new() };
        for (number, &Layer { counts, hands, ended, .. }) in (0..NO_LAYER).zip(&self.layers) {
            if ended || Words::new(counts, hands, has_ages) != Words::SETS {
                index.others.push((key(counts, hands), number));
                continue;
            }
            let (mover, waiter) = (usize::from(counts.mover), usize::from(counts.waiter));
            if let Some(slot) = index.by_counts.get_mut(mover).and_then(|row| row.get_mut(waiter)) {
                *slot = number;
            }
        }
        index.others.sort_unstable();
        index
    }
}

const WIDTH: usize = MAX_CELLS as usize + 1;

const NO_LAYER: u16 = u16::MAX;

/// The numbers of pieces of a layer as one number, so that one comparison is enough.
fn key(on_board: Counts, hands: Counts) -> u32 {
    u32::from_be_bytes([on_board.mover, on_board.waiter, hands.mover, hands.waiter])
}

/// Finds the number of a layer by the numbers of pieces of the mover and of the waiter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LayerIndex {
    /// The layers that have not ended and whose words are sets of cells, by the pieces of the mover, then of the waiter.
    by_counts: [[u16; WIDTH]; WIDTH],
    /// The other layers by [`key`], ascending.
    others: Vec<(u32, u16)>,
}

impl LayerIndex {
    /// The number of the layer with these pieces on the board; `None` if the layer has ended or its words are more than sets of cells.
    #[inline(always)]
    pub(crate) fn get(&self, Counts { mover, waiter }: Counts) -> Option<usize> {
        let index = *self.by_counts.get(usize::from(mover))?.get(usize::from(waiter))?;
        (index != NO_LAYER).then_some(index.into())
    }

    /// The layer with these pieces on the board and in hand.
    #[inline]
    pub(crate) fn find(&self, counts: Counts, hands: Counts) -> Option<usize> {
        let found = self.get(counts).filter(|_| hands == Counts::default());
        found.or_else(|| {
            let at = self.others.binary_search_by_key(&key(counts, hands), |other| other.0).ok()?;
            self.others.get(at).map(|other| other.1.into())
        })
    }
}
