//! The form of answers about sums of heaps, which normal and misère play share, and the reasons why a sum has no answer.

use crate::outcome;
use morpion_grundy::{Code, GrundyError};
use morpion_machine::progress::Stopped;
use serde::Serialize;
use thiserror::Error;

/// The answer to a sum of heaps in normal play. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeapAnswer {
    /// The game's code.
    pub code: String,
    /// `true` in misère play; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misere: Option<bool>,
    /// The heaps of the sum.
    pub heaps: Vec<u64>,
    /// Grundy value of each heap; `None` if values do not decide in misère play.
    pub values: Option<Vec<u64>>,
    /// The value of the sum.
    pub value: Option<u64>,
    /// `win` or `loss` for the side to move.
    pub outcome: &'static str,
    /// Every winning move, or the first winning moves.
    pub moves: Vec<HeapMove>,
    /// `true` if there are more winning moves than listed; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<bool>,
}

/// A move: the chosen heap, the counters taken, and the heaps left in its place, the smaller heap first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct HeapMove {
    /// Size of the chosen heap.
    pub heap: u64,
    /// Counters taken.
    pub take: u64,
    /// None, one or two heaps.
    pub leave: Vec<u64>,
}

/// Reason why a sum of heaps has no answer.
#[derive(Debug, Error)]
pub enum AnswerError {
    /// The table has no value for a heap.
    #[error(transparent)]
    Table(#[from] GrundyError),
    /// Misère play of a sum for which no rule is known.
    #[error(
        "{0} has no answer here in misère play, in which the values of parts do not add: choose nim, or one heap of a finite code that never splits"
    )]
    Misere(Code),
    /// In misère play, the heap is too large to be computed, and no repetition of wins and losses was found.
    #[error("{0} has no period up to heap {LONGEST} in misère play: give a smaller heap")]
    NoPeriod(Code),
    /// A stop was requested.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The largest heap that is computed in the search for a period of wins and losses in misère play.
pub(super) const LONGEST: u64 = 1 << 24;

/// Number of splits or heaps between two checks for a stop.
pub(super) const CHECK_EVERY: u64 = 1 << 12;

/// Collects winning moves, at most `limit`.
pub(super) struct WinningMoves {
    moves: Vec<HeapMove>,
    pub limit: usize,
    /// `true` if a move was dropped.
    pub more: bool,
}

impl WinningMoves {
    /// Creates an empty list.
    pub fn new(limit: usize) -> Self {
        Self { moves: Vec::new(), limit, more: false }
    }

    /// Adds a move that leaves some heaps, of which empty heaps are not listed. Drops the move if the list is full.
    pub fn push(&mut self, heap: u64, take: u64, leave: &[u64]) {
        if self.moves.len() >= self.limit {
            self.more = true;
        } else {
            let leave = leave.iter().copied().filter(|left| *left > 0).collect();
            self.moves.push(HeapMove { heap, take, leave });
        }
    }

    /// Makes the answer in normal play to the sum of `heaps` with these values.
    pub fn answer(
        self,
        code: &Code,
        heaps: &[u64],
        values: Option<Vec<u64>>,
        win: bool,
    ) -> HeapAnswer {
        HeapAnswer {
            code: code.to_string(),
            misere: None,
            heaps: heaps.to_vec(),
            value: values.as_ref().map(|values| values.iter().fold(0, |sum, value| sum ^ value)),
            values,
            outcome: outcome(win),
            moves: self.moves,
            more: self.more.then_some(true),
        }
    }
}

/// Removes repeated sizes and keeps the order.
pub(super) fn distinct(heaps: &[u64]) -> Vec<u64> {
    let mut seen = std::collections::HashSet::new();
    heaps.iter().copied().filter(|heap| seen.insert(*heap)).collect()
}
