//! Finds the draws that end again, starting from finished games, until nothing changes.
//!
//! If pieces move, it is not enough that every drawing child is a draw that ends. That also holds for a cycle of draws
//! that are all marked as ending. A draw ends only if it can be traced to finished games.

use crate::codes::Codes;
use crate::keys::{EntryIndex, Keys};
use crate::report::{Collector, Unfinished, words};
use crate::turns::Turns;
use morpion_core::rank::cells;
use morpion_core::{Encoding, LayerSection};
use morpion_lookup::raw::Census;
use morpion_lookup::{DrawKind, ProbeError, Score};
use morpion_machine::progress::{Progress, Stopped};
use morpion_machine::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The layer groups whose draws are traced: play can continue forever inside them, and their census has draws that end. If the
/// census has none although there are some, another check reports it.
pub(super) fn traced(turns: &Turns, stored: &Census) -> Vec<Range<usize>> {
    let has_ends = |layer: usize| stored.layers.get(layer).is_some_and(|layer| layer.draws_end > 0);
    turns.cycles().into_iter().filter(|group| group.clone().any(has_ends)).collect()
}

/// Checks the draws that end in layer groups inside which play can continue forever.
pub(super) fn check(
    keys: &Keys,
    stored: &Census,
    progress: &dyn Progress,
    collector: &Collector,
) -> Result<(), Unfinished> {
    let header = keys.table.raw().header();
    let code = |kind| header.encoding.encode(Score::Draw { kind });
    let [Some(end), cycle] = [DrawKind::End, DrawKind::Cycle].map(code) else { return Ok(()) };
    let [found, expected] = [Some(end), cycle].map(|code| words(header.encoding, code));
    let mut codes = Codes::new(header.encoding, &header.layers);
    for group in traced(&keys.turns, stored) {
        let after = group.clone().flat_map(|layer| keys.turns.layers_after(layer));
        codes.keep(keys, &after.chain(group.clone()).collect::<Vec<_>>())?;
        let draws = Draws::new(keys, group, &codes, end);
        while draws.trace(progress)? {}
        for place in draws.all_untraced() {
            collector.add(place, found.clone(), expected.clone());
        }
    }
    Ok(())
}

/// The entries of some layers that are marked as draws that end.
struct Draws<'a> {
    keys: &'a Keys<'a>,
    encoding: Encoding,
    codes: &'a Codes<'a>,
    /// The code of a draw that ends.
    end: u16,
    layers: Vec<Untraced>,
}

/// The entries of a layer that are marked as draws that end, and are not traced to finished games yet.
struct Untraced {
    index: usize,
    section: LayerSection,
    /// Number of words for each row.
    words: u64,
    /// One bit per entry.
    bits: Vec<AtomicU64>,
}

impl Untraced {
    fn new(index: usize, section: LayerSection) -> Untraced {
        let words = section.columns.div_ceil(64);
        let bits = (0..section.rows * words).map(|_| AtomicU64::new(0)).collect();
        Untraced { index, section, words, bits }
    }

    fn bit(&self, row: u64, column: u64) -> (&AtomicU64, u64) {
        (&self.bits[(row * self.words + column / 64) as usize], 1 << (column % 64))
    }

    fn has(&self, row: u64, column: u64) -> bool {
        let (word, mask) = self.bit(row, column);
        word.load(Ordering::Relaxed) & mask != 0
    }
}

impl<'a> Draws<'a> {
    fn new(keys: &'a Keys<'a>, group: Range<usize>, codes: &'a Codes<'a>, end: u16) -> Draws<'a> {
        let header = keys.table.raw().header();
        let layers = group.map(|index| Untraced::new(index, header.layers[index]));
        let draws = Draws { keys, encoding: header.encoding, codes, end, layers: layers.collect() };
        for layer in &draws.layers {
            threads::each(layer.section.rows as usize, &|row| {
                let row = row as u64;
                let is_end =
                    |&column: &u64| codes.code((layer.index, row, column)).ok() == Some(end);
                for column in (0..layer.section.columns).filter(is_end) {
                    let (word, mask) = layer.bit(row, column);
                    word.fetch_or(mask, Ordering::Relaxed);
                }
            });
        }
        draws
    }

    /// Traces draws whose children are finished or traced. Returns true if there were any.
    fn trace(&self, progress: &dyn Progress) -> Result<bool, Stopped> {
        let changed = AtomicBool::new(false);
        for layer in &self.layers {
            threads::each(layer.section.rows as usize, &|row| {
                let row = row as u64;
                if progress.stop() {
                    return;
                }
                for number in 0..layer.words {
                    let word = &layer.bits[(row * layer.words + number) as usize];
                    for bit in cells(word.load(Ordering::Relaxed)) {
                        let column = number * 64 + u64::from(bit);
                        if self.can_be_traced((layer.index, row, column)) {
                            word.fetch_and(!(1 << bit), Ordering::Relaxed);
                            changed.store(true, Ordering::Relaxed);
                        }
                    }
                }
            });
            progress.check()?;
        }
        Ok(changed.into_inner())
    }

    /// Returns true if every draw among the children ends and is traced, or in a later layer group. A finished draw has no moves. Children
    /// with other values were checked elsewhere.
    fn can_be_traced(&self, place: EntryIndex) -> bool {
        let (turns, [mover, waiter]) = (&self.keys.turns, self.keys.both(place));
        if turns.finished(place.0, &mover, &waiter).is_some() {
            return true;
        }
        let row = self.keys.row_of(&waiter);
        let visited = turns.each(place.0, &mover, &waiter, &mut |child| {
            let Ok(child) = self.keys.find(&child, &row)? else { return Ok(()) };
            let code = self.codes.code(child)?;
            let is_draw = self.encoding.decode(code).is_some_and(|score| score.draw().is_some());
            if !is_draw || code == self.end && !self.is_untraced(child) {
                return Ok(());
            }
            Err(Untraceable)
        });
        visited.is_ok()
    }

    fn is_untraced(&self, (index, row, column): EntryIndex) -> bool {
        self.layers.iter().any(|layer| layer.index == index && layer.has(row, column))
    }

    /// The places of the draws that are not traced.
    fn all_untraced(&self) -> impl Iterator<Item = EntryIndex> {
        self.layers.iter().flat_map(|layer| {
            let LayerSection { rows, columns, .. } = layer.section;
            let all = (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
            let untraced = all.filter(|&(row, column)| layer.has(row, column));
            untraced.map(|(row, column)| (layer.index, row, column))
        })
    }
}

/// A draw has a child that is a draw and is not traced, or that cannot be read.
struct Untraceable;

impl From<ProbeError> for Untraceable {
    fn from(_: ProbeError) -> Untraceable {
        Untraceable
    }
}
