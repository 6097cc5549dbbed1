//! Checks the entries with one waiter in games whose lines take pieces.

use super::children::{Buffers, Children};
use super::folded::{Doubt, Fold, Folded, Waiter};
use super::halves::Halves;
use super::turns::Pieces;
use morpion_lookup::raw::rank::cells;

/// The entries of a layer of a game whose lines take pieces.
pub(super) struct Taking<'a> {
    folded: &'a Folded<'a>,
    children: Vec<Children<'a>>,
    /// The mover's sets among the cells that the waiter leaves.
    movers: Halves,
}

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    children: Buffers,
    best: Vec<u16>,
    expected: Vec<Option<u16>>,
    lower: Vec<u64>,
    images: Vec<u64>,
    /// Row and column of each entry of a run.
    places: Vec<(u64, u64)>,
}

impl<'a> Taking<'a> {
    /// The entries of a layer, if [`Children`] knows all its turns.
    pub fn new(folded: &'a Folded) -> Option<Taking<'a>> {
        let keys = folded.keys;
        let counts = keys.turns.graph.layers[folded.layer].counts;
        let left = keys.table.game().cells() - counts.waiter;
        Some(Taking {
            folded,
            children: Children::of_layer(keys, folded.scale, folded.codes, folded.layer)?,
            movers: Halves::new(left.into(), counts.mover.into()),
        })
    }

    /// Checks the entries with the waiter that is the representative of a row.
    pub fn check(&self, waiter: &Waiter, scratch: &mut Scratch) -> Result<(), Doubt> {
        let Scratch { children: buffers, best, expected, images, .. } = scratch;
        best.clear();
        best.resize(self.movers.len(), 0);
        for children in &self.children {
            children.raise(waiter, &self.movers, buffers, best)?;
        }
        expected.clear();
        expected.extend(best.iter().map(|&best| self.folded.scale.code(best)));
        let symmetries = &self.folded.keys.table.raw().header().symmetries;
        images.clear();
        images.extend(symmetries.iter().map(|symmetry| symmetry.apply(waiter.set)));
        self.compare(waiter, scratch)
    }

    /// Compares the codes of all entries with one waiter.
    fn compare(&self, waiter: &Waiter, scratch: &mut Scratch) -> Result<(), Doubt> {
        let Scratch { best, expected, lower, images, places, .. } = scratch;
        let cell = |number: u32| 1u64 << waiter.cells[number as usize];
        self.movers.fill(lower, 0, |set, number, _| set | cell(number));
        for run in &self.movers.runs {
            let upper = cells(run.upper).fold(0, |set, number| set | cell(number.into()));
            let best = &best[run.rank..][..run.length];
            let expected = &mut expected[run.rank..][..run.length];
            let lower = &lower[run.start..][..run.length];
            places.clear();
            for (at, lower) in lower.iter().enumerate() {
                let mover = upper | lower;
                if best[at] == 0 {
                    expected[at] = self.without_value(mover, waiter);
                }
                let fold = self.folded.fold(mover);
                let image = images[fold.symmetry as usize];
                places.push((fold.row, self.folded.column(fold, image)));
                if fold.is_kept() {
                    self.compare_images(fold, image, expected[at])?;
                }
            }
            // All places are known before the first entry is read, so that the processor waits for many entries at once.
            for (&(row, column), &expected) in places.iter().zip(&*expected) {
                self.folded.compare(row, column, expected)?;
            }
        }
        Ok(())
    }

    /// The code of a position whose children have no preference: it has no turn, or all its children are invalid.
    #[cold]
    fn without_value(&self, mover: u64, waiter: &Waiter) -> Option<u16> {
        let Folded { keys, scale, .. } = self.folded;
        if self.children.iter().any(|children| children.has_turn(mover, waiter.left & !mover)) {
            return scale.code(0);
        }
        scale.of(keys.turns.blocked(&Pieces::of(mover), &Pieces::of(waiter.set)))
    }

    /// Compares the other entries of a row that are images of one entry.
    fn compare_images(&self, fold: Fold, waiter: u64, expected: Option<u16>) -> Result<(), Doubt> {
        let mut images = self.folded.others(fold).map(|symmetry| symmetry.apply(waiter));
        images.try_for_each(|image| {
            self.folded.compare(fold.row, self.folded.column(fold, image), expected)
        })
    }
}
