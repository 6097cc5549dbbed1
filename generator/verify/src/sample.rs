//! Checks a sample of the entries, chosen by a seed. Each entry is compared with its children.

use super::keys::{EntryIndex, Keys};
use super::report::{Collector, words};
use super::scale::Scale;
use morpion_lookup::ProbeError;
use morpion_machine::progress::Progress;
use morpion_machine::splitmix::splitmix;
use morpion_machine::threads;

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
    threads::each(count as usize, &|number| {
        if progress.stop() {
            return;
        }
        let random = u128::from(splitmix(seed, number as u64));
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
    });
    (!progress.stop()).then_some(count)
}

/// Checks one entry by the moves of the game, without data that is computed for a whole row.
pub(super) fn check_one(keys: &Keys, scale: &Scale, place: EntryIndex, collector: &Collector) {
    let game = keys.table.game();
    let position = keys.position(place);
    let read = |(index, row, column): EntryIndex| keys.table.raw().code(index, row, column);
    let unreadable = |error: ProbeError| {
        collector.add(place, error.to_string(), "entries that can be read".into())
    };
    let expected = if game.has_line(position.mover) {
        Some(scale.encoding.no_position())
    } else if let Some(over) = game.over(position) {
        scale.of(game.final_score(over))
    } else {
        let child = keys.children_of(place.0).unwrap_or(place.0);
        let mut preferences = game.legal_moves(position).map(|mv| {
            let (row, column) = keys.place(child, game.apply(position, mv));
            read((child, row, column)).map(|code| scale.preference(code))
        });
        match preferences
            .try_fold(0, |best, preference| preference.map(|preference| preference.max(best)))
        {
            Ok(best) => scale.code(best),
            Err(error) => return unreadable(error),
        }
    };
    match read(place) {
        Ok(found) if Some(found) != expected => {
            let encoding = scale.encoding;
            collector.add(place, words(encoding, Some(found)), words(encoding, expected));
        }
        Ok(_) => {}
        Err(error) => unreadable(error),
    }
}
