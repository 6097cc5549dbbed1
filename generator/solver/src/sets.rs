//! The sets of the players, folded by the group into rows, which all layers share.
//!
//! For every set size that a mover has, [`FoldedSets`] has the orbits, the map from a set to its row and symmetry, and
//! the rows with a line. It also has the images of sets under every element of the group.

use crate::ages::Ages;
use crate::error::SolveError;
use morpion_core::{
    AGED, CELLS, Header, Images, MapSection, SHIFT, TableError, order, rank::binomial,
};
use morpion_games::symmetry::orbits::Orbits;
use morpion_machine::progress::Progress;

/// A game with its group and the rows of every set size that a mover has.
#[derive(Debug)]
pub struct FoldedSets {
    /// The game, the group and the numbers of rows. If distances need wider entries, its encoding is still one byte, and its sections have
    /// the places that follow from one byte.
    pub layout: Header,
    /// Images under the elements of the group, in ascending order.
    pub images: Images,
    /// The rows by set size; `None` if no mover has sets of this size.
    sizes: Vec<Option<Folded>>,
    /// The orders of the images of pieces that age.
    ages: Ages,
}

/// Upper bound for the bytes of the images of one element of the group.
const IMAGES: u64 = 6 << 10;

/// The rows of the sets of one size.
#[derive(Debug)]
struct Folded {
    orbits: Orbits,
    /// For each row, `true` if its sets contain a line.
    has_line: Vec<bool>,
}

impl FoldedSets {
    /// Folds the sets. Takes the memory of [`FoldedSets::memory`] and of the tables of ages, and the time of one image per set.
    ///
    /// # Errors
    /// If there are too many sets, or the observer requests a stop.
    pub fn fold(layout: &Header, progress: &dyn Progress) -> Result<FoldedSets, SolveError> {
        let (game, symmetries) = (&layout.game, &layout.symmetries);
        let cells = u32::from(game.cells());
        let mut sizes: Vec<Option<Folded>> = (0..=cells).map(|_| None).collect();
        for map in &layout.maps {
            progress.check()?;
            let size = u32::from(map.size);
            if !Orbits::fit(cells, size, symmetries.len()) {
                let fault =
                    format!("too many sets of {size} of {cells} cells, expected less than 2^32");
                return Err(TableError::header(fault).into());
            }
            let orbits = Orbits::new(cells, size, symmetries, progress)?;
            let has_line = orbits.representatives.iter().map(|&set| game.has_line(set)).collect();
            sizes[usize::from(map.size)] = Some(Folded { orbits, has_line });
        }
        let images = Images::new(game.cells(), symmetries);
        Ok(FoldedSets { layout: layout.clone(), images, sizes, ages: Ages::new(layout) })
    }

    /// Bytes of memory that folding takes and keeps.
    pub fn memory(layout: &Header) -> u64 {
        let cells = u32::from(layout.game.cells());
        // Each set takes an entry of the map. Each row takes a representative, a length, and whether it has a line.
        let of_size = |map: &MapSection| binomial(cells, map.size.into()) * 4 + map.rows * 13;
        let maps: u64 = layout.maps.iter().map(of_size).sum();
        maps + layout.symmetries.len() as u64 * IMAGES
    }

    /// The image of a word. If pieces age, a word has the number of the order of its pieces above its cells.
    #[inline]
    pub(crate) fn image(&self, symmetry: usize, word: u64) -> u64 {
        let (set, size) = (word & CELLS, (word & CELLS).count_ones() as usize);
        let image = self.images.get(symmetry, set).unwrap_or_default();
        if size < 2 {
            return image;
        }
        let of_tables = || {
            let Folded { orbits, .. } = self.sizes[size].as_ref()?;
            let at = symmetry * orbits.map.len() + orbits.ranker.rank(set) as usize;
            self.ages.order(size, at, word >> SHIFT)
        };
        let order = of_tables()
            .map_or_else(|| order(self.layout.symmetries[symmetry].apply(word | AGED)), u64::from);
        image | order << SHIFT
    }

    /// The rows of the sets of `size`. Panics for a size that no mover has.
    pub fn orbits(&self, size: u8) -> &Orbits {
        &self.rows(size).orbits
    }

    /// For each row, `true` if the sets of `size` contain a line. Panics for a size that no mover has.
    pub fn has_line(&self, size: u8) -> &[bool] {
        &self.rows(size).has_line
    }

    fn rows(&self, size: u8) -> &Folded {
        self.sizes[usize::from(size)].as_ref().expect("a size of a mover's set")
    }
}

/// Returns the different stabilisers of the representatives of one size, and the number of the stabiliser of each row. A stabiliser is
/// a list of symmetries without the identity. The first stabiliser is empty and belongs to nearly all rows, because their orbits are
/// as long as the group. A symmetry that keeps the representative of a mover's set takes a position to another column of its row.
pub(crate) fn stabilisers(sets: &FoldedSets, size: u8) -> (Vec<Vec<u16>>, Vec<u16>) {
    let (orbits, order) = (sets.orbits(size), sets.layout.symmetries.len());
    let mut all = vec![Vec::new()];
    let number = |(&set, &length): (&u64, &u32)| {
        if length as usize == order {
            return 0;
        }
        let images = (0..).zip(sets.images.all(set)).skip(1);
        let keeping = images.filter(|&(_, image)| image == set);
        let stabiliser: Vec<u16> = keeping.map(|(symmetry, _)| symmetry).collect();
        let found = all.iter().position(|other| *other == stabiliser);
        found.unwrap_or_else(|| {
            all.push(stabiliser);
            all.len() - 1
        }) as u16
    };
    let numbers = orbits.representatives.iter().zip(&orbits.lengths).map(number).collect();
    (all, numbers)
}
