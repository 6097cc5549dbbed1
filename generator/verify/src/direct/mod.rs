//! Compares every entry of a table with the entries of its children.
//!
//! This proves the tables of games in which a turn may change the pieces of both sides, so that the children of a row are in several rows
//! and layers. Each layer is read together with the layers of its children. Entries are checked waiter by waiter, because the children of
//! all positions with one waiter are in few rows. If a layer has a fault, the entries of this layer and of the layers of its parents are
//! also checked one by one.
//!
//! `children` and `pushing` implement turns again, beside `turns`, because they are ten times as fast. Without `children`, the proof of
//! seven men's morris takes 11.25 instead of 1.22 processor seconds, and without `pushing`, the proof of quixo on 4×4 takes 4.1 instead of
//! 0.43.

mod buffers;
mod children;
mod folded;
mod pushing;
mod shifts;
mod waiters;

use crate::codes::Codes;
use crate::fault::Unfinished;
use crate::proof::{Proof, STRETCH};
use crate::sums::field::EXPONENT;
use crate::sums::layer_sums::{LayerSums, count_codes, no_counts};
use buffers::Buffers;
use folded::{Doubt, Folded};
use morpion_machine::threads::share;
use std::collections::BTreeMap;
use waiters::Waiters;

impl<'t> Proof<'t> {
    /// Checks all entries. Returns the counts of codes of each layer.
    pub fn check_directly(&self) -> Result<Vec<LayerSums>, Unfinished> {
        let keys = &self.keys;
        let header = keys.table.raw().header();
        let mut codes = Codes::new(header.encoding, &header.layers);
        let (mut layers, mut doubts) = (Vec::new(), BTreeMap::new());
        for index in (0..header.layers.len()).rev() {
            codes.keep(keys, &self.read_for(index))?;
            let folded = Folded::new(self, &codes, index);
            match Waiters::new(&folded) {
                Some(waiters) => {
                    doubts.insert(index, self.by_waiters(index, &waiters)?);
                }
                None => self.check_layer(index, |place| codes.code(place))?,
            }
            layers.push(self.counted(index, &codes)?);
        }
        layers.reverse();
        self.report(&doubts, &mut codes)?;
        Ok(layers)
    }

    /// The layers that the check of layer `index` needs: the layer itself, and the layers of its children.
    fn read_for(&self, index: usize) -> Vec<usize> {
        [self.keys.turns.layers_after(index), vec![index]].concat()
    }

    /// Checks entries one by one in each layer that was checked by waiters, if there is a doubt or a fault in it or in a layer of its
    /// children. `doubts` has the layers that were checked by waiters.
    fn report(
        &self,
        doubts: &BTreeMap<usize, Option<Doubt>>,
        codes: &mut Codes<'t>,
    ) -> Result<(), Unfinished> {
        let Proof { keys, collector, .. } = self;
        let header = keys.table.raw().header();
        let is_wrong = |index: &usize| {
            doubts.get(index).is_some_and(Option::is_some) || collector.has_layer(*index)
        };
        let wrong: Vec<usize> = (0..header.layers.len()).filter(is_wrong).collect();
        for &index in doubts.keys().rev() {
            let needed = self.read_for(index);
            if needed.iter().any(|layer| wrong.contains(layer)) {
                codes.keep(keys, &needed)?;
                self.check_layer(index, |place| codes.code(place))?;
            }
        }
        // If the check one by one finds no fault, the doubts themselves are reported, so that a table with a doubt never passes. This
        // happens only if one of the checks has an error.
        let is_reported = (0..header.layers.len()).any(|index| collector.has_layer(index));
        for doubt in doubts.values().flatten().filter(|_| !is_reported) {
            if let Doubt::Differs { place, found, expected } = *doubt {
                self.add(place, found, expected);
            }
        }
        Ok(())
    }

    /// Checks the entries of a layer by waiters, until there is a doubt, which is returned.
    fn by_waiters(&self, index: usize, waiters: &Waiters) -> Result<Option<Doubt>, Unfinished> {
        let progress = self.progress;
        let section = self.keys.table.raw().header().layers[index];
        let (entries, rows) = (section.entries(), waiters.count());
        progress.layer(section.counts, entries);
        let step = (STRETCH * rows / entries.max(1)).max(1);
        let before = |row: u64| (u128::from(entries) * u128::from(row) / u128::from(rows)) as u64;
        let new = || Ok(Buffers::default());
        let found = share(0..rows, step, progress, new, |buffers, rows| {
            for row in rows.clone() {
                waiters.check(row, buffers)?;
            }
            progress.advance(before(rows.end) - before(rows.start));
            Ok(())
        });
        progress.check()?;
        Ok(found.err())
    }

    /// The counts of the codes of a layer.
    fn counted(&self, index: usize, codes: &Codes) -> Result<LayerSums, Unfinished> {
        let Proof { keys, scale, progress, .. } = self;
        let section = keys.table.raw().header().layers[index];
        let step = (STRETCH / section.columns.max(1)).max(1);
        let new = || Ok((no_counts(scale.encoding), Vec::new()));
        let shares = share(0..section.rows, step, *progress, new, |(counts, of_row), rows| {
            for row in rows {
                self.count(section.columns);
                // A row that cannot be read was reported before.
                of_row.clear();
                if codes.row(index, row, of_row).is_ok() {
                    count_codes(row, of_row, keys.orbit(index, row), counts);
                }
            }
            Ok::<(), Unfinished>(())
        })?;
        progress.check()?;
        let mut all = LayerSums::new(keys, index, &[]);
        for (counts, _) in shares {
            all.add::<EXPONENT>(&LayerSums::new(keys, index, &counts));
        }
        Ok(all)
    }
}
