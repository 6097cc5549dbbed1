//! Makes a move of one piece on all sets of the mover at once.
//!
//! The cells that a waiter leaves are numbered from 0. The sets of the mover are divided into runs ([`Halves`]), so a move is one list of
//! pairs of lower sets. The list is the same for all runs and all waiters. No set is tested by itself.

use crate::halves::{Halves, Ranks};
use morpion_core::rank::subsets;

/// The ranks of a lower set before and after a move.
type Pair = (u16, u16);

/// The lists of all moves between the sets of one size before and the sets of one size after.
pub(super) struct Shifts {
    /// The pairs by the lower cell that the piece leaves, the lower cell to which it goes, and the size of the lower set before the move.
    /// For a cell that is not a lower cell, this number is the number of lower cells.
    pairs: Vec<Vec<Pair>>,
    /// Ranks of the sets after a move.
    after: Ranks,
}

impl Shifts {
    /// The moves of the sets `before`. `after` has the ranks of the sets after a move.
    pub fn new(before: &Halves, after: Ranks) -> Shifts {
        let (split, sizes) = (before.split, before.sizes());
        let mut pairs = Vec::new();
        for from in 0..=split {
            for to in 0..=split {
                for size in 0..sizes {
                    pairs.push(if from == to { Vec::new() } else { listed(split, from, to, size) });
                }
            }
        }
        Shifts { pairs, after }
    }

    /// Raises the entry in `best` of each set of `before` that has the move from `from` to `to` to the entry in `values` of the set after the
    /// move. Without `from`, the piece is new. `before` has to be the sets that were given to [`Shifts::new`].
    pub fn raise(
        &self,
        before: &Halves,
        from: Option<u32>,
        to: u32,
        values: &[u16],
        best: &mut [u16],
    ) {
        let split = before.split;
        let (lower_from, upper_from) = match from {
            Some(from) if from < split => (from, 0),
            Some(from) => (split, 1u64 << from),
            None => (split, 0),
        };
        let (lower_to, upper_to) = if to < split { (to, 0) } else { (split, 1u64 << to) };
        let kind = (lower_from * (split + 1) + lower_to) * before.sizes();
        for run in &before.runs {
            if run.upper & (upper_from | upper_to) != upper_from {
                continue;
            }
            let size = before.size(run);
            let after = self.after.first(run.upper & !upper_from | upper_to);
            let (best, values) = (&mut best[run.rank..][..run.length], &values[after..]);
            if lower_from == lower_to {
                best.iter_mut().zip(values).for_each(|(best, &value)| *best = value.max(*best));
                continue;
            }
            for &(before, after) in &self.pairs[(kind + size) as usize] {
                let best = &mut best[usize::from(before)];
                *best = values[usize::from(after)].max(*best);
            }
        }
    }
}

/// The pairs of all lower sets of `size` cells that have the move from `from` to `to`.
fn listed(split: u32, from: u32, to: u32, size: u32) -> Vec<Pair> {
    let bit = |cell: u32| if cell < split { 1u64 << cell } else { 0 };
    let (from, to) = (bit(from), bit(to));
    let rank = |set: u64| morpion_core::rank::rank(set) as u16;
    let has_move = |set: &u64| set & (from | to) == from;
    let sets = subsets(split, size).filter(has_move);
    sets.map(|set| (rank(set), rank(set & !from | to))).collect()
}
