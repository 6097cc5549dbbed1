//! The operator of a placement layer: finds the best child of each position in the waiter's rows of a strip, from the same
//! rows of the next layer.

use super::columns::Supersets;
use crate::solve::code::Code;
use crate::solve::planes::{Bits, STRIP_ROWS};
use morpion_machine::isa::Kernel;

/// Number of columns that are read and written together, so that whole cache lines of each row are used.
const COLUMNS: usize = 64;

/// Fills the rows of a strip. Each set of the mover gets the [`Code::preference`] of its best child, or 0 if no piece can be
/// placed.
pub struct PlacePieces<'a, E> {
    pub supersets: &'a Supersets,
    /// For each cell, the lanes in which a piece may be placed there; `None` if every cell is allowed in all lanes.
    pub allowed: Option<&'a [Bits]>,
    /// The same rows of the child layer.
    pub children: &'a [E],
    pub child_columns: usize,
    pub out: &'a mut [E],
    /// Buffer for the preferences of the children, by column.
    pub lanes: &'a mut Vec<[E; STRIP_ROWS]>,
}

impl<E: Code> Kernel for PlacePieces<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let PlacePieces { supersets, allowed, children, child_columns, out, lanes } = self;
        lanes.clear();
        lanes.resize(child_columns, [E::default(); STRIP_ROWS]);
        for start in (0..child_columns).step_by(COLUMNS) {
            let end = (start + COLUMNS).min(child_columns);
            for (lane, row) in children.chunks_exact(child_columns).enumerate() {
                for (slot, code) in lanes[start..end].iter_mut().zip(&row[start..end]) {
                    slot[lane] = code.preference();
                }
            }
        }
        let columns = out.len() / (children.len() / child_columns);
        // A full set has no superset, and chunks have at least one element.
        let degree = supersets.degree.max(1);
        let all = supersets.columns.chunks(degree * COLUMNS);
        let all = all.zip(supersets.added.chunks(degree * COLUMNS)).zip(0..);
        let mut tile = [[E::default(); STRIP_ROWS]; COLUMNS];
        for ((ranks, added), number) in all {
            let each = ranks.chunks_exact(degree).zip(added.chunks_exact(degree));
            for (slot, (ranks, added)) in tile.iter_mut().zip(each) {
                let mut best = [E::default(); STRIP_ROWS];
                for (&child, &cell) in ranks.iter().zip(added) {
                    let child = &lanes[child as usize];
                    match allowed.map(|allowed| &allowed[usize::from(cell)]) {
                        None => {
                            let each = best.iter_mut().zip(child);
                            each.for_each(|(best, &child)| *best = (*best).max(child));
                        }
                        Some(allowed) => {
                            for (lane, (best, &child)) in best.iter_mut().zip(child).enumerate() {
                                let child = if allowed.get(lane) { child } else { E::default() };
                                *best = (*best).max(child);
                            }
                        }
                    }
                }
                *slot = best;
            }
            let first = number * COLUMNS;
            for (lane, row) in out.chunks_exact_mut(columns).enumerate() {
                for (entry, best) in row[first..].iter_mut().zip(&tile) {
                    *entry = best[lane];
                }
            }
        }
    }
}
