//! Computes the sums of all layers over all rows or over a part of the rows. If the sums of a layer differ, finds the wrong entries.

pub mod field;
pub mod hash;
mod lanes;
pub mod layer_sums;
mod places;
mod required;
mod rows;
pub mod stored;

use crate::fault::Unfinished;
use crate::parts::part::Part;
use crate::proof::Proof;
use hash::Hash;
use layer_sums::LayerSums;
use morpion_machine::threads;

/// A pass over the rows of a table, with the key's hash.
pub(crate) struct Pass<'a, const E: u32> {
    pub proof: &'a Proof<'a>,
    pub hash: Hash<E>,
}

impl<const E: u32> Pass<'_, E> {
    /// Computes the sums of all layers over one part of the rows, in the order of the file.
    pub(crate) fn sums(&self, part: Part) -> Result<Vec<LayerSums>, Unfinished> {
        let Proof { keys, progress, .. } = self.proof;
        let layers = &keys.table.raw().header().layers;
        let mut sums = self.no_sums();
        for (index, rows) in part.rows(layers).into_iter().enumerate().rev() {
            if !rows.is_empty() {
                let layer = layers[index];
                progress.layer(layer.counts, (rows.end - rows.start) * layer.columns);
                self.over(index, rows, &mut sums)?;
            }
        }
        Ok(sums)
    }

    /// The sums of all layers before any row is added.
    fn no_sums(&self) -> Vec<LayerSums> {
        let keys = &self.proof.keys;
        let layers = 0..keys.table.raw().header().layers.len();
        layers.map(|index| LayerSums::new(keys, index, &[])).collect()
    }

    /// Checks the entries of a layer whose sums differ one by one. Of entries in a row that are images of each other, only the first is
    /// checked here: the sums have compared the others with it.
    pub(crate) fn find_faults(&self, index: usize) -> Result<(), Unfinished> {
        let Proof { keys, collector, progress, .. } = self.proof;
        let layer = keys.table.raw().header().layers[index];
        for (row, of_row) in (0..).zip(keys.rows(layer.counts.mover)) {
            if collector.is_full() {
                break;
            }
            threads::each(layer.columns as usize, &|column| {
                let place = (index, row, column as u64);
                let waiter = keys.position(place).waiter;
                let mut images =
                    keys.cosets.elements(of_row.stabiliser).map(|symmetry| symmetry.apply(waiter));
                if images.all(|image| image >= waiter) {
                    self.proof.check_one(place);
                }
            });
            progress.check()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Keys;
    use field::Field;
    use hash::degree;
    use morpion_core::Encoding;
    use morpion_core::Source;
    use morpion_games::catalogue::Table;
    use morpion_machine::progress::Unobserved;

    /// The built-in table of swap, in which the codes of these entries of its movement layer are exchanged in pairs.
    fn swap(exchanged: &[(u64, u64)]) -> Table {
        let table = morpion_lookup::Table::builtin("swap").unwrap();
        let mut bytes = table.source().in_memory().unwrap().to_vec();
        let layer = *table.raw().header().layers.last().unwrap();
        for (a, b) in exchanged {
            bytes.swap((layer.offset + a) as usize, (layer.offset + b) as usize);
        }
        Table::from_source(bytes.into()).unwrap()
    }

    /// Counts the keys that miss a fault in each lane, and in both lanes.
    fn missed<const E: u32>(table: &Table, count: u32) -> [u32; 3] {
        let proof = Proof::begin(table, &Unobserved).ok().unwrap();
        let mut missed = [0; 3];
        for number in 0..count {
            let hash = Hash::<E>::new(format!("{number:064x}").parse().unwrap());
            let sums = Pass { proof: &proof, hash }.sums(Part::WHOLE).unwrap();
            let last = sums.last().unwrap();
            let required = last.required.unwrap();
            let equal = [0, 1].map(|lane| required[lane] == last.stored[lane]);
            for (missed, equal) in missed.iter_mut().zip([equal[0], equal[1], last.is_right()]) {
                *missed += u32::from(equal);
            }
        }
        missed
    }

    /// Compares the rate of missed faults with its bound, in a small field in which such faults are frequent.
    fn check<const E: u32>(exchanged: &[(u64, u64)]) {
        const COUNT: u32 = 2000;
        let bound = f64::from(degree(9, Encoding::Plies8)) / Field::<E>::PRIME as f64;
        let [first, second, both] = missed::<E>(&swap(exchanged), COUNT);
        for (missed, bound) in [(first, bound), (second, bound), (both, bound * bound)] {
            let rate = f64::from(missed) / f64::from(COUNT);
            assert!(
                missed > 0 && rate <= bound,
                "{E} {exchanged:?}: {missed} missed, {rate} > {bound}"
            );
        }
    }

    /// The layer has 10 rows of 20 entries. The exchanged entries are in one row, or in rows of equal orbits. So a sum
    /// that does not depend on the class stays the same.
    #[test]
    fn short_hashes_miss_exchanged_entries_as_rarely_as_the_bound_says() {
        let codes = |table: &Table| {
            let layer = table.raw().header().layers.len() - 1;
            move |key: u64, table: &Table| table.raw().code(layer, key / 20, key % 20).unwrap()
        };
        let right = swap(&[]);
        let code = codes(&right);
        let layer = *right.raw().header().layers.last().unwrap();
        let differ = |(a, b): &(u64, u64)| code(*a, &right) != code(*b, &right);
        assert_eq!(layer.columns, 20);
        let in_one_row = (0..layer.entries()).map(|key| (key, key + 1)).find(differ).unwrap();
        let keys = Keys::new(&right, &Unobserved).ok().unwrap();
        let rows = keys.rows(layer.counts.mover);
        let twins = |&row: &u64| rows[row as usize].orbit == rows[row as usize + 1].orbit;
        let in_two_rows = (0..layer.rows - 1)
            .filter(twins)
            .flat_map(|row| (0..20).map(move |column| (row * 20 + column, row * 20 + 20 + column)))
            .find(differ)
            .unwrap();
        for exchanged in [&[in_one_row][..], &[in_two_rows], &[in_one_row, in_two_rows]] {
            check::<5>(exchanged);
            check::<7>(exchanged);
        }
        assert_eq!(missed::<7>(&right, 100), [100; 3], "equal sums of a right table");
    }
}
