//! The places of positions in one layer, for many positions with the same waiter.

use super::compression::Compression;
use crate::codes::Codes;
use crate::halves::Ranks;
use crate::keys::{EntryIndex, Keys, Map};
use crate::scale::Scale;
use morpion_core::Permutation;
use morpion_core::rank::cells;
use morpion_lookup::{MAX_CELLS, ProbeError};

/// Marks a representative that some other symmetry than the identity keeps.
const KEPT: u64 = 1 << 63;

/// A reason to check the entries of a layer one by one.
pub(super) enum Doubt {
    /// An entry with another code than the one that it must have; `None` if the encoding cannot represent its score.
    Differs { place: EntryIndex, found: u16, expected: Option<u16> },
    /// Some entry cannot be read.
    Unread,
}

impl From<ProbeError> for Doubt {
    fn from(_: ProbeError) -> Doubt {
        Doubt::Unread
    }
}

/// A waiter whose set is a representative.
pub(super) struct Waiter {
    /// Its row in the layers whose mover it is.
    pub row: u64,
    pub set: u64,
    /// The cells that it leaves. They are numbered in ascending order.
    pub left: u64,
    /// The cells by their numbers.
    pub cells: [u8; MAX_CELLS as usize],
}

impl Waiter {
    pub fn new(row: u64, set: u64, board: u64) -> Waiter {
        let mut numbered = [0; MAX_CELLS as usize];
        numbered.iter_mut().zip(cells(board & !set)).for_each(|(number, cell)| *number = cell);
        Waiter { row, set, left: board & !set, cells: numbered }
    }
}

/// A layer whose entries are compared with the codes that they must have.
pub(super) struct Folded<'a> {
    pub keys: &'a Keys<'a>,
    pub scale: &'a Scale,
    pub codes: &'a Codes<'a>,
    pub layer: usize,
    /// Number of the mover's pieces.
    size: u8,
    /// Ranks of the mover's sets.
    ranks: Ranks,
    /// The map of the mover's sets.
    map: Map<'a>,
    /// The representatives of the mover's sets.
    representatives: Vec<u64>,
    compression: &'a Compression,
    /// Ranks of the waiter's sets among the cells that the mover leaves.
    column_ranks: Ranks,
}

/// The row of a mover's set.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    /// Number of the representative.
    pub row: u64,
    /// Number of the symmetry that takes the set to it.
    pub symmetry: u32,
    representative: u64,
}

impl Fold {
    /// Returns true if some other symmetry than the identity keeps the representative.
    #[inline(always)]
    pub fn is_kept(self) -> bool {
        self.representative & KEPT != 0
    }
}

impl<'a> Folded<'a> {
    pub fn new(
        keys: &'a Keys,
        scale: &'a Scale,
        codes: &'a Codes,
        compression: &'a Compression,
        layer: usize,
    ) -> Folded<'a> {
        let counts = keys.table.raw().header().layers[layer].counts;
        let (size, cells) = (counts.mover, u32::from(keys.table.game().cells()));
        let representative = |row: usize| {
            let set = keys.representative(size, row as u64);
            let is_kept = keys.cosets.elements(keys.stabiliser(size, row as u64)).count() > 1;
            if is_kept { set | KEPT } else { set }
        };
        Folded {
            keys,
            scale,
            codes,
            layer,
            size,
            ranks: Ranks::new(cells, size.into()),
            map: keys.map(size),
            representatives: (0..keys.rows(size).len()).map(representative).collect(),
            compression,
            column_ranks: Ranks::new(cells - u32::from(size), counts.waiter.into()),
        }
    }

    /// Finds the row of a mover's set.
    #[inline(always)]
    pub fn fold(&self, mover: u64) -> Fold {
        let (row, symmetry) = self.map.entry(self.ranks.of(mover) as u64);
        Fold { row, symmetry, representative: self.representatives[row as usize] }
    }

    /// The rank of the image of a waiter's set among the cells that a representative leaves.
    #[inline(always)]
    pub fn column(&self, fold: Fold, image: u64) -> u64 {
        self.column_ranks.of(self.compression.compress(image, fold.representative)) as u64
    }

    /// The symmetries other than the identity that keep a representative.
    pub fn others(&self, fold: Fold) -> impl Iterator<Item = &Permutation> {
        self.keys.cosets.elements(self.keys.stabiliser(self.size, fold.row)).skip(1)
    }

    /// Compares the code of an entry with the code that it must have; `None` if the encoding cannot represent its score.
    #[inline(always)]
    pub fn compare(&self, row: u64, column: u64, expected: Option<u16>) -> Result<(), Doubt> {
        let place = (self.layer, row, column);
        let found = self.codes.code(place)?;
        if Some(found) == expected {
            Ok(())
        } else {
            Err(Doubt::Differs { place, found, expected })
        }
    }
}
