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
    /// The lanes of each cell in which a piece may be placed on it; `None` if every cell is allowed in all lanes.
    pub allowed: Option<&'a [Bits]>,
    /// The same rows of the child layer.
    pub children: &'a [E],
    pub child_columns: usize,
    pub out: &'a mut [E],
    /// A buffer.
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
        let mut tile = [[E::default(); STRIP_ROWS]; COLUMNS];
        let mut first = 0;
        let mut filled = 0;
        let mut flush = |tile: &[[E; STRIP_ROWS]; COLUMNS], first: usize, filled: usize| {
            for (lane, row) in out.chunks_exact_mut(columns).enumerate() {
                for (entry, best) in row[first..first + filled].iter_mut().zip(tile) {
                    *entry = best[lane];
                }
            }
        };
        for (ranks, added) in supersets.each() {
            let mut best = [E::default(); STRIP_ROWS];
            for (&child, &cell) in ranks.iter().zip(added) {
                let child = &lanes[child as usize];
                match allowed {
                    None => {
                        best.iter_mut()
                            .zip(child)
                            .for_each(|(best, &child)| *best = (*best).max(child));
                    }
                    Some(allowed) => {
                        let allowed = &allowed[usize::from(cell)];
                        for (lane, (best, &child)) in best.iter_mut().zip(child).enumerate() {
                            *best =
                                (*best).max(if allowed.get(lane) { child } else { E::default() });
                        }
                    }
                }
            }
            tile[filled] = best;
            filled += 1;
            if filled == COLUMNS {
                flush(&tile, first, filled);
                first += filled;
                filled = 0;
            }
        }
        flush(&tile, first, filled);
    }
}
