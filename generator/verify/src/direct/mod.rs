//! Compares every entry of a table with the entries of its children.
//!
//! This proves the tables of games in which a turn may change the pieces of both sides, so that the children of a row are in several
//! rows and layers. Each layer is read together with the layers of its children. Entries are checked by waiters, whose children are
//! together. If a layer has a fault, its entries are checked one by one too, and so are the parents.

mod children;
mod compression;
mod folded;
mod movers;
mod pushing;
mod shifts;
mod taking;
mod waiters;

use crate::codes::Codes;
use crate::entry::{Entry, compare};
use crate::keys::Keys;
use crate::queue::Queue;
use crate::report::{Collector, Unfinished, words};
use crate::scale::Scale;
use crate::sums::codes_of;
use crate::sums::field::EXPONENT;
use crate::sums::layer_sums::LayerSums;
use crate::sums::pass_sums::PassSums;
use crate::sums::stored::count_codes;
use crate::turns::Pieces;
use compression::Compression;
use folded::{Doubt, Folded};
use morpion_core::rank::{expand, subsets};
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::collections::BTreeMap;
use std::ops::Range;
use waiters::{Scratch, Waiters};

/// Number of entries after which a thread takes the next rows and reports its progress.
const STRETCH: u64 = 1 << 14;

/// A table of which every entry is compared with its children.
pub(super) struct Direct<'a> {
    keys: &'a Keys<'a>,
    scale: &'a Scale,
    collector: &'a Collector,
    progress: &'a dyn Progress,
    compression: Compression,
}

