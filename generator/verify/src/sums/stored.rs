//! Sums the stored values of rows, and makes the checks that need only one row.

use super::Pass;
use super::field::{Field, Lanes, TILE};
use super::layer_sums::{CodeCount, count_codes};
use crate::halves::{Halves, Ranks, Run};
use crate::keys::EntryIndex;
use crate::proof::Proof;
use morpion_core::{Counts, rank::cells};

/// The data for the sum of the stored values of a layer.
pub(crate) struct StoredSums<'a, const E: u32> {
    pass: &'a Pass<'a, E>,
    index: usize,
    counts: Counts,
    /// The waiter's sets, in the order of columns.
    halves: Halves,
    ranks: Ranks,
    /// The factor of each code.
    values: Vec<Lanes>,
    /// True if all positions of the layer are finished.
    is_finished: bool,
}

/// The buffers of one thread.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The factor of each set of lower cells.
    factors: Vec<Lanes>,
    /// The image of each set of lower cells, for each symmetry of the stabiliser except the identity.
    images: Vec<Vec<u64>>,
}

/// A row, with the images under the stabiliser of its representative, for entries that are images of each other.
struct FoldedRow<'r> {
    row: u64,
    codes: &'r [u16],
    factors: &'r [Lanes],
    /// The images of single cells, for each symmetry of the stabiliser except the identity. Cells are given by their numbers among the
    /// cells that the mover leaves.
    cells: &'r [[u8; 36]],
    /// The images of sets of lower cells, for the same symmetries.
    images: &'r [Vec<u64>],
}

impl<'a, const E: u32> StoredSums<'a, E> {
    pub fn new(pass: &'a Pass<'_, E>, index: usize) -> StoredSums<'a, E> {
        let Proof { keys, scale, .. } = pass.proof;
        let counts = keys.table.raw().header().layers[index].counts;
        let left = u32::from(keys.table.game().cells() - counts.mover);
        let values = (0..=scale.encoding.no_position()).map(|code| pass.hash.of_value(Some(code)));
        StoredSums {
            pass,
            index,
            counts,
            halves: Halves::new(left, counts.waiter.into()),
            ranks: Ranks::new(left, counts.waiter.into()),
            values: values.collect(),
            is_finished: keys.children_of(index).is_none(),
        }
    }

    /// Sums the stored values of a row, and counts the codes of the row in `counts`.
    pub fn row(
        &self,
        row: u64,
        codes: &[u16],
        counts: &mut [CodeCount],
        Scratch { factors, images }: &mut Scratch,
    ) -> Lanes {
        let (keys, hash) = (&self.pass.proof.keys, &self.pass.hash);
        let of_row = keys.rows(self.counts.mover)[row as usize];
        let left = keys.table.game().board() & !of_row.representative;
        let mut numbers = [0; 36];
        numbers.iter_mut().zip(cells(left)).for_each(|(number, cell)| *number = cell);
        self.halves.fill(factors, [1, 1], |product, cell, _| {
            Field::<E>::mul(product, hash.of_cell(numbers[cell as usize]))
        });
        count_codes(row, codes, of_row.orbit, counts);
        if self.is_finished {
            let read = |(_, _, column): EntryIndex| Ok(codes[column as usize]);
            self.pass.proof.check_rows(self.index, row..row + 1, read);
        }
        let images_of_cells = self.images_of_cells(row, left, &numbers);
        images.resize_with(images_of_cells.len().max(images.len()), Vec::new);
        for (images, of_cells) in images.iter_mut().zip(&images_of_cells) {
            self.halves.fill(images, 0, |set, cell, _| set | 1 << of_cells[cell as usize]);
        }
        let folded = FoldedRow { row, codes, factors, cells: &images_of_cells, images };
        let mut sum = [0, 0];
        for run in &self.halves.runs {
            let of_run = if images_of_cells.is_empty() {
                let factors = &folded.factors[run.start..][..run.length];
                self.unfolded_run(factors, &codes[run.rank..][..run.length])
            } else {
                self.folded_run(run, &folded)
            };
            let upper = cells(run.upper).fold(of_run, |product, cell| {
                Field::<E>::mul(product, hash.of_cell(numbers[usize::from(cell)]))
            });
            sum = Field::<E>::add(sum, upper);
        }
        let sum = Field::<E>::times(sum, of_row.orbit);
        Field::<E>::mul(sum, hash.of_mover(of_row.representative))
    }

    /// The images of the cells that the mover leaves, for each symmetry of the row's stabiliser except the identity.
    fn images_of_cells(&self, row: u64, left: u64, numbers: &[u8; 36]) -> Vec<[u8; 36]> {
        let keys = &self.pass.proof.keys;
        let stabiliser = keys.rows(self.counts.mover)[row as usize].stabiliser;
        let numbers = &numbers[..left.count_ones() as usize];
        let images = keys.cosets.elements(stabiliser).skip(1).map(|symmetry| {
            let mut images = [0; 36];
            for (image, &cell) in images.iter_mut().zip(numbers) {
                *image = (left & ((1 << symmetry.image(cell)) - 1)).count_ones() as u8;
            }
            images
        });
        images.collect()
    }

    /// Sums a run of a row in which all entries belong to different classes. The factor of the upper cells is left out.
    fn unfolded_run(&self, factors: &[Lanes], codes: &[u16]) -> Lanes {
        let mut total = [0u128; 2];
        for (factors, codes) in factors.chunks(TILE).zip(codes.chunks(TILE)) {
            let mut sum = [0u128; 2];
            for (factor, code) in factors.iter().zip(codes) {
                let value = &self.values[usize::from(*code)];
                for lane in 0..2 {
                    sum[lane] += u128::from(factor[lane]) * u128::from(value[lane]);
                }
            }
            for lane in 0..2 {
                total[lane] += u128::from(Field::<E>::reduce(sum[lane]));
            }
        }
        total.map(Field::<E>::reduce)
    }

    /// Sums a run of a row, and compares entries that are images of each other. The factor of the upper cells is left out.
    fn folded_run(&self, run: &Run, row: &FoldedRow) -> Lanes {
        let upper = |image: &[u8; 36]| {
            cells(run.upper).fold(0u64, |set, cell| set | 1 << image[usize::from(cell)])
        };
        let uppers: Vec<u64> = row.cells.iter().map(upper).collect();
        let factors = &row.factors[run.start..][..run.length];
        let codes = &row.codes[run.rank..][..run.length];
        let mut sum = [0u128; 2];
        for (at, (factor, code)) in factors.iter().zip(codes).enumerate() {
            let own = self.halves.lower[run.start + at] | run.upper;
            let (mut least, mut same) = (own, 1);
            for (upper, images) in uppers.iter().zip(row.images) {
                let image = upper | images[run.start + at];
                least = least.min(image);
                same += u64::from(image == own);
            }
            if least == own {
                // The number of entries in this row that belong to the same class.
                let class = (uppers.len() as u64 + 1) / same;
                let value = &self.values[usize::from(*code)];
                for lane in 0..2 {
                    let product = Field::<E>::fold(factor[lane], value[lane]);
                    sum[lane] += u128::from(product) * u128::from(class);
                }
            } else {
                let twin = self.ranks.of(least);
                if row.codes[twin] != *code {
                    for column in [run.rank + at, twin] {
                        self.pass.proof.check_one((self.index, row.row, column as u64));
                    }
                }
            }
        }
        sum.map(Field::<E>::reduce)
    }
}
