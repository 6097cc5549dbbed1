//! Checks the entries of a layer in the order of the waiter's sets, in games whose lines take pieces.
//!
//! The rows of the mover's sets would lead to children in as many places as there are waiters. So this check goes through the waiters B
//! that are representatives, whose children are together ([`Children`]), and through all sets A of the mover among the cells left by B.
//! Only the entries of (A, B) themselves are far from each other: A has a symmetry s to its representative, and the entries are those of
//! sA with the images of B under s, followed by any symmetry that keeps sA.
//!
//! Every entry (A', B') is compared in this way. Some symmetry g takes B' to a representative B. The check visits A = gA', whose
//! representative is A' again, and s ∘ g keeps A'. So B' is the image of B under s, followed by the inverse of s ∘ g.

use super::children::{Buffers, Children, Waiter};
use super::codes::Codes;
use super::halves::{Halves, Ranks};
use super::keys::Keys;
use super::report::{Collector, words};
use super::scale::Scale;
use super::turns::Pieces;
use morpion_lookup::raw::Permutation;
use morpion_lookup::raw::rank::{cells, compress};
use morpion_lookup::{Counts, MAX_CELLS, ProbeError};

/// Marks a representative that some other symmetry than the identity keeps.
const KEPT: u64 = 1 << 63;

/// A layer whose entries are checked by waiters.
pub(super) struct Waiters<'a> {
    keys: &'a Keys<'a>,
    scale: &'a Scale,
    codes: &'a Codes<'a>,
    collector: &'a Collector,
    layer: usize,
    counts: Counts,
    columns: u64,
    children: Vec<Children<'a>>,
    /// The mover's sets among the cells that the waiter leaves.
    movers: Halves,
    /// Ranks of the mover's sets.
    ranks: Ranks,
    /// The representatives of the mover's sets.
    representatives: Vec<u64>,
    packed: &'a Packed,
    /// Ranks of the waiter's sets among the cells that the mover leaves.
    column_ranks: Ranks,
}

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    children: Buffers,
    best: Vec<u16>,
    expected: Vec<Option<u16>>,
    lower: Vec<u64>,
    images: Vec<u64>,
    /// The entries of a run: numbers in the layer.
    places: Vec<u64>,
}

impl<'a> Waiters<'a> {
    /// The layer, if [`Children`] knows all its turns, and there are rows of the waiter's sets.
    pub fn new(
        (keys, scale, collector): (&'a Keys, &'a Scale, &'a Collector),
        codes: &'a Codes,
        packed: &'a Packed,
        layer: usize,
    ) -> Option<Waiters<'a>> {
        let section = keys.table.raw().header().layers[layer];
        let (counts, all) = (section.counts, u32::from(keys.table.game().cells()));
        let [mover, waiter] = [counts.mover, counts.waiter].map(u32::from);
        let representative = |row: usize| {
            let set = keys.representative(counts.mover, row as u64);
            let kept = keys.cosets.members(keys.stabiliser(counts.mover, row as u64)).count() > 1;
            if kept { set | KEPT } else { set }
        };
        if keys.rows(counts.waiter).is_empty() {
            return None;
        }
        Some(Waiters {
            keys,
            scale,
            codes,
            collector,
            layer,
            counts,
            columns: section.columns,
            children: Children::of_layer(keys, scale, codes, layer)?,
            movers: Halves::new(all - waiter, mover),
            ranks: Ranks::new(all, mover),
            representatives: (0..keys.rows(counts.mover).len()).map(representative).collect(),
            packed,
            column_ranks: Ranks::new(all - mover, waiter),
        })
    }

    /// Number of waiters.
    pub fn len(&self) -> u64 {
        self.keys.rows(self.counts.waiter).len() as u64
    }

    /// Checks the entries with one waiter.
    pub fn check(&self, row: u64, scratch: &mut Scratch) -> Result<(), ProbeError> {
        let set = self.keys.representative(self.counts.waiter, row);
        let waiter = Waiter::new(row, set, self.keys.table.game().board());
        let Scratch { children: buffers, best, expected, images, .. } = scratch;
        best.clear();
        best.resize(self.movers.len(), 0);
        for children in &self.children {
            children.raise(&waiter, &self.movers, buffers, best)?;
        }
        expected.clear();
        expected.extend(best.iter().map(|&best| self.scale.code(best)));
        let symmetries = &self.keys.table.raw().header().symmetries;
        images.clear();
        images.extend(symmetries.iter().map(|symmetry| symmetry.apply(set)));
        self.compare(&waiter, scratch)
    }

