//! The bit-sliced operator: all rows of a block at once, a lane a row.
//!
//! Inside the waiter's rows the sets of the mover are numbered in the same way whatever the waiter's set is, so that one
//! sequence of operations on whole lanes serves all rows. Where rows differ (links, restricted cells), a mask of lanes
//! says for which of them a move exists.

use super::Scene;
use super::supersets::{Shifts, Supersets};
use crate::solve::entry::Entry;
use crate::solve::planes::{Bits, LANES};
use crate::solve::transpose::{pack, transpose};
use morpion_lookup::Travel;
use morpion_lookup::rank::cells;
use morpion_machine::memory::prefetch;

/// How children lead to parents in the movement layer.
#[derive(Clone, Debug)]
pub enum Moves {
    /// To any cell: a piece is lifted from the parent and dropped to make the child.
    Free(Supersets),
    /// Along links.
    Linked(Shifts),
}

impl Moves {
    /// The moves of the layer.
    pub fn new(scene: &Scene) -> Moves {
        let (count, size) = (scene.cells_left(), u32::from(scene.counts.mover));
        match scene.game.rules().movement.as_ref().map(|movement| &movement.to) {
            Some(Travel::Any) => Moves::Free(Supersets::new(count, size - 1)),
            _ => Moves::Linked(Shifts::new(count, size)),
        }
    }
}

/// For each pair of cells that the waiter may leave, the lanes where they are linked, by `from · cells + to`.
pub fn link_lanes(scene: &Scene, waiters: &[u64]) -> Vec<Bits> {
    let count = scene.cells_left() as usize;
    let mut lanes = vec![Bits::NONE; count * count];
    for (lane, &waiter) in waiters.iter().enumerate() {
        for (from, targets) in scene.links(waiter).into_iter().enumerate() {
            cells(targets).for_each(|to| lanes[from * count + usize::from(to)].set(lane));
        }
    }
    lanes
}

/// For each cell that the waiter may leave, the lanes where it may be placed on.
pub fn allowed_lanes(scene: &Scene, waiters: &[u64]) -> Vec<Bits> {
    let mut lanes = vec![Bits::NONE; scene.cells_left() as usize];
    for (lane, &waiter) in waiters.iter().enumerate() {
        cells(scene.allowed(waiter)).for_each(|cell| lanes[usize::from(cell)].set(lane));
    }
    lanes
}

/// Adds to `parents` every position that has a child in `children`. Both are planes of one block of the movement layer.
#[inline(always)]
pub fn exists(moves: &Moves, links: &[Bits], stay: bool, children: &[Bits], parents: &mut [Bits]) {
    match moves {
        Moves::Free(lifted) => {
            // Of each set with a piece lifted: whether one of the sets a drop makes of it is in, and whether two are. A
            // parent needs one other than itself.
            for (supersets, _) in lifted.each() {
                let (mut one, mut two) = (Bits::NONE, Bits::NONE);
                for &child in supersets {
                    let child = children[child as usize];
                    two = two | one & child;
                    one = one | child;
                }
                for &parent in supersets {
                    let own = children[parent as usize];
                    parents[parent as usize] = parents[parent as usize] | one & !own | two;
                }
            }
        }
        Moves::Linked(shifts) => {
            let degree = shifts.degree.max(1);
            let each = shifts.ranks.chunks_exact(degree).zip(shifts.pairs.chunks_exact(degree));
            for ((ranks, pairs), parent) in each.zip(parents.iter_mut()) {
                let mut any = *parent;
                for (&child, &pair) in ranks.iter().zip(pairs) {
                    any = any | children[child as usize] & links[usize::from(pair)];
                }
                *parent = any;
            }
        }
    }
    if stay {
        for (parent, &child) in parents.iter_mut().zip(children) {
            *parent = *parent | child;
        }
    }
}

/// Fills `parents` with every position that has a child by placement in `children`; `allowed` are the lanes of each cell,
/// or nothing where every cell is.
#[inline(always)]
pub fn exists_placed(
    supersets: &Supersets,
    allowed: Option<&[Bits]>,
    children: &[Bits],
    parents: &mut [Bits],
) {
    for ((ranks, added), parent) in supersets.each().zip(parents.iter_mut()) {
        let mut any = Bits::NONE;
        match allowed {
            None => ranks.iter().for_each(|&child| any = any | children[child as usize]),
            Some(allowed) => {
                for (&child, &cell) in ranks.iter().zip(added) {
                    any = any | children[child as usize] & allowed[usize::from(cell)];
                }
            }
        }
        *parent = any;
    }
}

