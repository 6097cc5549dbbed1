//! The operator of a placement layer: computes the codes in the waiter's rows of a strip from the same rows of the next
//! layer.

use super::LayerRules;
use super::sliced;
use super::supersets::Supersets;
use crate::error::TooDeep;
use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::entry::Entry;
use crate::solve::planes::{Bits, STRIP_ROWS};
use morpion_lookup::{Counts, Over};
use morpion_machine::isa::{Kernel, dispatch};

/// Fills the rows of one strip of the last layer of a game without movement: lines, or a full board. Rows of invalid arrangements
/// stay unchanged.
pub fn fill_last<E: Entry>(sets: &FoldedSets, counts: Counts, strip: usize, out: &mut [E]) {
    let (shape, game) = (Shape::of(sets, counts), sets.game());
    let code = |over| E::of(game.final_score(over)).unwrap_or_default();
    let (line, full) = (code(Over::Line), code(Over::Full));
    let movers = &sets.orbits(counts.mover).representatives[strip * STRIP_ROWS..];
    for (row, &mover) in out.chunks_mut(shape.columns).zip(movers) {
        if game.has_line(mover) {
            continue;
        }
        for (waiter, entry) in shape.waiters(mover).zip(row) {
            *entry = if game.has_line(waiter) { line } else { full };
        }
    }
}

/// The operator of a placement layer, with its prepared data.
pub struct Operation<'f, E> {
    sets: &'f FoldedSets,
    rules: LayerRules<'f>,
    shape: Shape,
    supersets: Supersets,
    /// The codes of a position whose waiter has a line, and of a position in which the mover cannot place a piece.
    line: E,
    no_move: E,
}

impl<'f, E: Entry> Operation<'f, E> {
    /// Prepares the operator of the layer `counts`.
    pub fn new(sets: &'f FoldedSets, counts: Counts) -> Self {
        let game = sets.game();
        let code = |over| E::of(game.final_score(over)).unwrap_or_default();
        let no_move = if game.rules().movement.is_some() { Over::Stuck } else { Over::Full };
        let rules = LayerRules { game, counts };
        Operation {
            sets,
            rules,
            shape: Shape::of(sets, counts),
            supersets: Supersets::new(rules.cells_left(), u32::from(counts.mover)),
            line: code(Over::Line),
            no_move: code(no_move),
        }
    }

    /// Computes the codes in the waiter's rows of one strip from the same rows of the children.
    ///
    /// # Errors
    /// If a distance does not fit.
    pub fn strip(
        &self,
        strip: usize,
        children: &[E],
        out: &mut [E],
        lanes: &mut Vec<[E; STRIP_ROWS]>,
    ) -> Result<(), TooDeep> {
        let Operation { sets, ref rules, ref shape, ref supersets, .. } = *self;
        let rows = strip * STRIP_ROWS..strip * STRIP_ROWS + out.len() / shape.source_columns;
        let waiters = &sets.orbits(rules.counts.waiter).representatives[rows.clone()];
        let child_columns = shape.child_columns;
        let allowed = rules.is_restricted().then(|| sliced::allowed_lanes(rules, waiters));
        let allowed = allowed.as_deref();
        dispatch(PlacePieces {
            supersets,
            allowed,
            children,
            child_columns,
            out: &mut *out,
            lanes,
        });
        let has_line = &sets.has_line(rules.counts.waiter)[rows];
        for (out, &has_line) in out.chunks_mut(shape.source_columns).zip(has_line) {
            if has_line {
                out.fill(self.line);
                continue;
            }
            for entry in out {
                let code = entry.parent().ok_or(TooDeep)?;
                *entry = if code == E::none() { self.no_move } else { code };
            }
        }
        Ok(())
    }
}

/// Number of columns that are read and written together, so that whole cache lines of each row are used.
const COLUMNS: usize = 64;

/// Fills the rows of a strip. Each set of the mover gets the [`Entry::preference`] of its best child, or 0 if no piece can be
/// placed.
struct PlacePieces<'a, E> {
    supersets: &'a Supersets,
    /// The lanes of each cell in which a piece may be placed on it; `None` if every cell is allowed in all lanes.
    allowed: Option<&'a [Bits]>,
    /// The same rows of the child layer.
    children: &'a [E],
    child_columns: usize,
    out: &'a mut [E],
    lanes: &'a mut Vec<[E; STRIP_ROWS]>,
}

impl<E: Entry> Kernel for PlacePieces<'_, E> {
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
