//! Checks the entries of a layer in the order of the waiter's sets.
//!
//! Pieces do not age here. A turn that neither takes nor pushes pieces keeps the waiter's set B, and the waiter moves next. So the children
//! of all positions with the same B are in the rows of B, which are read from beginning to end. A push p leads to the rows of pB for every
//! set of the mover.
//!
//! The check visits each B that is a representative, with each set A of the mover among the cells that B leaves. The entries of (A, B) are
//! not in one row for different A. A symmetry s takes A to its representative, so these entries are in the row of sA. Their columns are the
//! columns of sB, and of tsB for any symmetry t that keeps sA.
//!
//! This compares every entry (A', B'), where A' is a representative: some symmetry g takes B' to a representative B, and the check visits
//! (gA', B). The symmetry s of gA' takes gA' back to A', so sg keeps A', and so does the inverse t of sg. Then tsB = tsgB' = B'.

use super::buffers::Buffers;
use super::children::Children;
use super::folded::{Doubt, Folded, Waiter};
use super::pushing::Pushing;
use crate::turns::Sides;
use morpion_core::{ProbeError, rank::cells};
use morpion_machine::isa::{Kernel, dispatch};

/// A layer whose entries are checked by waiters.
pub(super) struct Waiters<'a> {
    folded: &'a Folded<'a>,
    turns: KnownTurns<'a>,
    /// Number of the waiter's pieces.
    size: u8,
}

/// The turns of a layer, all of a kind that can be checked by waiters.
enum KnownTurns<'a> {
    Taking(Vec<Children<'a>>),
    Pushing(Pushing<'a>),
}

impl<'a> Waiters<'a> {
    /// The layer, prepared for the check. `None` if it has no entries, if it has turns of other kinds, or if the table has no rows for the
    /// waiter's sets.
    pub fn new(folded: &'a Folded) -> Option<Waiters<'a>> {
        let keys = &folded.proof.keys;
        let layer = keys.turns.graph.layers[folded.layer];
        let size = layer.counts.waiter;
        if layer.ended || keys.rows(size).is_empty() {
            return None;
        }
        let taking = || Children::of_layer(folded).map(KnownTurns::Taking);
        let pushing = || Pushing::new(folded).map(KnownTurns::Pushing);
        let turns = taking().or_else(pushing)?;
        Some(Waiters { folded, turns, size })
    }

    /// Number of representatives of the waiter's sets.
    pub fn count(&self) -> u64 {
        self.folded.proof.keys.rows(self.size).len() as u64
    }

    /// Checks the entries of all positions whose waiter is the representative of row `row`.
    pub fn check(&self, row: u64, buffers: &mut Buffers) -> Result<(), Doubt> {
        let keys = &self.folded.proof.keys;
        let set = keys.rows(self.size)[row as usize].representative;
        let waiter = Waiter::new(row, set, keys.table.game().board());
        buffers.best.clear();
        buffers.best.resize(self.folded.sets.len(), 0);
        match &self.turns {
            KnownTurns::Taking(turns) => {
                turns.iter().try_for_each(|turns| turns.raise(&waiter, buffers))?;
            }
            KnownTurns::Pushing(pushes) => pushes.raise(&waiter, buffers)?,
        }
        dispatch(Compare { layer: self, waiter: &waiter, buffers })
    }

    /// The code of a position whose children have no preference: it is finished, it has no turn, or all its children are invalid.
    #[cold]
    fn required(&self, mover: u64, waiter: u64) -> Result<Option<u16>, ProbeError> {
        let Folded { proof, codes, layer, .. } = *self.folded;
        proof.required(layer, &Sides::of(mover, waiter), &None, |place| codes.code(place))
    }
}

/// Compares the codes of all entries with one waiter.
struct Compare<'c, 'a> {
    layer: &'c Waiters<'a>,
    waiter: &'c Waiter,
    buffers: &'c mut Buffers,
}

impl Kernel for Compare<'_, '_> {
    type Output = Result<(), Doubt>;
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) -> Result<(), Doubt> {
        let Compare { layer: of_layer, waiter, buffers } = self;
        let Buffers { best, codes: found, lower, expected, images, keys, .. } = buffers;
        let Folded { proof, codes, layer, sets, columns, .. } = of_layer.folded;
        expected.clear();
        expected.extend(best.iter().map(|&best| proof.scale.code(best)));
        let symmetries = &proof.keys.table.raw().header().symmetries;
        images.clear();
        images.extend(symmetries.iter().map(|symmetry| symmetry.apply(waiter.set)));
        let cell = |number: u32| 1u64 << waiter.cells[number as usize];
        sets.fill(lower, 0, |set, number, _| set | cell(number));
        for run in &sets.runs {
            let upper = cells(run.upper).fold(0, |set, number| set | cell(number.into()));
            let best = &best[run.rank..][..run.length];
            let expected = &mut expected[run.rank..][..run.length];
            let lower = &lower[run.start..][..run.length];
            keys.clear();
            for (at, lower) in lower.iter().enumerate() {
                let mover = upper | lower;
                if best[at] == 0 {
                    expected[at] = of_layer.required(mover, waiter.set)?;
                }
                let fold = of_layer.folded.fold(mover);
                let image = images[fold.symmetry as usize];
                keys.push(fold.row * columns + of_layer.folded.column::<BITS>(fold, image));
                if fold.is_kept() {
                    of_layer.folded.compare_images(fold, image, expected[at])?;
                }
            }
            // All numbers are computed before the first entry is read, so that the processor waits for many reads at once.
            codes.list(*layer, keys, found)?;
            let differs = |(found, expected): (&u16, &Option<u16>)| Some(*found) != *expected;
            if let Some(at) = found.iter().zip(&*expected).position(differs) {
                let place = (*layer, keys[at] / columns, keys[at] % columns);
                return Err(Doubt::Differs { place, found: found[at], expected: expected[at] });
            }
        }
        Ok(())
    }
}