/// Rows and columns of a tile that [`load`] loads at once.
pub const TILE: usize = 64;

/// Loads a tile of two planes from at most [`TILE`] rows of a table, from column `start` on, into the lanes of word
/// `word`: those whose entry is above `draw`, lost, and those that are not won, which is at least 1 and less than `won`.
/// Lanes beyond the last row are left empty. Calls for the tile from column `ahead` on, which is to be loaded next: rows
/// lie far apart, so that the machine does not guess it.
#[inline(always)]
pub fn load<E: Entry>(
    rows: &[E],
    columns: usize,
    [start, ahead]: [usize; 2],
    won: E,
    word: usize,
    [lost, open]: [&mut [Bits]; 2],
) {
    let (draw, one) = (E::draw_end(), E::new(1));
    let width = (columns - start).min(TILE);
    let (mut lost_words, mut open_words) = ([0u64; TILE], [0u64; TILE]);
    for (index, row) in rows.chunks_exact(columns).enumerate() {
        prefetch(row, ahead);
        prefetch(row, ahead + TILE - 1);
        // A whole array, whose length the compiler knows, even at the right edge.
        let codes = row[start..].first_chunk().copied().unwrap_or_else(|| {
            let mut codes = [E::default(); TILE];
            codes[..width].copy_from_slice(&row[start..]);
            codes
        });
        lost_words[index] = pack(&codes.map(|code| u8::from(code > draw)));
        open_words[index] = pack(&codes.map(|code| u8::from(code < one) | u8::from(code >= won)));
    }
    transpose(&mut lost_words);
    transpose(&mut open_words);
    for column in 0..width {
        lost[start + column].0[word] = lost_words[column];
        open[start + column].0[word] = open_words[column];
    }
}

/// Rows that [`place`] works on together.
pub const PLACE_ROWS: usize = 64;

/// Fills up to [`PLACE_ROWS`] of the waiter's rows of a placement layer, as [`super::row::place`] does one.
#[inline(always)]
pub fn place<E: Entry>(
    supersets: &Supersets,
    allowed: Option<&[Bits]>,
    children: &[E],
    child_columns: usize,
    out: &mut [E],
    lanes: &mut Vec<[E; PLACE_ROWS]>,
) {
    lanes.clear();
    lanes.resize(child_columns, [E::default(); PLACE_ROWS]);
    for start in (0..child_columns).step_by(TILE) {
        let end = (start + TILE).min(child_columns);
        for (lane, row) in children.chunks_exact(child_columns).enumerate() {
            for (slot, code) in lanes[start..end].iter_mut().zip(&row[start..end]) {
                slot[lane] = code.preference();
            }
        }
    }
    let columns = out.len() / (children.len() / child_columns);
    let mut tile = [[E::default(); PLACE_ROWS]; TILE];
    let mut first = 0;
    let mut filled = 0;
    let mut flush = |tile: &[[E; PLACE_ROWS]; TILE], first: usize, filled: usize| {
        for (lane, row) in out.chunks_exact_mut(columns).enumerate() {
            for (entry, best) in row[first..first + filled].iter_mut().zip(tile) {
                *entry = best[lane];
            }
        }
    };
    for (ranks, added) in supersets.each() {
        let mut best = [E::default(); PLACE_ROWS];
        for (&child, &cell) in ranks.iter().zip(added) {
            let child = &lanes[child as usize];
            match allowed {
                None => {
                    best.iter_mut().zip(child).for_each(|(best, &child)| *best = (*best).max(child))
                }
                Some(allowed) => {
                    let allowed = &allowed[usize::from(cell)];
                    for (lane, (best, &child)) in best.iter_mut().zip(child).enumerate() {
                        *best = (*best).max(if allowed.get(lane) { child } else { E::default() });
                    }
                }
            }
        }
        tile[filled] = best;
        filled += 1;
        if filled == TILE {
            flush(&tile, first, filled);
            first += filled;
            filled = 0;
        }
    }
    flush(&tile, first, filled);
}

const _: () = assert!(LANES.is_multiple_of(64));
