//! Compares the entry of a parent with the entries of its children.

use crate::fault::Unfinished;
use crate::keys::{EntryIndex, MoverRow};
use crate::proof::{Proof, STRETCH};
use crate::turns::{Pieces, Sides};
use morpion_core::{
    Damage, ProbeError,
    rank::{expand, subsets},
};
use morpion_machine::threads::share;
use std::ops::Range;

/// Number of entries of children that are read together.
const AT_ONCE: usize = 32;

impl Proof<'_> {
    /// Checks one entry, reading the codes from the table.
    pub fn check_one(&self, place: EntryIndex) {
        let sides = self.keys.sides(place);
        let children = self.keys.row_of(&sides.waiter);
        self.compare(place, &sides, &children, |(layer, row, column)| {
            self.keys.table.raw().code(layer, row, column)
        });
    }

    /// Compares each entry of a layer with all its children. Stops if the collector is full. `read` returns the code of an entry.
    pub fn check_layer(
        &self,
        index: usize,
        read: impl Fn(EntryIndex) -> Result<u16, ProbeError> + Sync,
    ) -> Result<(), Unfinished> {
        let Proof { keys, collector, progress, .. } = self;
        let section = keys.table.raw().header().layers[index];
        let of_set = keys.orders(section.counts.mover);
        let entries = section.columns * of_set;
        progress.layer(section.counts, section.entries());
        let step = (STRETCH / entries.max(1)).max(1);
        let sets = 0..section.rows / of_set;
        let new = || Ok::<(), Unfinished>(());
        share(sets, step, *progress, new, |(), sets| {
            for set in sets.clone().filter(|_| !collector.is_full()) {
                self.check_rows(index, set * of_set..(set + 1) * of_set, &read);
            }
            progress.advance((sets.end - sets.start) * entries);
            Ok(())
        })?;
        Ok(progress.check()?)
    }

    /// Checks the rows of one set of the mover: one row for each order of the mover's pieces. All entries with one waiter in these rows
    /// have their children in one row, which is found once. `read` returns the code of an entry.
    pub fn check_rows(
        &self,
        layer: usize,
        rows: Range<u64>,
        read: impl Fn(EntryIndex) -> Result<u16, ProbeError>,
    ) {
        let keys = &self.keys;
        let section = keys.table.raw().header().layers[layer];
        let movers: Vec<Pieces> = rows.clone().map(|row| keys.mover(layer, row)).collect();
        let left = keys.table.game().board() & !movers[0].set;
        let size = section.counts.waiter;
        let sets = subsets(left.count_ones(), size.into()).map(|set| expand(set, left));
        let waiters = sets.flat_map(|set| (0..keys.orders(size)).map(move |order| (set, order)));
        for (column, (set, order)) in (0..).zip(waiters) {
            let waiter = keys.pieces(set, order);
            let children = keys.row_of(&waiter);
            for (row, &mover) in rows.clone().zip(&movers) {
                self.compare((layer, row, column), &Sides { mover, waiter }, &children, &read);
            }
        }
    }

    /// Compares the code of an entry with the code that its children require. [`Proof::required`] describes the other arguments.
    fn compare(
        &self,
        place: EntryIndex,
        sides: &Sides,
        children: &Option<MoverRow>,
        read: impl Fn(EntryIndex) -> Result<u16, ProbeError>,
    ) {
        match (read(place), self.required(place.0, sides, children, read)) {
            (Ok(found), Ok(expected)) if Some(found) == expected => {}
            (Ok(found), Ok(expected)) => self.add(place, found, expected),
            (Err(error), _) | (_, Err(error)) => {
                self.collector.add(place, error.to_string(), "entries that can be read".into());
            }
        }
    }

    /// The code that an entry of a layer must have; `None` if the encoding cannot represent its score. `children` is the row of the children
    /// after turns that leave the waiter's pieces in place, if the table has this row. `read` returns the code of an entry.
    pub fn required(
        &self,
        layer: usize,
        sides: &Sides,
        children: &Option<MoverRow>,
        read: impl Fn(EntryIndex) -> Result<u16, ProbeError>,
    ) -> Result<Option<u16>, ProbeError> {
        let Proof { keys, scale, .. } = self;
        if keys.turns.is_none(&sides.mover) {
            return Ok(Some(scale.encoding.no_position()));
        }
        if let Some(score) = keys.turns.finished(layer, sides) {
            return Ok(scale.of(score));
        }
        let mut best = None;
        let mut add = |code| best = best.max(Some(scale.preference(code)));
        // Entries are collected and then read in a sequence, so that the processor waits for several reads at once. This halves the time if
        // pieces age on 4×4.
        let (mut places, mut waiting) = ([(0, 0, 0); AT_ONCE], 0);
        keys.turns.each(layer, sides, &mut |layer, child| {
            match keys.find(layer, &child, children)? {
                Err(score) => add(scale.of(score).ok_or(Damage::Layer)?),
                Ok(place) => {
                    places[waiting] = place;
                    waiting += 1;
                }
            }
            if waiting == AT_ONCE {
                waiting = 0;
                places.into_iter().try_for_each(|place| read(place).map(&mut add))?;
            }
            Ok::<(), ProbeError>(())
        })?;
        places[..waiting].iter().try_for_each(|&place| read(place).map(&mut add))?;
        match best {
            Some(best) => Ok(scale.code(best)),
            None => Ok(scale.of(keys.turns.blocked(sides))),
        }
    }
}
