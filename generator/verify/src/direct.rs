//! Compares every entry of a table with the entries of its children.
//!
//! This proves the tables of games in which a turn may change the pieces of both sides, so that the children of a row are in several
//! rows and layers. Each layer is read together with the layers of its children.

use super::codes::Codes;
use super::entry::{Entry, compare};
use super::field::EXPONENT;
use super::found::{Found, Wanted};
use super::keys::Keys;
use super::layer_sums::LayerSums;
use super::report::{Collector, Unfinished};
use super::scale::Scale;
use super::stored::count_codes;
use super::sums::codes_of;
use super::turns::Pieces;
use morpion_lookup::raw::rank::{expand, subsets};
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of entries after which a thread takes the next rows and reports its progress.
const STRETCH: u64 = 1 << 14;

/// A table of which every entry is compared with its children.
pub(super) struct Direct<'a> {
    pub keys: &'a Keys<'a>,
    pub scale: &'a Scale,
    pub collector: &'a Collector,
    pub progress: &'a dyn Progress,
}

impl Direct<'_> {
    /// Checks all entries. Returns the counts of codes of each layer, and the number of checked entries.
    pub fn check(&self) -> Result<(Vec<LayerSums>, u64), Unfinished> {
        let header = self.keys.table.raw().header();
        let mut codes = Codes::new(header.encoding, &header.layers);
        let (mut layers, mut checked) = (Vec::new(), 0);
        for (index, section) in header.layers.iter().enumerate().rev() {
            let mut needed = self.keys.turns.layers_after(index);
            needed.push(index);
            codes.keep(self.keys, &needed)?;
            self.progress.layer(section.counts, section.entries());
            let found = self.layer(index, &codes)?;
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
        Ok((layers, checked))
    }

    fn layer(&self, index: usize, codes: &Codes) -> Result<Found, Unfinished> {
        let wanted = Wanted { rows: index, stored: false, required: Vec::new(), buckets: 0 };
        let next = AtomicU64::new(0);
        let shares = threads::map(threads::count(), &|_| {
            let mut found = Found::new(&wanted, self.scale.encoding);
            self.share(index, codes, &next, &mut found);
            found
        });
        self.progress.check()?;
        let found = Found::new(&wanted, self.scale.encoding);
        Ok(shares.into_iter().fold(found, Found::merge::<EXPONENT>))
    }

    /// Checks rows until none is left, always all rows of a set.
    fn share(&self, index: usize, codes: &Codes, next: &AtomicU64, found: &mut Found) {
        let section = self.keys.table.raw().header().layers[index];
        let of_set = self.keys.orders(index)[0];
        let step = (STRETCH / (section.columns * of_set).max(1)).max(1) * of_set;
        while !self.progress.stop() {
            let first = next.fetch_add(step, Ordering::Relaxed);
            if first >= section.rows {
                break;
            }
            let end = section.rows.min(first + step);
            for row in (first..end).step_by(of_set as usize) {
                self.rows(index, row..row + of_set, codes, found);
            }
            let entries = (end - first) * section.columns;
            found.entries += entries;
            self.progress.advance(entries);
        }
    }

    /// Checks the rows of one set of the mover. The children of their entries with the same waiter are in the same row, and are read
    /// together.
    fn rows(&self, layer: usize, rows: Range<u64>, codes: &Codes, found: &mut Found) {
        let keys = self.keys;
        let section = keys.table.raw().header().layers[layer];
        let movers: Vec<Pieces> = rows.clone().map(|row| keys.mover(layer, row)).collect();
        let left = keys.table.game().board() & !movers[0].set;
        let (size, orders) = (section.counts.waiter, keys.orders(layer)[1]);
        let mut of_rows = vec![Vec::with_capacity(section.columns as usize); movers.len()];
        let sets = subsets(left.count_ones(), size.into()).map(|set| expand(set, left));
        let waiters = sets.flat_map(|set| (0..orders).map(move |order| (set, order)));
        for (column, (set, order)) in (0..).zip(waiters) {
            let waiter = keys.pieces(set, size, order);
            let children = keys.row_of(&waiter);
            for ((row, &mover), of_row) in rows.clone().zip(&movers).zip(&mut of_rows) {
                let place = (layer, row, column);
                let entry = Entry { layer, mover, waiter, row: children };
                let code = codes.code(place);
                of_row.extend(code.as_ref().ok());
                let read = |place| codes.code(place);
                compare(keys, self.scale, &entry, place, code, read, self.collector);
            }
        }
        for (row, of_row) in rows.zip(&of_rows) {
            count_codes(row, of_row, keys.orbit(layer, row), &mut found.counts);
        }
    }
}
