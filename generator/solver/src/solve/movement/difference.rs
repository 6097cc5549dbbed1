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
    pub parents: [Vec<Bits>; 2],
}

impl Difference {
    /// Resizes the planes that can change to `columns` columns.
    pub fn resize(&mut self, columns: usize, changes: [bool; 2]) {
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

    /// Finds the lost children that are new since [`Difference::keep_lost`].
    pub fn find_lost(&mut self) {
        for (before, &after) in self.before[0].iter_mut().zip(&self.after.children[0]) {
            *before = after & !*before;
        }
    }

    /// Adds decided entries of one strip to the planes after.
    pub fn decide(&mut self, word: usize, keys: &[usize], columns: usize, is_win: bool) {
        let [lost, unwon] = &mut self.after.children;
        for key in keys {
            let (lane, column) = (1 << (key / columns), key % columns);
            match is_win {
                true => unwon[column].0[word] &= !lane,
                false => lost[column].0[word] |= lane,
            }
        }
    }

    /// Clears the lanes of strips beyond the end of the last block.
    pub fn clear_from(&mut self, word: usize) {
        let planes = self.before.iter_mut().chain(&mut self.after.children);
        planes.flatten().for_each(|bits| bits.0[word..].fill(0));
    }
}

/// Loads the planes of one strip: lost entries, which are above the draws that end, and entries that are not won, which are 0 or at least
/// `won`. `stale` marks the tiles of columns to load; `None` loads all tiles.
pub fn load<E: Entry>(
    codes: &[E],
    columns: usize,
    won: E,
    word: usize,
    stale: Option<&[bool]>,
    planes: &mut Planes,
) {
    let (draw, one) = (E::draw_end(), E::new(1));
    let is_stale = |&tile: &usize| stale.is_none_or(|stale| stale[tile]);
    let mut tiles = (0..columns.div_ceil(LOADED_TILE)).filter(is_stale).peekable();
    while let Some(tile) = tiles.next() {
        // The next tile is prefetched meanwhile.
        let starts = [tile, *tiles.peek().unwrap_or(&tile)].map(|tile| tile * LOADED_TILE);
        let planes = planes.each_mut().map(|plane| &mut plane[..]);
        let classes = (|code| code > draw, |code| (code < one) | (code >= won));
        sliced::load(codes, columns, starts, classes, word, planes);
    }
}

/// Finds and sends the wins or the losses in a block.
pub struct Find<'a, 'f, 'o, 's> {
    pub moves: &'a ColumnMoves,
    pub lane_moves: &'a LaneMoves,
    pub is_win: bool,
    /// Lost positions before the pass, or positions that are not won. `None` if `decided` contains the parents that
    /// were decided.
    pub before: Option<&'a [Bits]>,
    /// The corresponding positions after the pass.
    pub after: &'a [Bits],
    /// Buffers for positions with such a child, before and after the pass.
    pub parents: &'a mut [Vec<Bits>; 2],
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
        let Find { moves, lane_moves, is_win, before, after, parents, .. } = self;
        let Find { decided, outside, lanes, code, mut places, .. } = self;
        let [had, has] = parents;
        for (children, parents) in [(before.unwrap_or_default(), &mut *had), (after, &mut *has)] {
            parents.clear();
            parents.resize(children.len(), Bits::NONE);
            if !children.is_empty() {
                dispatch(Exists { moves, lanes: lane_moves, children, parents });
            }
        }
        // A position with a lost child is won. A position without a child that is not won is lost.
        let decides = |has: Bits, outside: &[Bits], column: usize| {
            let has = outside.get(column).map_or(has, |&outside| has | outside);
            if is_win { has } else { !has }
        };
        let [earlier, outside] = outside;
        for (column, &has) in has.iter().enumerate() {
            let now = decides(has, outside, column);
            let was = match before {
                Some(_) => decides(had[column], earlier, column),
                None => decided[column],
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
