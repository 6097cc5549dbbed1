//! Steps back from single entries, without the planes of a whole block. They are cheaper if a pass decides few entries.
//!
//! Takes the newly decided columns of a row of the table, and finds the columns of the parents that they decide, each
//! won or lost.

use crate::solve::entry::Entry;
use crate::solve::exchange::Places;
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::sliced::Moves;
use crate::solve::planes::Bits;
use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::Form;
use morpion_lookup::raw::rank::{cells, subsets};

/// Cost of one step (one move of one decided entry). The unit is one entry of a pass over a whole block, as measured on
/// 6×6 with six pieces.
const ENTRIES_PER_MOVE: usize = 40;

/// Enumerates the moves between the columns of a row.
pub struct Steps {
    /// The moves for whole planes.
    pub moves: Moves,
    /// The mover's sets by column, as sets of the cells that a waiter leaves.
    pub movers: Vec<u64>,
    /// Ranks of the sets with one piece lifted.
    lifted: Ranker,
    cells_left: usize,
    /// The maximum number of moves of a position.
    degree: usize,
    /// True if `each` visits all moves. It does not visit passes, which stay in their column, and steps of general form.
    is_simple: bool,
}

impl Steps {
    /// Prepares the steps of a layer.
    pub fn new(rules: &LayerRules) -> Steps {
        let (count, size) = (rules.cells_left(), u32::from(rules.counts.mover));
        Steps {
            moves: Moves::new(rules),
            movers: subsets(count, size).collect(),
            lifted: Ranker::new(count, size.saturating_sub(1)),
            cells_left: count as usize,
            degree: (size * count.saturating_sub(size)) as usize,
            is_simple: !rules.stay()
                && !rules.blocked_pass()
                && !matches!(rules.form(), Form::General),
        }
    }

    /// Returns true if steps from `decided` entries are possible, and cheaper than a pass over the planes of a block of
    /// `entries`.
    pub fn are_cheaper(&self, decided: u64, entries: usize) -> bool {
        let moves = (self.degree * ENTRIES_PER_MOVE) as u64;
        self.is_simple && decided.saturating_mul(moves) <= entries as u64
    }

    /// Visits the columns to which a move leads from `column` or, if `is_reversed`, from which a move leads to it, in the
    /// row of lane `lane`. Stops when `visit` returns false, and returns false then.
    #[inline(always)]
    pub fn each(
        &self,
        column: usize,
        links: &[Bits],
        lane: usize,
        is_reversed: bool,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        match &self.moves {
            Moves::Free(supersets) => {
                let set = self.movers[column];
                cells(set).all(|from| {
                    let lifted = self.lifted.rank(set & !(1 << from)) as usize;
                    let dropped = &supersets.ranks[lifted * supersets.degree..];
                    let dropped = dropped[..supersets.degree].iter().map(|&rank| rank as usize);
                    dropped.filter(|&other| other != column).all(&mut visit)
                })
            }
            Moves::Linked(shifts) => {
                let own = column * shifts.degree..(column + 1) * shifts.degree;
                let mut shifts = shifts.ranks[own.clone()].iter().zip(&shifts.pairs[own]);
                shifts.all(|(&other, &pair)| {
                    let pair = usize::from(pair);
                    let (from, to) = (pair / self.cells_left, pair % self.cells_left);
                    let pair = if is_reversed { to * self.cells_left + from } else { pair };
                    !links[pair].get(lane) || visit(other as usize)
                })
            }
            // `are_cheaper` is false.
            Moves::General(_) => true,
        }
    }
}

/// Steps back from the newly decided entries of a strip, and sends the parents that they decide. Parents of a lost
/// child are won, and are sent even if they are known to be won. Parents of a won child are lost if all their children
/// are won.
pub struct StepBack<'a, 'f, 'o, 's, E> {
    pub steps: &'a Steps,
    /// The links of the block.
    pub links: &'a [Bits],
    /// For each row of the block, `true` if the waiter has a line.
    pub has_line: &'a [bool],
    /// The first row of the strip, counted from the first row of the block.
    pub first: usize,
    pub columns: usize,
    /// The strip.
    pub entries: &'a [E],
    /// The newly decided entries of the strip.
    pub decided: &'a [usize],
    /// The codes of won parents and of lost parents.
    pub codes: [u16; 2],
    pub places: Places<'a, 'f, 'o, 's>,
}

impl<E: Entry> StepBack<'_, '_, '_, '_, E> {
    pub fn run(self) {
        let StepBack { steps, links, has_line, first, columns, mut places, .. } = self;
        let [win, loss] = self.codes;
        for key in self.decided {
            let (lane, column) = (first + key / columns, key % columns);
            if has_line[lane] {
                continue;
            }
            let entries = &self.entries[key - column..][..columns];
            let is_won = |child: usize| entries[child].is_win();
            let is_lost = |parent| steps.each(parent, links, lane, false, is_won);
            let (is_loss, code) = if is_won(column) { (true, loss) } else { (false, win) };
            steps.each(column, links, lane, true, |parent| {
                if !is_loss || is_lost(parent) {
                    places.send(lane, parent, code);
                }
                true
            });
        }
        places.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::sets::FoldedSets;
    use crate::solve::operator::sliced::link_lanes;
    use crate::solve::planes::BLOCK_ROWS;
    use morpion_games::catalogue::standard_game;
    use morpion_lookup::Counts;
    use morpion_lookup::raw::rank::rank;
    use morpion_machine::progress::Unobserved;
    use std::collections::BTreeSet;

    #[test]
    fn children_are_those_of_the_rules_and_parents_their_reverse() {
        for (name, pieces) in [("swap", 3), ("achi", 4), ("picaria", 3), ("teeko", 4)] {
            let game = standard_game(name).unwrap();
            let layout = Layout::new(&game, None, &Unobserved).unwrap();
            let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
            let rules = LayerRules::new(&game, Counts { mover: pieces, waiter: pieces });
            let steps = Steps::new(&rules);
            let waiters = &sets.orbits(pieces).representatives;
            let waiters = &waiters[..waiters.len().min(BLOCK_ROWS)];
            let links = link_lanes(&rules, waiters);
            let lane = waiters.len() / 2;
            let mut made = BTreeSet::new();
            for (column, &set) in steps.movers.iter().enumerate() {
                let neighbours = rules.links(waiters[lane]);
                let expected: BTreeSet<usize> = cells(set)
                    .flat_map(|from| {
                        cells(neighbours[usize::from(from)] & !set)
                            .map(move |to| rank(set & !(1 << from) | 1 << to) as usize)
                    })
                    .collect();
                let mut found = BTreeSet::new();
                assert!(steps.each(column, &links, lane, false, |child| found.insert(child)));
                assert_eq!(found, expected, "{name} {set:b}");
                made.extend(found.into_iter().map(|child| (column, child)));
            }
            let mut undone = BTreeSet::new();
            for child in 0..steps.movers.len() {
                steps.each(child, &links, lane, true, |parent| undone.insert((parent, child)));
            }
            assert!(made == undone, "{name}");
        }
    }
}