    /// Compares the codes of all entries with one waiter.
    fn compare(&self, waiter: &Waiter, scratch: &mut Scratch) -> Result<(), ProbeError> {
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
                let rank = self.ranks.of(mover) as u64;
                let (row, symmetry) = self.keys.map_entry(self.counts.mover, rank);
                let representative = self.representatives[row as usize];
                let image = images[symmetry as usize];
                places.push(row * self.columns + self.column(representative, image));
                if representative & KEPT != 0 {
                    self.compare_images(row, representative & !KEPT, image, expected[at])?;
                }
            }
            // All places are known before the first entry is read, so that the processor waits for many entries at once.
            for (&place, &expected) in places.iter().zip(&*expected) {
                self.compare_one((place / self.columns, place % self.columns), expected)?;
            }
        }
        Ok(())
    }

    /// The code of a position whose children have no preference: it has no turn, or all its children are invalid.
    #[cold]
    fn without_value(&self, mover: u64, waiter: &Waiter) -> Option<u16> {
        if self.children.iter().any(|children| children.has_turn(mover, waiter.left & !mover)) {
            return self.scale.code(0);
        }
        self.scale.of(self.keys.turns.blocked(&Pieces::of(mover), &Pieces::of(waiter.set)))
    }

    /// Compares the other entries of a row that are images of one entry.
    fn compare_images(
        &self,
        row: u64,
        representative: u64,
        waiter: u64,
        expected: Option<u16>,
    ) -> Result<(), ProbeError> {
        let stabiliser = self.keys.stabiliser(self.counts.mover, row);
        let others = self.keys.cosets.members(stabiliser).skip(1);
        others.map(|symmetry: &Permutation| symmetry.apply(waiter)).try_for_each(|image| {
            self.compare_one((row, self.column(representative, image)), expected)
        })
    }

    #[inline]
    fn compare_one(
        &self,
        (row, column): (u64, u64),
        expected: Option<u16>,
    ) -> Result<(), ProbeError> {
        let place = (self.layer, row, column);
        let found = self.codes.code(place)?;
        if Some(found) != expected {
            let [found, expected] =
                [Some(found), expected].map(|code| words(self.scale.encoding, code));
            self.collector.add(place, found, expected);
        }
        Ok(())
    }

    /// The column of a waiter in the row of a representative.
    #[inline(always)]
    fn column(&self, representative: u64, waiter: u64) -> u64 {
        self.column_ranks.of(self.packed.pack(waiter, representative)) as u64
    }
}

/// Packs sets of cells, eight cells at a time.
pub(super) struct Packed {
    /// Number of groups of eight cells.
    groups: u32,
    /// For the removed cells and the cells of the set in a group: the set with the numbers of its cells among the others.
    of: Vec<u8>,
    /// Number of cells that stay, by the removed cells.
    stay: [u8; 256],
}

impl Packed {
    pub fn new(cells: u8) -> Packed {
        let all = || 0..256u64;
        let of = all().flat_map(|removed| {
            all().map(move |set| compress(set & !removed, 255 & !removed) as u8)
        });
        let stay = |removed: usize| removed.count_zeros() as u8 - (usize::BITS - 8) as u8;
        Packed {
            groups: u32::from(cells.min(MAX_CELLS)).div_ceil(8),
            of: of.collect(),
            stay: std::array::from_fn(stay),
        }
    }

    /// The set with the numbers of its cells among the cells that are not removed.
    #[inline(always)]
    fn pack(&self, set: u64, removed: u64) -> u64 {
        let (mut packed, mut length) = (0, 0);
        for group in 0..self.groups {
            let [set, removed] = [set, removed].map(|set| (set >> (8 * group)) as usize & 255);
            packed |= u64::from(self.of[removed << 8 | set]) << length;
            length += u32::from(self.stay[removed]);
        }
        packed
    }
}
