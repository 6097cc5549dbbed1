//! Checks the entries with one waiter in games that push.
//!
//! A push permutes the cells: the piece that is taken goes to the other end, and the pieces between move by one cell. If the taken piece
//! is new, its cell counts as the mover's. So for a waiter's set B, and a push that is the permutation p, the children of all positions
//! have the mover pB. They are in the row of pB: in one layer if the taken piece is the mover's, and in another if it is new. The symmetry s
//! to the representative of pB takes the mover's set A to the columns: the cells spA, and the image of the taken piece.
//!
//! For each push, both rows are read as one list. The sets in it have one more cell than the representative leaves. The cell from which
//! the piece is taken has this further cell as its image, and the image of the piece is added to all sets. Then sets without the further
//! cell have a new piece. They are first in the order of the ranks, so the list begins with the row of the layer after a new piece.

use super::folded::{Doubt, Folded, Waiter};
use super::halves::Ranks;
use super::movers::{self, Movers, each_lined};
use super::turns::{Pieces, path};
use morpion_lookup::raw::Step;
use morpion_lookup::raw::rank::cells;
use morpion_lookup::{Counts, Damage, MAX_CELLS, ProbeError};

/// The entries of a layer of a game that pushes.
pub(super) struct Pushing<'a> {
    folded: &'a Folded<'a>,
    pushes: Vec<Push>,
    /// The layers after a new piece and after one of the mover's, if there are cells or pieces for it.
    after: Vec<usize>,
    movers: Movers<'a>,
    /// Number of cells that the waiter leaves.
    left: u32,
    /// Ranks of the sets in the list of a push.
    ranks: Ranks,
}

/// One push.
struct Push {
    /// The cell where the piece is taken.
    from: u8,
    /// The cell to which each cell's piece goes.
    images: [u8; MAX_CELLS as usize],
}

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    best: Vec<u16>,
    /// The codes of one row.
    row: Vec<u16>,
    /// The preferences of the children by one push.
    values: Vec<u16>,
    /// The images of the lower sets.
    lower: Vec<u64>,
    movers: movers::Scratch,
}

impl Push {
    /// The push of a step; `None` if it is another step.
    fn of(step: &Step) -> Option<Push> {
        let (from, path) = (step.from?, path(step));
        let is_push = path.first() == Some(&from) && step.to == 1 << *path.last()?;
        let mut images = std::array::from_fn(|cell| cell as u8);
        path.windows(2).for_each(|pair| images[usize::from(pair[1])] = pair[0]);
        images[usize::from(from)] = *path.last()?;
        is_push.then_some(Push { from, images })
    }

    fn image(&self, cell: u8) -> u8 {
        self.images[usize::from(cell)]
    }
}

impl<'a> Pushing<'a> {
    /// The entries of a layer, if its only turns are pushes that lead to layers with entries.
    pub fn new(folded: &'a Folded) -> Option<Pushing<'a>> {
        let (keys, layer) = (folded.keys, folded.layer);
        let (graph, cells) = (&keys.turns.graph, keys.table.game().cells());
        let Counts { mover, waiter } = graph.layers[layer].counts;
        let pushes = graph.steps(layer).iter().map(Push::of).collect::<Option<Vec<Push>>>()?;
        if pushes.is_empty() || graph.takes.is_some() || graph.passes_if_blocked() {
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
            movers: Movers::new(folded),
            left: left.into(),
            ranks: Ranks::new(u32::from(left) + 1, u32::from(mover) + 1),
        })
    }

    /// Checks the entries with the waiter that is the representative of a row.
    pub fn check(&self, waiter: &Waiter, scratch: &mut Scratch) -> Result<(), Doubt> {
        let (turns, sets) = (&self.folded.keys.turns, &self.movers.sets);
        scratch.best.clear();
        scratch.best.resize(sets.len(), 0);
        let is_possible = |push: &&Push| waiter.left >> push.from & 1 == 1;
        if !turns.has_line(waiter.set) {
            for push in self.pushes.iter().filter(is_possible) {
                self.raise(waiter, push, scratch)?;
            }
        }
        let Scratch { best, movers, .. } = scratch;
        each_lined(turns, waiter, sets, |run, at, _| best[sets.runs[run].rank + at] = 0);
        let is_blocked = !self.pushes.iter().any(|push| is_possible(&push));
        let without = |mover: u64| self.without_value(mover, waiter, is_blocked);
        self.movers.compare(waiter, best, without, movers)
    }

    /// Raises the best preference of all sets to those of their children by one push.
    fn raise(&self, waiter: &Waiter, push: &Push, scratch: &mut Scratch) -> Result<(), ProbeError> {
        let Folded { keys, scale, codes, .. } = self.folded;
        let Scratch { best, row, values, lower, .. } = scratch;
        let pushed = cells(waiter.set).fold(0, |set, cell| set | 1 << push.image(cell));
        let of = keys.row_of(&Pieces::of(pushed)).ok_or(ProbeError::Damaged(Damage::Map))?;
        values.clear();
        for &layer in &self.after {
            codes.row(layer, of.row, row)?;
            values.extend(row.iter().map(|&code| scale.preference(code)));
        }
        let image = |cell: u8| 1u64 << of.number(push.image(cell));
        let image_of = |number: u32| match waiter.cells[number as usize] {
            cell if cell == push.from => 1 << self.left,
            cell => image(cell),
        };
        let sets = &self.movers.sets;
        sets.fill(lower, 0, |set, number, _| set | image_of(number));
        for run in &sets.runs {
            let added = image(push.from);
            let upper = cells(run.upper).fold(added, |set, number| set | image_of(number.into()));
            let lower = &lower[run.start..][..run.length];
            for (best, lower) in best[run.rank..][..run.length].iter_mut().zip(lower) {
                *best = values[self.ranks.of(upper | lower)].max(*best);
            }
        }
        Ok(())
    }

    /// The code of a position whose children have no preference: it is finished, it has no turn, or all its children are invalid.
    fn without_value(&self, mover: u64, waiter: &Waiter, is_blocked: bool) -> Option<u16> {
        let Folded { keys, scale, layer, .. } = *self.folded;
        let [mover, waiter] = [mover, waiter.set].map(Pieces::of);
        match keys.turns.finished(layer, &mover, &waiter) {
            Some(score) => scale.of(score),
            None if is_blocked => scale.of(keys.turns.blocked(&mover, &waiter)),
            None => scale.code(0),
        }
    }
}
