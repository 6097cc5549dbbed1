//! Checks the entries with one waiter in games that push.
//!
//! A push permutes the cells: the taken piece goes to the other end, and the pieces between move by one cell. So for a waiter's set B, and
//! a push with the permutation p, the mover of all children has the set pB. The children are in the row of pB: in one layer if the taken
//! piece is the mover's, and in another layer if it is new. A symmetry s takes pB to its representative, and the other cells to the cells
//! outside the representative. The columns of the children are the ranks of the images of the mover's sets under p and then s.
//!
//! For each push, both rows are read as one list. Its index is the rank of a set of the cells outside the representative and one more cell,
//! the last. To find this set for a set of the mover, replace the cell from which the piece is taken by the last cell, replace the other
//! cells by their images, and add the image of the taken piece. A set without the last cell belongs to a new piece. Such sets have the
//! lowest ranks, so the list begins with the row of the layer after a new piece.

use super::buffers::Buffers;
use super::folded::{Folded, Waiter};
use crate::halves::Ranks;
use crate::proof::Proof;
use crate::scale::Scale;
use crate::turns::{Pieces, Push};
use morpion_core::{Counts, Damage, MAX_CELLS, ProbeError, rank::cells};

/// The entries of a layer of a game that pushes.
pub(super) struct Pushing<'a> {
    folded: &'a Folded<'a>,
    pushes: Vec<Push>,
    /// The layer after a push of a new piece, if a cell is free for it, then the layer after a push of a piece of the mover, if there is
    /// one.
    after: Vec<usize>,
    /// Number of cells that the waiter leaves.
    left: u32,
    /// Ranks of the sets in the list of a push.
    ranks: Ranks,
}

impl<'a> Pushing<'a> {
    /// The entries of a layer, if its only turns are pushes that lead to layers with entries.
    pub fn new(folded: &'a Folded) -> Option<Pushing<'a>> {
        let (keys, layer) = (&folded.proof.keys, folded.layer);
        let (graph, cells) = (&keys.turns.graph, keys.table.game().cells());
        let Counts { mover, waiter } = graph.layers[layer].counts;
        let pushes = keys.turns.pushes(layer)?;
        let has_other = graph.may_take() || graph.passes_if_blocked();
        if pushes.is_empty() || has_other || !graph.own_lines {
            return None;
        }
        let left = cells - waiter;
        let [own, new] = keys.turns.after[layer].map(|after| after[0]);
        let possible = [(new, mover < left), (own, mover > 0)].into_iter();
        let after = possible.filter(|(_, is_possible)| *is_possible);
        let after = after.map(|(layer, _)| layer).collect::<Option<Vec<usize>>>()?;
        if after.iter().any(|&layer| graph.layers[layer].ended) {
            return None;
        }
        Some(Pushing {
            folded,
            pushes,
            after,
            left: left.into(),
            ranks: Ranks::new(u32::from(left) + 1, u32::from(mover) + 1),
        })
    }

    /// Raises the entry in `best` of each set of the mover to the greatest preference among the children of this set. Finished positions
    /// get 0.
    pub fn raise(&self, waiter: &Waiter, buffers: &mut Buffers) -> Result<(), ProbeError> {
        let (turns, sets) = (&self.folded.proof.keys.turns, &self.folded.sets);
        if turns.has_line(waiter.set) {
            return Ok(());
        }
        for push in self.pushes.iter().filter(|push| waiter.left >> push.from & 1 == 1) {
            self.raise_by(push, waiter, buffers)?;
        }
        let best = &mut buffers.best;
        waiter.each_lined(turns, sets, |run, at, _| best[sets.runs[run].rank + at] = 0);
        Ok(())
    }

    /// Raises the entry in `best` of each set of the mover to the preference of its child by one push, if the latter is greater.
    fn raise_by(
        &self,
        push: &Push,
        waiter: &Waiter,
        Buffers { best, codes, values, lower, .. }: &mut Buffers,
    ) -> Result<(), ProbeError> {
        let Folded { proof: Proof { keys, scale, .. }, codes: stored, sets, .. } = self.folded;
        let pushed = push.images.apply(waiter.set);
        let row = keys.row_of(&Pieces::of(pushed)).ok_or(Damage::Map)?;
        codes.clear();
        for &layer in &self.after {
            stored.row(layer, row.row, codes)?;
        }
        let mut images = [0; MAX_CELLS as usize];
        for (image, &cell) in images.iter_mut().zip(&waiter.cells[..self.left as usize]) {
            *image = 1 << row.number(push.images.image(cell));
        }
        let from = (waiter.left & ((1 << push.from) - 1)).count_ones() as usize;
        let taken = std::mem::replace(&mut images[from], 1 << self.left);
        sets.fill(lower, 0, |set, number, _| set | images[number as usize]);
        values.clear();
        for run in &sets.runs {
            let image_of = |set, number| set | images[usize::from(number)];
            let upper = cells(run.upper).fold(taken, image_of);
            let lower = &lower[run.start..][..run.length];
            append(values, lower, upper, &self.ranks, codes, scale);
        }
        best.iter_mut().zip(values).for_each(|(best, value)| *best = (*best).max(*value));
        Ok(())
    }
}

/// Appends the preferences of the children of a run. Not inlined: otherwise the compiler reads the addresses of the lists again for each
/// child, and a third more time is needed.
#[inline(never)]
fn append(
    values: &mut Vec<u16>,
    lower: &[u64],
    upper: u64,
    ranks: &Ranks,
    codes: &[u16],
    scale: &Scale,
) {
    let value = |lower: &u64| scale.preference(codes[ranks.of(upper | lower)]);
    values.extend(lower.iter().map(value));
}