impl<'a> Direct<'a> {
    pub fn new(
        keys: &'a Keys,
        scale: &'a Scale,
        collector: &'a Collector,
        progress: &'a dyn Progress,
    ) -> Direct<'a> {
        Direct {
            keys,
            scale,
            collector,
            progress,
            compression: Compression::new(keys.table.game().cells()),
        }
    }

    /// Checks all entries. Returns the counts of codes of each layer, and the number of checked entries.
    pub fn check(&self) -> Result<(Vec<LayerSums>, u64), Unfinished> {
        let header = self.keys.table.raw().header();
        let mut codes = Codes::new(header.encoding, &header.layers);
        let (mut layers, mut checked, mut doubts) = (Vec::new(), 0, BTreeMap::new());
        for (index, section) in header.layers.iter().enumerate().rev() {
            codes.keep(self.keys, &self.read_for(index))?;
            self.progress.layer(section.counts, section.entries());
            let folded = Folded::new(self.keys, self.scale, &codes, &self.compression, index);
            match Waiters::new(&folded) {
                Some(waiters) => {
                    doubts.insert(index, self.by_waiters(index, &waiters)?);
                }
                None => self.by_entries(index, &codes)?,
            }
            let found = self.counted(index, &codes)?;
            checked += found.entries;
            layers.push(LayerSums {
                mover: section.counts.mover,
                waiter: section.counts.waiter,
                required: None,
                stored: [0, 0],
                codes: codes_of(self.keys, index, &found),
            });
        }
        layers.reverse();
        self.report(&doubts, &mut codes)?;
        Ok((layers, checked))
    }

    /// The layers that are read for the check of one layer.
    fn read_for(&self, index: usize) -> Vec<usize> {
        let mut layers = self.keys.turns.layers_after(index);
        layers.push(index);
        layers
    }

    /// Finds the faults of layers with a doubt in themselves or in the layers of their children. There the entries are checked one by one,
    /// because entries that should be equal may differ. `doubts` has the layers that were checked by waiters.
    fn report(
        &self,
        doubts: &BTreeMap<usize, Option<Doubt>>,
        codes: &mut Codes<'a>,
    ) -> Result<(), Unfinished> {
        let header = self.keys.table.raw().header();
        let is_wrong = |index: &usize| {
            doubts.get(index).is_some_and(Option::is_some) || self.collector.has_layer(*index)
        };
        let wrong: Vec<usize> = (0..header.layers.len()).filter(is_wrong).collect();
        for &index in doubts.keys().rev() {
            let (section, needed) = (&header.layers[index], self.read_for(index));
            if needed.iter().any(|layer| wrong.contains(layer)) {
                codes.keep(self.keys, &needed)?;
                self.progress.layer(section.counts, section.entries());
                self.by_entries(index, codes)?;
            }
        }
        // A table with a doubt is never right. So this is only for errors of the check itself.
        let is_reported = (0..header.layers.len()).any(|index| self.collector.has_layer(index));
        for doubt in doubts.values().flatten().filter(|_| !is_reported) {
            if let Doubt::Differs { place, found, expected } = *doubt {
                let [found, expected] =
                    [Some(found), expected].map(|code| words(self.scale.encoding, code));
                self.collector.add(place, found, expected);
            }
        }
        Ok(())
    }

    /// Checks all entries of a layer by waiters, until there is a doubt.
    fn by_waiters(&self, index: usize, waiters: &Waiters) -> Result<Option<Doubt>, Unfinished> {
        let section = self.keys.table.raw().header().layers[index];
        let rows = waiters.count();
        let queue = Queue::new(0..rows, (STRETCH * rows / section.entries().max(1)).max(1));
        let before =
            |row: u64| (u128::from(section.entries()) * u128::from(row) / u128::from(rows)) as u64;
        let shares = threads::map(threads::count(), &|_| {
            let mut scratch = Scratch::default();
            while let Some(rows) = queue.take(self.progress) {
                for row in rows.clone() {
                    if let Err(doubt) = waiters.check(row, &mut scratch) {
                        queue.stop();
                        return Some(doubt);
                    }
                }
                self.progress.advance(before(rows.end) - before(rows.start));
            }
            None
        });
        self.progress.check()?;
        Ok(shares.into_iter().flatten().next())
    }

    /// Checks each entry with all its children, the rows of each set together.
    fn by_entries(&self, index: usize, codes: &Codes) -> Result<(), Unfinished> {
        let section = self.keys.table.raw().header().layers[index];
        let of_set = self.keys.orders(index)[0];
        let step = (STRETCH / (section.columns * of_set).max(1)).max(1);
        let queue = Queue::new(0..section.rows / of_set, step);
        threads::each(threads::count(), &|_| {
            while let Some(sets) = queue.take(self.progress) {
                for set in sets.clone() {
                    self.rows(index, set * of_set..(set + 1) * of_set, codes);
                }
                self.progress.advance((sets.end - sets.start) * of_set * section.columns);
            }
        });
        Ok(self.progress.check()?)
    }

    /// The number of entries of a layer, and the counts of its codes.
    fn counted(&self, index: usize, codes: &Codes) -> Result<PassSums, Unfinished> {
        let section = self.keys.table.raw().header().layers[index];
        let queue = Queue::new(0..section.rows, (STRETCH / section.columns.max(1)).max(1));
        let shares = threads::map(threads::count(), &|_| {
            let mut found = PassSums::new(0, self.scale.encoding);
            let mut of_row = Vec::new();
            while let Some(rows) = queue.take(self.progress) {
                for row in rows {
                    found.entries += section.columns;
                    // A row that cannot be read has been reported.
                    of_row.clear();
                    if codes.row(index, row, &mut of_row).is_ok() {
                        count_codes(row, &of_row, self.keys.orbit(index, row), &mut found.counts);
                    }
                }
            }
            found
        });
        self.progress.check()?;
        let found = PassSums::new(0, self.scale.encoding);
        Ok(shares.into_iter().fold(found, PassSums::merge::<EXPONENT>))
    }

    /// Checks the rows of one set of the mover. The children of their entries with the same waiter are in the same row, and are read
    /// together.
    fn rows(&self, layer: usize, rows: Range<u64>, codes: &Codes) {
        let keys = self.keys;
        let section = keys.table.raw().header().layers[layer];
        let movers: Vec<Pieces> = rows.clone().map(|row| keys.mover(layer, row)).collect();
        let left = keys.table.game().raw().board() & !movers[0].set;
        let (size, orders) = (section.counts.waiter, keys.orders(layer)[1]);
        let sets = subsets(left.count_ones(), size.into()).map(|set| expand(set, left));
        let waiters = sets.flat_map(|set| (0..orders).map(move |order| (set, order)));
        for (column, (set, order)) in (0..).zip(waiters) {
            let waiter = keys.pieces(set, size, order);
            let children = keys.row_of(&waiter);
            for (row, &mover) in rows.clone().zip(&movers) {
                let place = (layer, row, column);
                let entry = Entry { layer, mover, waiter, row: children };
                let code = codes.code(place);
                let read = |place| codes.code(place);
                compare(keys, self.scale, &entry, place, code, read, self.collector);
            }
        }
    }
}
