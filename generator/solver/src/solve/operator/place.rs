//! The operator of a placement layer: computes the codes in the waiter's rows of a strip from the same rows of the next
//! layer.

use super::LayerRules;
use super::sliced;
use super::supersets::Supersets;
use crate::error::TooDeep;
use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::entry::Entry;
use crate::solve::planes::Bits;
use morpion_lookup::{Counts, Over};
use morpion_machine::isa::{Isa, Kernel, dispatch};

/// Number of rows that are processed together.
const ROWS: usize = sliced::PLACED_ROWS;

/// Fills the rows of one strip of the last layer of a game without movement: lines, or a full board. Rows of invalid arrangements
/// stay unchanged.
pub fn fill_last<E: Entry>(sets: &FoldedSets, counts: Counts, strip: usize, out: &mut [E]) {
    let (shape, game) = (Shape::of(sets, counts), sets.game());
    let code = |over| E::of(game.final_score(over)).unwrap_or_default();
    let (line, full) = (code(Over::Line), code(Over::Full));
    let movers = &sets.orbits(counts.mover).representatives[strip * ROWS..];
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
    isa: Isa,
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
            isa: Isa::detect(),
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
        lanes: &mut Vec<[E; ROWS]>,
    ) -> Result<(), TooDeep> {
        let Operation { sets, ref rules, ref shape, ref supersets, .. } = *self;
        let rows = strip * ROWS..strip * ROWS + out.len() / shape.source_columns;
        let waiters = &sets.orbits(rules.counts.waiter).representatives[rows.clone()];
        let child_columns = shape.child_columns;
        let allowed = rules.is_restricted().then(|| sliced::allowed_lanes(rules, waiters));
        let allowed = allowed.as_deref();
        dispatch(
            self.isa,
            PlacePieces { supersets, allowed, children, child_columns, out: &mut *out, lanes },
        );
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

struct PlacePieces<'a, E> {
    supersets: &'a Supersets,
    allowed: Option<&'a [Bits]>,
    children: &'a [E],
    child_columns: usize,
    out: &'a mut [E],
    lanes: &'a mut Vec<[E; ROWS]>,
}

impl<E: Entry> Kernel for PlacePieces<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        sliced::place(
            self.supersets,
            self.allowed,
            self.children,
            self.child_columns,
            self.out,
            self.lanes,
        );
    }
}
