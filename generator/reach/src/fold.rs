//! Rows that stand for their images under symmetry.
//!
//! If a symmetry keeps the root of a walk, it maps each reached position to a reached one. So a walk follows only *representatives*:
//! the positions in which the mover's set is the least of its images.

use morpion_lookup::MAX_CELLS;
use morpion_lookup::raw::{CELLS, Images, Permutation, Position};
use std::ops::RangeInclusive;

/// Symmetries that keep the root of a walk.
#[derive(Debug)]
pub(crate) struct Fold {
    images: Images,
    order: usize,
}

/// Every set stands for itself.
impl Default for Fold {
    fn default() -> Fold {
        Fold::new(MAX_CELLS, Position { mover: 0, waiter: 0 }, &[])
    }
}

/// The representative of a mover's set, and the symmetries that map the set to it.
#[derive(Clone, Debug)]
pub(crate) struct Least {
    set: u64,
    image: u64,
    /// Number of these symmetries.
    many: usize,
    /// The first and the last of them.
    among: RangeInclusive<usize>,
}

impl Least {
    /// The image of the mover's word.
    pub fn word(&self, mover: u64) -> u64 {
        self.image | mover & !CELLS
    }
}

impl Fold {
    /// Takes those of `symmetries` that map `root` to itself. They are a group, or none.
    pub fn new(cells: u8, root: Position, symmetries: &[Permutation]) -> Fold {
        let keeps = |symmetry: &&Permutation| {
            symmetry.apply(root.mover) == root.mover && symmetry.apply(root.waiter) == root.waiter
        };
        let mut kept: Vec<Permutation> = symmetries.iter().filter(keeps).copied().collect();
        if kept.is_empty() {
            kept.push(Permutation::identity(cells));
        }
        Fold { images: Images::new(cells, &kept), order: kept.len() }
    }

    /// Finds the representative of a mover's set.
    pub fn least(&self, set: u64) -> Least {
        let mut least = Least { set, image: u64::MAX, many: 0, among: 0..=0 };
        for (symmetry, image) in self.images.all(set).enumerate() {
            if image < least.image {
                least = Least { set, image, many: 1, among: symmetry..=symmetry };
            } else if image == least.image {
                least.many += 1;
                least.among = *least.among.start()..=symmetry;
            }
        }
        least
    }

    /// The images of a position whose mover has the set of `least`, under the symmetries that map the set to its representative.
    #[inline]
    pub fn images<'f>(
        &'f self,
        least: &'f Least,
        Position { mover, waiter }: Position,
    ) -> impl Iterator<Item = Position> + 'f {
        let maps = |&symmetry: &usize| {
            least.many == 1 || self.images.get(symmetry, least.set) == Some(least.image)
        };
        let mover = least.word(mover);
        let image = move |symmetry| self.images.get(symmetry, waiter & CELLS);
        let waiters = least.among.clone().filter(maps).filter_map(image);
        waiters.map(move |image| Position { mover, waiter: image | waiter & !CELLS })
    }

    /// Number of sets for which this set of the mover stands; zero if it is not the representative.
    pub fn stands_for(&self, set: u64) -> u64 {
        let least = self.least(set);
        if least.image == set { (self.order / least.many) as u64 } else { 0 }
    }
}
