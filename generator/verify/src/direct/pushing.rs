//! Checks the entries with one waiter in games that push.
//!
//! A push permutes the cells: the taken piece goes to the other end, and the pieces between move by one cell. So for a waiter's set B, and a
//! push with the permutation p, the mover of all children has the set pB. The children are in the row of pB: in one layer if the taken
//! piece is the mover's, and in another layer if it is new. A symmetry s takes pB to its representative, and the other cells to those that
//! the representative leaves. The columns of the children are the ranks of the images of the mover's sets under p and then s.
//!
//! For each push, both rows are read as one list. Its sets have one cell more to choose from than the representative leaves: a last one. A
//! set of the mover becomes a set of the list in this way. The cell from which the piece is taken becomes the last cell, all others
//! become their images, and the image of the taken piece is added. A set without the last cell belongs to a new piece. Such sets have the
//! lowest ranks, so the list begins with the row of the layer after a new piece.

use super::folded::{Folded, Waiter};
use crate::halves::Ranks;
use crate::proof::Proof;
use crate::scale::Scale;
use crate::turns::{Pieces, path};
use morpion_core::{Counts, Damage, MAX_CELLS, ProbeError, Step, rank::cells};

/// The entries of a layer of a game that pushes.
pub(super) struct Pushing<'a> {
    folded: &'a Folded<'a>,
    pushes: Vec<PushedCells>,
    /// The layers after a new piece and after one of the mover's, if there are cells or pieces for it.
    after: Vec<usize>,
    /// Number of cells that the waiter leaves.
    left: u32,
    /// Ranks of the sets in the list of a push.
    ranks: Ranks,
}

/// One push.
struct PushedCells {
    /// The cell where the piece is taken.
    from: u8,
    /// The cell to which each cell's piece goes.
    images: [u8; MAX_CELLS as usize],
}

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct Buffers {
    /// The codes of the children by one push, in the order of their places.
    codes: Vec<u16>,
    /// The preferences of these children, in the order of the mover's sets before the push.
    values: Vec<u16>,
    /// The images of the lower sets.
    lower: Vec<u64>,
}

impl PushedCells {
    /// The push of a step; `None` if it is another step.
    fn of(step: &Step) -> Option<PushedCells> {
        let Step { from, to, condition: _, effect: _ } = *step;
        // No other effect has a path.
        let (from, path) = (from?, path(step));
        let is_push = path.first() == Some(&from) && to == 1 << *path.last()?;
        let mut images = std::array::from_fn(|cell| cell as u8);
        path.windows(2).for_each(|pair| images[usize::from(pair[1])] = pair[0]);
        images[usize::from(from)] = *path.last()?;
        is_push.then_some(PushedCells { from, images })
    }

    fn image(&self, cell: u8) -> u8 {
        self.images[usize::from(cell)]
    }
}

impl<'a> Pushing<'a> {
    /// The entries of a layer, if its only turns are pushes that lead to layers with entries.
    pub fn new(folded: &'a Folded) -> Option<Pushing<'a>> {
        let (keys, layer) = (&folded.proof.keys, folded.layer);
        let (graph, cells) = (&keys.turns.graph, keys.table.game().cells());
        let Counts { mover, waiter } = graph.layers[layer].counts;
        let pushes =
            graph.steps(layer).iter().map(PushedCells::of).collect::<Option<Vec<PushedCells>>>()?;
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

    /// Raises the entry in `best` of each set of the mover to the greatest preference among its children. Finished positions keep a 0.
    pub fn raise(
        &self,
        waiter: &Waiter,
        buffers: &mut Buffers,
        best: &mut [u16],
    ) -> Result<(), ProbeError> {
        let (turns, sets) = (&self.folded.proof.keys.turns, &self.folded.sets);
        if turns.has_line(waiter.set) {
            return Ok(());
        }
        for push in self.pushes.iter().filter(|push| waiter.left >> push.from & 1 == 1) {
            self.raise_by(push, waiter, buffers, best)?;
        }
        waiter.each_lined(turns, sets, |run, at, _| best[sets.runs[run].rank + at] = 0);
        Ok(())
    }

    /// Raises the best preference of each set to the preference of its child by one push, if that is greater.
    fn raise_by(
        &self,
        push: &PushedCells,
        waiter: &Waiter,
        Buffers { codes, values, lower }: &mut Buffers,
        best: &mut [u16],
    ) -> Result<(), ProbeError> {
        let Folded { proof: Proof { keys, scale, .. }, codes: stored, sets, .. } = self.folded;
        let pushed = cells(waiter.set).fold(0, |set, cell| set | 1 << push.image(cell));
        let row = keys.row_of(&Pieces::of(pushed)).ok_or(Damage::Map)?;
        codes.clear();
        for &layer in &self.after {
            stored.row(layer, row.row, codes)?;
        }
        let mut images = [0; MAX_CELLS as usize];
        for (image, &cell) in images.iter_mut().zip(&waiter.cells[..self.left as usize]) {
            *image = 1 << row.number(push.image(cell));
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

/// Appends the preferences of the children of a run. It is not inlined, because otherwise the addresses of its lists are read again for each
/// child: a third more time.
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
