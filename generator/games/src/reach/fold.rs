//! Rows that represent their images under symmetry.
//!
//! If a symmetry keeps the root of a walk, it maps each reached position to a reached position. A folded walk follows only
//! *representatives*: the positions in which the mover's set is the least of its images.

use morpion_core::{CELLS, Images, MAX_CELLS, Permutation, Position};
use std::ops::RangeInclusive;

/// Symmetries that keep the root of a walk.
#[derive(Debug)]
pub(crate) struct Fold {
    images: Images,
}

/// The fold without symmetries, in which every set represents itself alone.
impl Default for Fold {
    fn default() -> Fold {
        Fold::new(MAX_CELLS, Position { mover: 0, waiter: 0 }, &[])
    }
}

/// The representative of a mover's set, and the symmetries that map the set to it.
#[derive(Clone, Debug)]
pub(crate) struct Representative {
    set: u64,
    /// The least image of the set.
    image: u64,
    /// Number of symmetries that map the set to its least image.
    many: usize,
    /// The first and the last of these symmetries.
    among: RangeInclusive<usize>,
}

impl Representative {
    /// The image of the mover's word.
    pub fn word(&self, mover: u64) -> u64 {
        self.image | mover & !CELLS
    }
}

impl Fold {
    /// Takes the symmetries that map `root` to itself. `symmetries` are a group, or empty.
    pub fn new(cells: u8, root: Position, symmetries: &[Permutation]) -> Fold {
        let keeps = |symmetry: &&Permutation| {
            symmetry.apply(root.mover) == root.mover && symmetry.apply(root.waiter) == root.waiter
        };
        let mut kept: Vec<Permutation> = symmetries.iter().filter(keeps).copied().collect();
        if kept.is_empty() {
            kept.push(Permutation::identity(cells));
        }
        Fold { images: Images::new(cells, &kept) }
    }

    /// Finds the representative of a mover's set.
    pub fn representative(&self, set: u64) -> Representative {
        let mut least = Representative { set, image: u64::MAX, many: 0, among: 0..=0 };
        for (symmetry, image) in self.images.all(set).enumerate() {
            if image < least.image {
                least = Representative { set, image, many: 1, among: symmetry..=symmetry };
            } else if image == least.image {
                least.many += 1;
                least.among = *least.among.start()..=symmetry;
            }
        }
        least
    }

    /// The images of a position whose mover has the set of `to`, under the symmetries that map the set to its representative.
    #[inline]
    pub fn images<'f>(
        &'f self,
        to: &'f Representative,
        Position { mover, waiter }: Position,
    ) -> impl Iterator<Item = Position> + 'f {
        let maps =
            |&symmetry: &usize| to.many == 1 || self.images.get(symmetry, to.set) == Some(to.image);
        let mover = to.word(mover);
        let image = move |symmetry| self.images.get(symmetry, waiter & CELLS);
        let waiters = to.among.clone().filter(maps).filter_map(image);
        waiters.map(move |image| Position { mover, waiter: image | waiter & !CELLS })
    }

    /// Number of sets that a set of the mover represents, itself included; zero if another set represents it.
    pub fn represented(&self, set: u64) -> u64 {
        let found = self.representative(set);
        let order = self.images.all(set).len();
        if found.image == set { (order / found.many) as u64 } else { 0 }
    }
}
