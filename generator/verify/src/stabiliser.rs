//! The stabiliser of a row, the symmetries that keep its representative, takes entries of the row to each other: they have
//! to be equal.
//!
//! Where two of them differ, both are checked against their children.

use super::keys::{EntryIndex, Keys};
use super::report::Collector;
use super::sample;
use super::scale::Scale;
use morpion_games::progress::Progress;
use morpion_lookup::raw::Permutation;
use rayon::prelude::*;

/// Checks that such entries in layer number `index` are equal; `None` where the observer asked for a stop.
pub(super) fn check(
    keys: &Keys,
    scale: &Scale,
    index: usize,
    progress: &dyn Progress,
    collector: &Collector,
) -> Option<()> {
    let layer = keys.table.raw().header().layers[index];
    (0..layer.rows).into_par_iter().try_for_each(|row| {
        let stabiliser = keys.stabiliser(keys.representative(layer.counts.mover, row));
        if !stabiliser.is_empty() {
            (0..layer.columns).for_each(|column| {
                check_one(keys, scale, &stabiliser, (index, row, column), collector);
            });
        }
        (!progress.stop()).then_some(())
    })
}

/// Checks one entry of a row with this stabiliser against its image in the least column.
fn check_one(
    keys: &Keys,
    scale: &Scale,
    stabiliser: &[&Permutation],
    place: EntryIndex,
    collector: &Collector,
) {
    let position = keys.position(place);
    let images = stabiliser.iter();
    let Some(least) = images.map(|symmetry| symmetry.apply(position.waiter)).min() else { return };
    if least < position.waiter {
        let image = (place.0, place.1, keys.column(position.mover, least));
        if keys.code(place) != keys.code(image) {
            sample::check_one(keys, scale, place, collector);
            sample::check_one(keys, scale, image, collector);
        }
    }
}
