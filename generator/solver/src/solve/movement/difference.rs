//! Finds the parents that are decided when a pass changes a block.
//!
//! Compares the codes of the block's strips before and after the pass, and the children outside that are known before and after it.
//! Sends the newly decided positions to their places in the table.

use crate::solve::entry::Entry;
use crate::solve::exchange::Places;
use crate::solve::operator::sliced::{self, ColumnMoves, Exists, LOADED_TILE, LaneMoves};
use crate::solve::planes::Bits;
use morpion_core::rank::cells;
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
    pub new: Vec<Bits>,
    pub parents: [Vec<Bits>; 2],
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

    /// Finds the children that are lost now and were not before or, with another `kind`, those that were not won before and are now.
    pub fn find_new(&mut self, kind: usize) {
        let [before, after] = [&self.before[kind], &self.after.children[kind]];
        let [newer, older] = if kind == 0 { [after, before] } else { [before, after] };
        self.new.clear();
        self.new.extend(newer.iter().zip(older).map(|(&newer, &older)| newer & !older));
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
    for start in (0..columns).step_by(LOADED_TILE) {
        // The next tile is prefetched meanwhile.
        let next = if start + LOADED_TILE < columns { start + LOADED_TILE } else { start };
        let planes = planes.each_mut().map(|plane| &mut plane[..]);
        let classes = (|code| code > draw, |code| (code < one) | (code >= won));
        sliced::load(codes, columns, [start, next], classes, word, planes);
    }
}

/// Finds and sends the wins or the losses in a block.
pub struct Find<'a, 'f, 'o, 's> {
    pub moves: &'a ColumnMoves,
    pub lane_moves: &'a LaneMoves,
    pub is_win: bool,
    /// Children that decided a parent before, if it has one, or with losses children one of which has to be among a parent's. Empty
    /// if any parent may be new.
    pub had: &'a [Bits],
    /// Children that win a parent, or that hold it.
    pub has: &'a [Bits],
    /// Buffers for positions with such a child.
    pub parents: &'a mut [Vec<Bits>; 2],
    /// True if `decided` has the parents that were decided before.
    pub is_recalled: bool,
    /// The parents that were decided before. New ones are added. May be empty.
    pub decided: &'a mut [Bits],
    /// The parents that children outside win or hold, before and after the pass. Empty if there are none.
    pub outside: [&'a [Bits]; 2],
    /// The rows in which the game is not over.
    pub lanes: Bits,
    pub code: u16,
    pub places: Places<'a, 'f, 'o, 's>,
}

impl Find<'_, '_, '_, '_> {
    pub fn run(self) {
        let Find { moves, lane_moves, is_win, had, has, parents, is_recalled, .. } = self;
        let Find { decided, outside: [earlier, outside], lanes, code, mut places, .. } = self;
        for (children, parents) in [had, has].into_iter().zip(&mut *parents) {
            parents.clear();
            parents.resize(children.len(), Bits::NONE);
            if !children.is_empty() {
                dispatch(Exists { moves, lanes: lane_moves, children, parents });
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
            let found = now & !was & lanes;
            for (word, &bits) in found.0.iter().enumerate() {
                for lane in cells(bits).map(usize::from) {
                    places.send(word * 64 + lane, column, code);
                }
            }
        }
        places.flush();
    }
}
