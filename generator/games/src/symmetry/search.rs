//! Search for all symmetries of a structure, by colour refinement.
//!
//! A *base* is a list of cells: when each is singled out in turn and the colours are refined, all cells get different colours. So the
//! images of the base cells determine a symmetry. The search tries these images one after the other. An image whose refinement differs from
//! the refinement of the base cell in any round belongs to no symmetry.
//!
//! Example: on the 3×3 board, the refinement distinguishes centre, corners and sides. After corner 0 is singled out, cells 1 and 3 still
//! have the same colour. After cell 1 is singled out, all cells differ, so the base is 0, 1. Cell 0 has four images, and for each of them
//! cell 1 has two: 8 symmetries. The refinement is described by B. D. McKay, *Practical graph isomorphism*, 1981.

use super::structure::{Colours, Structure, single_out};
use morpion_core::{MAX_CELLS, Permutation, rank::cells};
use morpion_machine::progress::{Progress, Stopped};

/// Lists all permutations that keep `structure`, ascending. Returns `None` if there are more than `limit`.
///
/// # Errors
/// If `progress` requests a stop.
pub(super) fn symmetries(
    structure: &Structure,
    limit: usize,
    progress: &dyn Progress,
) -> Result<Option<Vec<Permutation>>, Stopped> {
    let mut colours = [0; MAX_CELLS as usize];
    structure.refine_fully(&mut colours);
    let (start, mut base) = (colours, Vec::new());
    while let Some(cell) = structure.in_smallest_class(&colours) {
        let colour = colours[usize::from(cell)];
        single_out(&mut colours, cell);
        base.push(BaseCell { colour, trace: structure.refine_fully(&mut colours) });
    }
    let mut found = Vec::new();
    let search = Search { structure, limit, progress, base, discrete: colours };
    let is_whole = search.extend(0, start, &mut found)?;
    found.sort_unstable();
    Ok(is_whole.then_some(found))
}

struct BaseCell {
    /// The colour of the cell after the earlier base cells are singled out.
    colour: u64,
    /// Hash of each round of refinement after this cell is singled out.
    trace: Vec<u64>,
}

struct Search<'a> {
    structure: &'a Structure,
    limit: usize,
    progress: &'a dyn Progress,
    base: Vec<BaseCell>,
    /// Colours after the whole base is singled out, all different.
    discrete: Colours,
}

impl Search<'_> {
    /// Finds the symmetries that take the first `depth` base cells to given images. `colours` are the colours after these images were
    /// singled out. Returns false if there are too many symmetries.
    fn extend(
        &self,
        depth: usize,
        colours: Colours,
        found: &mut Vec<Permutation>,
    ) -> Result<bool, Stopped> {
        self.progress.check()?;
        let Some(BaseCell { colour, trace }) = self.base.get(depth) else {
            found.extend(self.by_colour(&colours));
            return Ok(found.len() <= self.limit);
        };
        for image in cells(self.structure.class(&colours, *colour)) {
            let mut colours = colours;
            single_out(&mut colours, image);
            if trace.iter().all(|&expected| self.structure.refine(&mut colours) == expected)
                && !self.extend(depth + 1, colours, found)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the permutation that takes every cell to the cell of the same colour, if it is a symmetry.
    fn by_colour(&self, colours: &Colours) -> Option<Permutation> {
        let count = self.structure.cells();
        let image = |colour| Some(colours[..count].iter().position(|other| other == colour)? as u8);
        let images: Option<Vec<u8>> = self.discrete[..count].iter().map(image).collect();
        Permutation::new(&images?).filter(|found| self.structure.is_kept_by(found))
    }
}

/// Returns the permutation `first` followed by `second`, both of the same cells.
pub fn product(first: &Permutation, second: &Permutation) -> Permutation {
    let mut images = [0; MAX_CELLS as usize];
    for (image, &between) in images.iter_mut().zip(first.images()) {
        *image = second.image(between);
    }
    Permutation::new(&images[..first.images().len()]).expect("permutations of as many cells")
}
