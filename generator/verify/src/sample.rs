//! Checks a sample of the entries, chosen by a seed. Each entry is compared with its children.

use crate::entry::{Entry, compare};
use crate::keys::{EntryIndex, Keys};
use crate::report::Collector;
use crate::scale::Scale;
use morpion_machine::progress::Progress;
use morpion_machine::splitmix::splitmix;
use morpion_machine::threads;

/// Number of entries between two looks at the observer.
const BATCH: usize = 1 << 12;

/// Checks `count` entries. Returns the number of checked entries, or `None` if the observer requested a stop.
pub(super) fn check(
    keys: &Keys,
    scale: &Scale,
    count: u64,
    seed: u64,
    progress: &dyn Progress,
    collector: &Collector,
) -> Option<u64> {
    let layers = &keys.table.raw().header().layers;
    let total = keys.table.raw().header().entries();
    progress.whole(count);
    let check = |number: u64| {
        let random = u128::from(splitmix(seed, number));
        let mut entry = ((random * u128::from(total)) >> 64) as u64;
        for (index, layer) in layers.iter().enumerate() {
            if entry < layer.entries() {
                check_one(
                    keys,
                    scale,
                    (index, entry / layer.columns, entry % layer.columns),
                    collector,
                );
                break;
            }
            entry -= layer.entries();
        }
        progress.advance(1);
    };
    // A stop is noticed between two batches, since a sample may be larger than any table.
    for first in (0..count).step_by(BATCH) {
        if progress.stop() {
            return None;
        }
        let batch = (count - first).min(BATCH as u64) as usize;
        threads::each(batch, &|number| check(first + number as u64));
    }
    (!progress.stop()).then_some(count)
}

/// Checks one entry, without data that is computed for a whole row.
pub(super) fn check_one(keys: &Keys, scale: &Scale, place: EntryIndex, collector: &Collector) {
    let [mover, waiter] = keys.both(place);
    let entry = Entry { layer: place.0, mover, waiter, row: keys.row_of(&waiter) };
    let read = |(layer, row, column): EntryIndex| keys.table.raw().code(layer, row, column);
    let found = read(place);
    compare(keys, scale, &entry, place, found, read, collector);
}
