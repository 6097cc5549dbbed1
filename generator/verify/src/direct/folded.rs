//! Finds the places of positions in one layer, for many positions with the same waiter.

use crate::codes::Codes;
use crate::halves::{Halves, Ranks, Run};
use crate::keys::{EntryIndex, Map, Row};
use crate::proof::Proof;
use crate::turns::Turns;
use morpion_core::{
    Counts, LayerSection, MAX_CELLS, ProbeError,
    rank::{cells, compress},
};
use morpion_machine::isa;

/// The bit that marks a representative which some symmetry other than the identity keeps.
const KEPT: u64 = 1 << 63;

/// A reason to check the entries of a layer one by one.
pub(super) enum Doubt {
    /// An entry with a wrong code. `expected` is `None` if the encoding cannot represent the score that the entry must have.
    Differs { place: EntryIndex, found: u16, expected: Option<u16> },
    /// Some entry cannot be read.
    Unread,
}

impl From<ProbeError> for Doubt {
    fn from(_: ProbeError) -> Doubt {
        Doubt::Unread
    }
}

/// A set of the waiter that is a representative.
pub(super) struct Waiter {
    /// The row of the set in the layers in which this side is the mover.
    pub row: u64,
    pub set: u64,
    /// The cells outside the set, which are numbered in ascending order.
    pub left: u64,
    /// The cells outside the set, by their numbers.
    pub cells: [u8; MAX_CELLS as usize],
}

impl Waiter {
    pub fn new(row: u64, set: u64, board: u64) -> Waiter {
        let mut numbered = [0; MAX_CELLS as usize];
        numbered.iter_mut().zip(cells(board & !set)).for_each(|(number, cell)| *number = cell);
        Waiter { row, set, left: board & !set, cells: numbered }
    }

    /// Calls `visit` for each set of the mover that contains a line, with the number of the run, the number of the set in the run, and the
    /// cells of the set's lines.
    pub fn each_lined(
        &self,
        turns: &Turns,
        sets: &Halves,
        mut visit: impl FnMut(usize, usize, u64),
    ) {
        let is_left = |&&(line, _): &&(u64, u64)| line & self.set == 0;
        let number = |set: u64| compress(set & self.left, self.left);
        let lines = turns.lines.iter().filter(is_left);
        let lines: Vec<_> = lines.map(|&(line, with)| (number(line), number(with))).collect();
        let lower = sets.lower_cells();
        for (number, run) in sets.runs.iter().enumerate() {
            let Run { upper, start, length, .. } = *run;
            let is_made = |&(line, with): &(u64, u64)| {
                line & !lower & !upper == 0 && with & !lower & upper == 0
            };
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
}

/// A layer under check, with data that finds the places of its positions.
pub(super) struct Folded<'a> {
    pub proof: &'a Proof<'a>,
    pub codes: &'a Codes<'a>,
    pub layer: usize,
    /// The mover's sets among the cells that a waiter leaves.
    pub sets: Halves,
    /// Number of the mover's pieces.
    size: u8,
    /// Ranks of the mover's sets.
    ranks: Ranks,
    /// The map of the mover's sets.
    map: Map<'a>,
    /// The representatives of the mover's sets.
    representatives: Vec<u64>,
    board: u64,
    /// Number of entries of a row.
    pub columns: u64,
    /// Ranks of the waiter's sets among the cells that the mover leaves.
    column_ranks: Ranks,
}

/// The row of a mover's set.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    /// The row, which is the number of the representative.
    pub row: u64,
    /// Number of the symmetry that takes the set to the representative.
    pub symmetry: u32,
    representative: u64,
}

impl Fold {
    /// Returns true if some symmetry other than the identity keeps the representative.
    #[inline(always)]
    pub fn is_kept(self) -> bool {
        self.representative & KEPT != 0
    }
}

impl<'a> Folded<'a> {
    pub fn new(proof: &'a Proof, codes: &'a Codes, layer: usize) -> Folded<'a> {
        let (keys, cells) = (&proof.keys, proof.keys.table.game().cells());
        let LayerSection { counts: Counts { mover: size, waiter }, columns, .. } =
            keys.table.raw().header().layers[layer];
        let representative = |row: &Row| {
            let is_kept = keys.cosets.elements(row.stabiliser).count() > 1;
            if is_kept { row.representative | KEPT } else { row.representative }
        };
        Folded {
            proof,
            codes,
            layer,
            sets: Halves::new(u32::from(cells - waiter), size.into()),
            size,
            ranks: Ranks::new(cells.into(), size.into()),
            map: keys.map(size),
            representatives: keys.rows(size).iter().map(representative).collect(),
            board: keys.table.game().board(),
            columns,
            column_ranks: Ranks::new(u32::from(cells - size), waiter.into()),
        }
    }

    /// Finds the row of a mover's set.
    #[inline(always)]
    pub fn fold(&self, mover: u64) -> Fold {
        let (row, symmetry) = self.map.entry(self.ranks.of(mover) as u64);
        Fold { row, symmetry, representative: self.representatives[row as usize] }
    }

    /// The column of a position: the rank of `image`, the image of the waiter's set, among the cells outside the representative.
    #[inline(always)]
    pub fn column<const BITS: bool>(&self, fold: Fold, image: u64) -> u64 {
        let left = self.board & !fold.representative;
        self.column_ranks.of(isa::compress::<BITS>(image, left)) as u64
    }

    /// Compares an entry's images in its own row with the expected code. `waiter` is the waiter's set of the entry.
    pub fn compare_images(
        &self,
        fold: Fold,
        waiter: u64,
        expected: Option<u16>,
    ) -> Result<(), Doubt> {
        let keys = &self.proof.keys;
        let stabiliser = keys.rows(self.size)[fold.row as usize].stabiliser;
        for symmetry in keys.cosets.elements(stabiliser).skip(1) {
            let place = (self.layer, fold.row, self.column::<false>(fold, symmetry.apply(waiter)));
            let found = self.codes.code(place)?;
            if Some(found) != expected {
                return Err(Doubt::Differs { place, found, expected });
            }
        }
        Ok(())
    }
}
