//! Steps back from single entries, without the planes of a whole block. They are cheaper if a pass decides few entries.
//!
//! Takes the newly decided columns of a row of the table, and finds the columns of the parents that they decide, each
//! won or lost.

use crate::solve::entry::Entry;
use crate::solve::exchange::Places;
use crate::solve::holds::Until;
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::lines::{Line, have_effect, in_lines, lines_with_effect};
use crate::solve::operator::sliced::{ColumnMoves, Travel};
use morpion_core::rank::cells;

/// Cost of one step (one move of one decided entry). The unit is one entry of a pass over a whole block, as measured on
/// 6×6 with six pieces.
const ENTRIES_PER_MOVE: usize = 40;

/// Enumerates the moves between the columns of a row.
pub struct Steps<'g> {
    rules: LayerRules<'g>,
    /// The moves for whole planes.
    pub moves: ColumnMoves,
    /// The maximum number of moves of a position.
    degree: usize,
    /// True if a move changes the lines that take.
    has_lines: bool,
    /// True if `each` visits all moves. It does not visit passes, which stay in their column, and moves of pieces that age.
    is_simple: bool,
}

/// The moves of one row.
pub struct RowSteps<'s, 'g> {
    steps: &'s Steps<'g>,
    /// By cell: the cells to which a piece may go, and those from which it may come.
    links: [Vec<u64>; 2],
    /// The lines that take.
    lines: Vec<Line>,
}

impl<'g> Steps<'g> {
    /// Prepares the steps of a layer.
    pub fn new(rules: LayerRules<'g>) -> Steps<'g> {
        let (count, size) = (rules.cells_left(), u32::from(rules.counts.mover));
        Steps {
            rules,
            moves: ColumnMoves::new(&rules),
            degree: (size * count.saturating_sub(size)) as usize,
            has_lines: have_effect(&rules),
            is_simple: !rules.stay() && !rules.blocked_pass() && rules.oldest().is_none(),
        }
    }

    /// Returns true if steps from `decided` entries are possible, and cheaper than a pass over the planes of a block of
    /// `entries`.
    pub fn are_cheaper(&self, decided: u64, entries: usize) -> bool {
        let moves = (self.degree * ENTRIES_PER_MOVE) as u64;
        self.is_simple && decided.saturating_mul(moves) <= entries as u64
    }

    /// The moves in the row of a waiter's set.
    pub fn row(&self, waiter: u64) -> RowSteps<'_, 'g> {
        let mut links = [Vec::new(), Vec::new()];
        if self.moves.travel == Travel::Linked {
            let targets = self.rules.links(waiter);
            let mut sources = vec![0; targets.len()];
            for (from, &targets) in targets.iter().enumerate() {
                cells(targets).for_each(|to| sources[usize::from(to)] |= 1 << from);
            }
            links = [targets, sources];
        }
        let lines =
            if self.has_lines { lines_with_effect(&self.rules, waiter) } else { Vec::new() };
        RowSteps { steps: self, links, lines }
    }
}

impl RowSteps<'_, '_> {
    /// Visits the columns to which a move leads from `column`, each with the cell to which the piece goes. Moves that take are among
    /// them. Stops when `visit` returns false, and returns false then.
    #[inline(always)]
    pub fn after(&self, column: usize, mut visit: impl FnMut(usize, u8) -> bool) -> bool {
        let ColumnMoves { columns, .. } = &self.steps.moves;
        let set = columns.words[column];
        cells(set).all(|from| {
            let without = set & !(1 << from);
            let to = self.linked(0, from) & !set;
            cells(to).all(|to| visit(columns.of(without | 1 << to) as usize, to))
        })
    }

    /// Visits the columns from which a move of a piece to a cell that is not among `taking` leads to `column`.
    #[inline(always)]
    pub fn before(&self, column: usize, taking: u64, mut visit: impl FnMut(usize)) {
        let ColumnMoves { columns, .. } = &self.steps.moves;
        let set = columns.words[column];
        for to in cells(set & !taking) {
            let without = set & !(1 << to);
            let from = self.linked(1, to) & !set;
            cells(from).for_each(|from| visit(columns.of(without | 1 << from) as usize));
        }
    }

    /// The cells with a link from or to a cell.
    #[inline(always)]
    fn linked(&self, direction: usize, cell: u8) -> u64 {
        match self.links[direction].get(usize::from(cell)) {
            Some(&cells) => cells,
            None => (1 << self.steps.rules.cells_left()) - 1,
        }
    }

