//! Finds the parents that are decided when a pass changes a block.
//!
//! Compares the codes of the block's strips before and after the pass, and the children outside that are known before and after it.
//! Sends the newly decided positions to their places in the table.

use crate::solve::entry::Entry;
use crate::solve::operator::sliced::{ColumnMoves, Exists, LOADED_TILE, LaneMoves, Load};
use crate::solve::planes::Bits;
use morpion_machine::isa::dispatch;

/// The children in a block: lost positions, and positions that are not won. A plane that cannot change is empty.
pub type Planes = [Vec<Bits>; 2];

/// Planes after a pass, which a block may remember for the next pass.
#[derive(Default)]
pub struct After {
    pub children: Planes,
    /// The parents that were decided before, and then those that these children decide. Empty if nothing is remembered.
    pub decided: Vec<Bits>,
    /// The parents that children outside win, and those that they hold. Empty if there are none.
    pub outside: Planes,
}

/// The planes before and after a pass, and buffers for parents.
#[derive(Default)]
pub struct Difference {
    pub before: Planes,
    pub outside_before: Planes,
    pub after: After,
    /// The children that are new in a plane, or gone from it.
    new: Vec<Bits>,
    parents: [Vec<Bits>; 2],
}

impl Difference {
    /// Resizes the planes that can change to `columns` columns. If they are remembered, no parent is decided yet.
    pub fn resize(&mut self, columns: usize, changes: [bool; 2], is_remembered: bool) {
        let decided = &mut self.after.decided;
        decided.clear();
        decided.resize(if is_remembered { columns } else { 0 }, Bits::NONE);
        for planes in [&mut self.before, &mut self.after.children] {
            for (plane, changes) in planes.iter_mut().zip(changes) {
                plane.resize(if changes { columns } else { 0 }, Bits::NONE);
            }
        }
    }

    /// Copies one strip of the planes before to the planes after.
    pub fn copy(&mut self, word: usize) {
        for (before, after) in self.before.iter().zip(&mut self.after.children) {
            before.iter().zip(after).for_each(|(before, after)| after.0[word] = before.0[word]);
        }
    }

    /// Copies the lost children of recalled planes, so that the new ones can be found.
    pub fn keep_lost(&mut self) {
        let [lost, _] = &mut self.before;
        lost.clear();
        lost.extend_from_slice(&self.after.children[0]);
    }

    /// Adds a decided entry of one strip to the planes after.
    pub fn decide(&mut self, word: usize, key: usize, columns: usize, is_win: bool) {
        let [lost, unwon] = &mut self.after.children;
        let (lane, column) = (1 << (key / columns), key % columns);
        match is_win {
            true => unwon[column].0[word] &= !lane,
            false => lost[column].0[word] |= lane,
        }
    }

    /// Finds the parents that the pass decides: wins if `kind` is 0, otherwise losses. Visits them by column. If planes are recalled,
    /// `decided` has the parents that were decided before.
    pub fn each_parent(
        &mut self,
        kind: usize,
        is_recalled: bool,
        moves: &ColumnMoves,
        lanes: &LaneMoves,
        mut visit: impl FnMut(usize, Bits),
    ) {
        let is_win = kind == 0;
        if is_win || !is_recalled {
            // The children that are lost now and were not before, or those that were not won before and are now.
            let [before, after] = [&self.before[kind], &self.after.children[kind]];
            let [newer, older] = if is_win { [after, before] } else { [before, after] };
            self.new.clear();
            self.new.extend(newer.iter().zip(older).map(|(&newer, &older)| newer & !older));
        }
        let Difference { before, outside_before, after, new, parents } = self;
        let After { children: after, decided, outside } = after;
        let (earlier, outside) = (&outside_before[kind][..], &outside[kind][..]);
        let is_same = || earlier == outside && new.iter().all(|new| *new == Bits::NONE);
        if decided.is_empty() && is_same() {
            return;
        }
        // Children that decided a parent before, if it has one, or with losses children one of which has to be among a parent's. Empty
        // if any parent may be new.
        let had = match is_win {
            _ if is_recalled => &[],
            true => &before[kind][..],
            false => new,
        };
        // Children that win a parent, or that hold it.
        let has = if is_win { &new[..] } else { &after[kind] };
        for (children, parents) in [had, has].into_iter().zip(&mut *parents) {
            parents.clear();
            parents.resize(children.len(), Bits::NONE);
            if !children.is_empty() {
                dispatch(Exists { moves, lanes, children, parents });
            }
        }
        let at = |plane: &[Bits], column: usize| plane.get(column).copied().unwrap_or_default();
        let [had, has] = parents;
        for (column, &has) in has.iter().enumerate() {
            let [had, earlier, outside] = [had, earlier, outside].map(|plane| at(plane, column));
            // A position with a lost child is won. A position without a child that is not won is lost.
            let now = if is_win { had | has | outside } else { !(has | outside) };
            let was = match is_win {
                _ if is_recalled => decided[column],
                true => had | earlier,
                false => !(had | earlier & !outside),
            };
            if let Some(decided) = decided.get_mut(column) {
                *decided = *decided | now;
            }
            visit(column, now & !was);
        }
    }

    /// Clears the lanes of strips beyond the end of the last block.
    pub fn clear_from(&mut self, word: usize) {
        let planes = self.before.iter_mut().chain(&mut self.after.children);
        planes.flatten().for_each(|bits| bits.0[word..].fill(0));
    }
}

/// Loads the planes of one strip: lost entries, which are above the draws that end, and entries that are not won, which are 0 or at least
/// `won`.
pub fn load<E: Entry>(codes: &[E], columns: usize, won: E, word: usize, planes: &mut Planes) {
    let (draw, one) = (E::draw_end(), E::new(1));
    let tiles: Vec<usize> = (0..columns.div_ceil(LOADED_TILE)).collect();
    let classes = (|code| code > draw, |code| (code < one) | (code >= won));
    dispatch(Load { codes, columns, tiles: &tiles, classes, word, planes });
}
