//! Search for the symmetries of a structure, by a chain of stabilisers.
//!
//! The search singles out one cell after another and refines the colours after each, until no two cells have the same colour. The
//! cells singled out are the *base*, and their images determine a symmetry. The search then goes from the last base cell to the
//! first. The symmetries that fix all earlier base cells are products: a symmetry that also fixes this base cell, followed by one
//! symmetry for each possible image of this cell (C. C. Sims, *Computational methods in the study of permutation groups*, 1970). An
//! image is possible if singling out the images in turn gives the colours that the base gave (B. D. McKay, *Practical graph
//! isomorphism*, 1981).
//!
//! Example: on the 3×3 board, the refinement distinguishes centre, corners and sides. After corner 0 is singled out, cells 2 and 6
//! have the same colour, and so do 1 and 3. After cell 1 is singled out, all cells differ, so the base is 0, 1. If 0 is fixed, cell 1
//! goes to 1 or 3. Cell 0 goes to the four corners. That makes 4 · 2 = 8 symmetries, of which two were searched for.

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
    let mut search = Search::new(structure, progress);
    let mut elements = vec![Permutation::identity(structure.cells() as u8)];
    for depth in (0..search.base.len()).rev() {
        search.find_generators(depth, limit / elements.len())?;
        let transversal = search.transversal(search.base[depth].cell);
        if transversal.len() * elements.len() > limit {
            return Ok(None);
        }
        let coset = |last| elements.iter().map(move |element| product(element, last));
        elements = transversal.iter().flat_map(coset).collect();
    }
    elements.sort_unstable();
    Ok(Some(elements))
}

/// Returns the permutation `first` followed by `second`, both of the same cells.
pub fn product(first: &Permutation, second: &Permutation) -> Permutation {
    let mut images = [0; MAX_CELLS as usize];
    for (image, &between) in images.iter_mut().zip(first.images()) {
        *image = second.image(between);
    }
    Permutation::new(&images[..first.images().len()]).expect("permutations of as many cells")
}

struct BaseCell {
    cell: u8,
    /// Colours after the earlier base cells are singled out.
    before: Colours,
    /// Hash of each round of refinement after this cell is singled out.
    trace: Vec<u64>,
}

struct Search<'a> {
    structure: &'a Structure,
    progress: &'a dyn Progress,
    base: Vec<BaseCell>,
    /// Colours after the whole base is singled out, all different.
    discrete: Colours,
    /// Generators of the symmetries found so far, all of which fix the base cells before the current one.
    generators: Vec<Permutation>,
}

impl<'a> Search<'a> {
    /// Chooses the base.
    fn new(structure: &'a Structure, progress: &'a dyn Progress) -> Search<'a> {
        let mut colours = [0; MAX_CELLS as usize];
        structure.refine_fully(&mut colours);
        let mut base = Vec::new();
        while let Some(cell) = structure.in_smallest_class(&colours) {
            let before = colours;
            single_out(&mut colours, cell);
            base.push(BaseCell { cell, before, trace: structure.refine_fully(&mut colours) });
        }
        Search { structure, progress, base, discrete: colours, generators: Vec::new() }
    }

    /// Extends the generators from the symmetries that fix the first `depth` + 1 base cells to those that fix the first `depth`.
    /// Stops when the orbit of the added base cell has more than `enough` cells.
    fn find_generators(&mut self, depth: usize, enough: usize) -> Result<(), Stopped> {
        let BaseCell { cell, before, .. } = self.base[depth];
        let mut images: Vec<u8> = self.base[..depth].iter().map(|base| base.cell).collect();
        let mut refuted = 0;
        for image in cells(self.structure.class(&before, before[usize::from(cell)])) {
            let reached = orbit(1 << cell, &self.generators);
            if reached.count_ones() as usize > enough {
                break;
            }
            if (reached | orbit(refuted, &self.generators)) >> image & 1 == 1 {
                continue;
            }
            match self.extend(before, &mut images, image)? {
                Some(symmetry) => self.generators.push(symmetry),
                None => refuted |= 1 << image,
            }
        }
        Ok(())
    }

    /// Finds a symmetry that takes the first base cells to `images` and the next one to `image`. `colours` are the colours after
    /// `images` were singled out.
    fn extend(
        &self,
        mut colours: Colours,
        images: &mut Vec<u8>,
        image: u8,
    ) -> Result<Option<Permutation>, Stopped> {
        self.progress.check()?;
        single_out(&mut colours, image);
        let trace = &self.base[images.len()].trace;
        if trace.iter().any(|&expected| self.structure.refine(&mut colours) != expected) {
            return Ok(None);
        }
        images.push(image);
        let found = match self.base.get(images.len()) {
            Some(next) => self.try_all(next, colours, images),
            None => Ok(self.by_colour(&colours)),
        };
        images.pop();
        found
    }

    /// Finds a symmetry that takes the first base cells to `images`. The base cell `next` may go anywhere.
    fn try_all(
        &self,
        next: &BaseCell,
        colours: Colours,
        images: &mut Vec<u8>,
    ) -> Result<Option<Permutation>, Stopped> {
        let class = self.structure.class(&colours, next.before[usize::from(next.cell)]);
        // Fix the cell if possible, since symmetries that move few cells rule out more later.
        let stays = class & 1 << next.cell;
        let mut refuted = 0;
        for image in cells(stays).chain(cells(class & !stays)) {
            if self.ruled_out(refuted, images) >> image & 1 == 1 {
                continue;
            }
            if let Some(symmetry) = self.extend(colours, images, image)? {
                return Ok(Some(symmetry));
            }
            refuted |= 1 << image;
        }
        Ok(None)
    }

    /// Returns the cells that are equivalent to the `refuted` ones as the next image: a symmetry that fixes `images` maps one to
    /// the other.
    fn ruled_out(&self, refuted: u64, images: &[u8]) -> u64 {
        if refuted == 0 {
            return 0;
        }
        let fixes =
            |symmetry: &&Permutation| images.iter().all(|&cell| symmetry.image(cell) == cell);
        let stabiliser: Vec<Permutation> = self.generators.iter().filter(fixes).copied().collect();
        orbit(refuted, &stabiliser)
    }

    /// Returns the permutation that takes every cell to the cell of the same colour, if it is a symmetry.
    fn by_colour(&self, colours: &Colours) -> Option<Permutation> {
        let count = self.structure.cells();
        let image = |colour| Some(colours[..count].iter().position(|other| other == colour)? as u8);
        let images: Option<Vec<u8>> = self.discrete[..count].iter().map(image).collect();
        Permutation::new(&images?).filter(|found| self.structure.is_kept_by(found))
    }

    /// Returns one product of the generators for each possible image of `cell`, the identity first.
    fn transversal(&self, cell: u8) -> Vec<Permutation> {
        let mut found = vec![Permutation::identity(self.structure.cells() as u8)];
        let mut reached = 1u64 << cell;
        let mut done = 0;
        while let Some(&known) = found.get(done) {
            for generator in &self.generators {
                let next = product(&known, generator);
                if reached >> next.image(cell) & 1 == 0 {
                    reached |= 1 << next.image(cell);
                    found.push(next);
                }
            }
            done += 1;
        }
        found
    }
}

/// Returns the union of the orbits of the cells of `set` under `generators`.
fn orbit(set: u64, generators: &[Permutation]) -> u64 {
    let mut orbit = set;
    loop {
        let images =
            generators.iter().fold(orbit, |images, symmetry| images | symmetry.apply(orbit));
        if images == orbit {
            return orbit;
        }
        orbit = images;
    }
}