    /// The cells of a column to which a move takes.
    #[inline(always)]
    fn taking(&self, column: usize) -> u64 {
        in_lines(&self.lines, self.steps.moves.columns.words[column])[0]
    }
}

/// Steps back from the newly decided entries of a strip, and sends the parents that they decide. Parents of a lost
/// child are won, and are sent even if they are known to be won. Parents of a won child are lost if all their children
/// are won.
pub struct StepBack<'a, 'f, 'o, 's, E> {
    pub steps: &'a Steps<'f>,
    /// For each row of the block, the waiter's set; `None` if the game is over in the row.
    pub waiters: &'a [Option<u64>],
    /// The first row of the strip, counted from the first row of the block.
    pub first: usize,
    pub columns: usize,
    /// The strip.
    pub entries: &'a [E],
    /// The newly decided entries of the strip.
    pub decided: &'a [usize],
    /// Parents that children outside win now, and parents that they hold no longer.
    pub due: &'a [Vec<usize>; 2],
    /// The children outside of the strip; empty if there are none.
    pub holds: &'a [E],
    pub until: Until<E>,
    /// The codes of won parents and of lost parents.
    pub codes: [u16; 2],
    pub places: Places<'a, 'f, 'o, 's>,
}

impl<'a, 'f, E: Entry> StepBack<'a, 'f, '_, '_, E> {
    pub fn run(mut self) {
        let (columns, [win, loss]) = (self.columns, self.codes);
        let mut row = (usize::MAX, None);
        for &key in self.decided {
            self.enter(key / columns, &mut row);
            let Some(steps) = &row.1 else { continue };
            self.step_back(key, steps);
        }
        for &key in &self.due[0] {
            self.places.send(self.first + key / columns, key % columns, win);
        }
        for &key in &self.due[1] {
            self.enter(key / columns, &mut row);
            let Some(steps) = &row.1 else { continue };
            if self.is_lost(key, steps) {
                self.places.send(self.first + key / columns, key % columns, loss);
            }
        }
        self.places.flush();
    }

    /// Prepares the moves of a row, if it is another one.
    fn enter(&self, number: usize, row: &mut (usize, Option<RowSteps<'a, 'f>>)) {
        if row.0 != number {
            let waiter = self.waiters[self.first + number];
            *row = (number, waiter.map(|waiter| self.steps.row(waiter)));
        }
    }

    /// Sends the parents of a decided entry.
    fn step_back(&mut self, key: usize, steps: &RowSteps) {
        let (column, start) = (key % self.columns, key - key % self.columns);
        let [win, loss] = self.codes;
        let is_loss = self.entries[key].is_win();
        // A piece in a line has come with a take, and the child after it is another one.
        steps.before(column, steps.taking(column), |parent| {
            if !is_loss || self.is_lost(start + parent, steps) {
                let code = if is_loss { loss } else { win };
                self.places.send(self.first + key / self.columns, parent, code);
            }
        });
    }

    /// Returns true if all children of an entry are won, and none outside holds it.
    fn is_lost(&self, key: usize, steps: &RowSteps) -> bool {
        let (column, start) = (key % self.columns, key - key % self.columns);
        let is_held = self.holds.get(key).is_some_and(|&code| self.until.holds(code));
        let is_fine = |child: usize, to: u8| {
            self.entries[start + child].is_win() || steps.taking(child) >> to & 1 == 1
        };
        !is_held && steps.after(column, is_fine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::sets::FoldedSets;
    use crate::solve::planes::BLOCK_ROWS;
    use morpion_core::Counts;
    use morpion_core::rank::rank;
    use morpion_games::catalogue::standard_game;
    use morpion_machine::progress::Unobserved;
    use std::collections::BTreeSet;

    #[test]
    fn children_are_those_of_the_rules_and_parents_their_reverse() {
        for (name, pieces) in [("swap", 3), ("achi", 4), ("picaria", 3), ("teeko", 4)] {
            let game = standard_game(name).unwrap();
            let layout = Layout::new(&game, None, &Unobserved).unwrap();
            let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
            let layer = game.raw().layer_index(Counts { mover: pieces, waiter: pieces }).unwrap();
            let rules = LayerRules::new(&game, layer);
            let steps = Steps::new(rules);
            let waiters = &sets.orbits(pieces).representatives;
            let waiter = waiters[waiters.len().min(BLOCK_ROWS) / 2];
            let (row, neighbours) = (steps.row(waiter), rules.links(waiter));
            let mut made = BTreeSet::new();
            for (column, &set) in steps.moves.columns.words.iter().enumerate() {
                let expected: BTreeSet<usize> = cells(set)
                    .flat_map(|from| {
                        cells(neighbours[usize::from(from)] & !set)
                            .map(move |to| rank(set & !(1 << from) | 1 << to) as usize)
                    })
                    .collect();
                let mut found = BTreeSet::new();
                assert!(row.after(column, |child, _| found.insert(child)));
                assert_eq!(found, expected, "{name} {set:b}");
                made.extend(found.into_iter().map(|child| (column, child)));
            }
            let mut undone = BTreeSet::new();
            for child in 0..steps.moves.columns.words.len() {
                row.before(child, 0, |parent| assert!(undone.insert((parent, child))));
            }
            assert!(made == undone, "{name}");
        }
    }
}
