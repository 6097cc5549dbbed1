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
use morpion_lookup::raw::rank::{expand, subsets};
use morpion_machine::progress::Progress;
use morpion_machine::threads;
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

    /// Checks rows until none is left.
    fn share(&self, index: usize, codes: &Codes, next: &AtomicU64, found: &mut Found) {
        let section = self.keys.table.raw().header().layers[index];
        let step = (STRETCH / section.columns.max(1)).max(1);
        while !self.progress.stop() {
            let first = next.fetch_add(step, Ordering::Relaxed);
            if first >= section.rows {
                break;
            }
            let end = section.rows.min(first + step);
            for row in first..end {
                self.row(index, row, codes, found);
            }
            let entries = (end - first) * section.columns;
            found.entries += entries;
            self.progress.advance(entries);
        }
    }

    fn row(&self, layer: usize, row: u64, codes: &Codes, found: &mut Found) {
        let keys = self.keys;
        let (section, mover) = (keys.table.raw().header().layers[layer], keys.mover(layer, row));
        let left = keys.table.game().board() & !mover.set;
        let (size, orders) = (section.counts.waiter, keys.waiter_orders(layer));
        let mut of_row = Vec::with_capacity(section.columns as usize);
        let mut place = (layer, row, 0);
        for set in subsets(left.count_ones(), size.into()).map(|set| expand(set, left)) {
            for order in 0..orders {
                let waiter = keys.pieces(set, size, order);
                let entry = Entry { layer, mover, waiter, row: keys.row_of(&waiter) };
                let code = codes.code(place);
                of_row.extend(code.as_ref().ok());
                let read = |place| codes.code(place);
                compare(keys, self.scale, &entry, place, code, read, self.collector);
                place.2 += 1;
            }
        }
        count_codes(row, &of_row, keys.orbit(layer, row), &mut found.counts);
    }
}
