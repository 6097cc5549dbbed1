//! Checks the draws that are marked as ending: finds them again, starting from finished games, until nothing changes.
//!
//! If pieces move, it is not enough that every drawing child of such a draw is marked as ending: this could also be true for a cycle of
//! draws that are all wrongly marked. A draw ends only if it can be traced to finished games.

use crate::codes::Codes;
use crate::fault::Unfinished;
use crate::keys::EntryIndex;
use crate::proof::Proof;
use crate::turns::Turns;
use morpion_core::{Census, DrawKind, LayerSection, ProbeError, Score, rank::cells};
use morpion_machine::progress::Stopped;
use morpion_machine::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The layer groups whose draws are traced: groups inside which play can continue forever, and whose census has draws that end. If the
/// census lacks draws that the entries have, the comparison of the census reports it.
pub(super) fn traced(turns: &Turns, stored: &Census) -> Vec<Range<usize>> {
    let has_ends = |layer: usize| stored.layers.get(layer).is_some_and(|layer| layer.draws_end > 0);
    turns.cycles().into_iter().filter(|group| group.clone().any(has_ends)).collect()
}

/// Checks the draws that end in layer groups inside which play can continue forever.
pub(super) fn check(proof: &Proof, stored: &Census) -> Result<(), Unfinished> {
    let header = proof.keys.table.raw().header();
    let code = |kind| header.encoding.encode(Score::Draw { kind });
    let [Some(end), cycle] = [DrawKind::End, DrawKind::Cycle].map(code) else { return Ok(()) };
    let keys = &proof.keys;
    let mut codes = Codes::new(header.encoding, &header.layers);
    for group in traced(&keys.turns, stored) {
        let after = group.clone().flat_map(|layer| keys.turns.layers_after(layer));
        codes.keep(keys, &after.chain(group.clone()).collect::<Vec<_>>())?;
        let layers = group.map(|index| Untraced::new(index, header.layers[index], &codes, end));
        let draws = Draws { proof, codes: &codes, end, layers: layers.collect() };
        while draws.trace()? {}
        for layer in &draws.layers {
            let places = (0..layer.bits.len()).flat_map(|word| layer.places(word));
            places.for_each(|place| proof.add(place, end, cycle));
        }
    }
    Ok(())
}

/// The entries of some layers that are marked as draws that end.
struct Draws<'a> {
    proof: &'a Proof<'a>,
    codes: &'a Codes<'a>,
    /// The code of a draw that ends.
    end: u16,
    layers: Vec<Untraced>,
}

/// The entries of a layer that are marked as draws that end and have not been traced to finished games yet.
struct Untraced {
    index: usize,
    columns: u64,
    /// One bit per entry.
    bits: Vec<AtomicU64>,
}

impl Untraced {
    fn new(index: usize, section: LayerSection, codes: &Codes, end: u16) -> Untraced {
        let columns = section.columns;
        let bits = threads::map(section.entries().div_ceil(64) as usize, &|word| {
            let first = word as u64 * 64;
            let keys = first..section.entries().min(first + 64);
            let is_end =
                |key: u64| codes.code((index, key / columns, key % columns)).ok() == Some(end);
            AtomicU64::new(keys.fold(0, |bits, key| bits | u64::from(is_end(key)) << (key % 64)))
        });
        Untraced { index, columns, bits }
    }

    /// The places of the entries whose bits are set in word number `word`.
    fn places(&self, word: usize) -> impl Iterator<Item = EntryIndex> {
        let (index, columns) = (self.index, self.columns);
        cells(self.bits[word].load(Ordering::Relaxed)).map(move |bit| {
            let key = word as u64 * 64 + u64::from(bit);
            (index, key / columns, key % columns)
        })
    }

    fn bit(&self, (_, row, column): EntryIndex) -> (&AtomicU64, u64) {
        let key = row * self.columns + column;
        (&self.bits[(key / 64) as usize], 1 << (key % 64))
    }
}

impl Draws<'_> {
    /// Traces the draws whose children allow it. Returns true if some draw was traced.
    fn trace(&self) -> Result<bool, Stopped> {
        let changed = AtomicBool::new(false);
        for layer in &self.layers {
            threads::each(layer.bits.len(), &|word| {
                if self.proof.progress.stop() {
                    return;
                }
                for place in layer.places(word).filter(|&place| self.can_be_traced(place)) {
                    let (word, bit) = layer.bit(place);
                    word.fetch_and(!bit, Ordering::Relaxed);
                    changed.store(true, Ordering::Relaxed);
                }
            });
            self.proof.progress.check()?;
        }
        Ok(changed.into_inner())
    }

    /// Returns true if the position is finished, or if every draw among its children is marked as ending and is either traced or in a later
    /// layer group. Children with other values were checked before.
    fn can_be_traced(&self, place: EntryIndex) -> bool {
        let Proof { keys, scale, .. } = self.proof;
        let (turns, sides) = (&keys.turns, keys.sides(place));
        if turns.finished(place.0, &sides).is_some() {
            return true;
        }
        let row = keys.row_of(&sides.waiter);
        // `Err(None)` ends the visit at a draw by cycle, or at a draw that is not traced yet.
        let visited: Result<(), Option<ProbeError>> =
            turns.each(place.0, &sides, &mut |layer, child| {
                let Ok(child) = keys.find(layer, &child, &row)? else { return Ok(()) };
                let code = self.codes.code(child)?;
                let is_draw =
                    scale.encoding.decode(code).is_some_and(|score| score.draw().is_some());
                if !is_draw || code == self.end && !self.is_untraced(child) {
                    return Ok(());
                }
                Err(None)
            });
        visited.is_ok()
    }

    fn is_untraced(&self, place: EntryIndex) -> bool {
        let has = |layer: &Untraced| {
            let (word, bit) = layer.bit(place);
            word.load(Ordering::Relaxed) & bit != 0
        };
        self.layers.iter().any(|layer| layer.index == place.0 && has(layer))
    }
}
