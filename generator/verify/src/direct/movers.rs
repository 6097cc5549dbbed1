//! All sets of the mover with one waiter: those with lines, and the comparison of their entries.

use super::folded::{Doubt, Fold, Folded, Waiter};
use crate::halves::{Halves, Run};
use crate::turns::Turns;
use morpion_core::LayerSection;
use morpion_core::rank::{cells, compress};

/// The mover's sets of a layer, among the cells that a waiter leaves.
pub(super) struct Movers<'a> {
    folded: &'a Folded<'a>,
    pub sets: Halves,
    /// Number of entries of a row.
    columns: u64,
}

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    expected: Vec<Option<u16>>,
    lower: Vec<u64>,
    images: Vec<u64>,
    /// The number of each entry of a run in the layer.
    keys: Vec<u64>,
    /// The codes of these entries.
    found: Vec<u16>,
}

impl<'a> Movers<'a> {
    pub fn new(folded: &'a Folded) -> Movers<'a> {
        let LayerSection { counts, columns, .. } =
            folded.keys.table.raw().header().layers[folded.layer];
        let left = folded.keys.table.game().cells() - counts.waiter;
        Movers { folded, sets: Halves::new(left.into(), counts.mover.into()), columns }
    }

    /// Compares the codes of all entries with one waiter. `best` has the greatest preference among the children of each set; a set without
    /// such a preference has a 0, and `without` returns the code of its position.
    pub fn compare(
        &self,
        waiter: &Waiter,
        best: &[u16],
        without: impl Fn(u64) -> Option<u16>,
        Scratch { expected, lower, images, keys, found }: &mut Scratch,
    ) -> Result<(), Doubt> {
        let Folded { codes, scale, layer, .. } = *self.folded;
        expected.clear();
        expected.extend(best.iter().map(|&best| scale.code(best)));
        let symmetries = &self.folded.keys.table.raw().header().symmetries;
        images.clear();
        images.extend(symmetries.iter().map(|symmetry| symmetry.apply(waiter.set)));
        let cell = |number: u32| 1u64 << waiter.cells[number as usize];
        self.sets.fill(lower, 0, |set, number, _| set | cell(number));
        for run in &self.sets.runs {
            let upper = cells(run.upper).fold(0, |set, number| set | cell(number.into()));
            let best = &best[run.rank..][..run.length];
            let expected = &mut expected[run.rank..][..run.length];
            let lower = &lower[run.start..][..run.length];
            keys.clear();
            for (at, lower) in lower.iter().enumerate() {
                let mover = upper | lower;
                if best[at] == 0 {
                    expected[at] = without(mover);
                }
                let fold = self.folded.fold(mover);
                let image = images[fold.symmetry as usize];
                keys.push(fold.row * self.columns + self.folded.column(fold, image));
                if fold.is_kept() {
                    self.compare_images(fold, image, expected[at])?;
                }
            }
            // All entries are known before the first one is read, so that the processor waits for many of them at once.
            codes.list(layer, keys, found)?;
            let differs = |(found, expected): (&u16, &Option<u16>)| Some(*found) != *expected;
            if let Some(at) = found.iter().zip(&*expected).position(differs) {
                let place = (layer, keys[at] / self.columns, keys[at] % self.columns);
                return Err(Doubt::Differs { place, found: found[at], expected: expected[at] });
            }
        }
        Ok(())
    }

    /// Compares the other entries of a row that are images of one entry.
    fn compare_images(&self, fold: Fold, waiter: u64, expected: Option<u16>) -> Result<(), Doubt> {
        let mut images = self.folded.others(fold).map(|symmetry| symmetry.apply(waiter));
        images.try_for_each(|image| {
            self.folded.compare(fold.row, self.folded.column(fold, image), expected)
        })
    }
}

/// Visits the sets that contain a line, among the cells that a waiter leaves: the number of the run, the number of the set in the run,
/// and the cells of its lines.
pub(super) fn each_lined(
    turns: &Turns,
    waiter: &Waiter,
    sets: &Halves,
    mut visit: impl FnMut(usize, usize, u64),
) {
    let is_left = |&&(line, _): &&(u64, u64)| line & waiter.set == 0;
    let number = |set: u64| compress(set & waiter.left, waiter.left);
    let lines = turns.lines.iter().filter(is_left);
    let lines: Vec<_> = lines.map(|&(line, with)| (number(line), number(with))).collect();
    let lower = sets.lower_cells();
    for (number, run) in sets.runs.iter().enumerate() {
        let Run { upper, start, length, .. } = *run;
        let is_made =
            |&(line, with): &(u64, u64)| line & !lower & !upper == 0 && with & !lower & upper == 0;
        let lines: Vec<(u64, u64)> = lines.iter().copied().filter(is_made).collect();
        if lines.is_empty() {
            continue;
        }
        for (at, lower) in sets.lower[start..][..length].iter().enumerate() {
            let set = upper | lower;
            let made = lines.iter().filter(|(line, with)| line & !set == 0 && with & set == 0);
            let cells = made.fold(0, |cells, (line, _)| cells | line);
            if cells != 0 {
                visit(number, at, cells);
            }
        }
    }
}
