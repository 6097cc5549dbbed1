//! Compares one entry with the entries of its children.

use crate::keys::{EntryIndex, Keys, MoverRow};
use crate::report::{Collector, words};
use crate::scale::Scale;
use crate::turns::Pieces;
use morpion_core::Damage;
use morpion_lookup::ProbeError;

/// The position of an entry, with the row in which its children are if the waiter's pieces stay in place. Finished positions may have
/// no such row.
pub(super) struct Entry<'k> {
    pub layer: usize,
    pub mover: Pieces,
    pub waiter: Pieces,
    pub row: Option<MoverRow<'k>>,
}

/// Number of entries of children that are read together.
const AT_ONCE: usize = 32;

/// Compares the code `found` of an entry with the code that its children require. `read` returns the code of an entry.
#[inline]
pub(super) fn compare(
    keys: &Keys,
    scale: &Scale,
    entry: &Entry,
    place: EntryIndex,
    found: Result<u16, ProbeError>,
    read: impl Fn(EntryIndex) -> Result<u16, ProbeError>,
    collector: &Collector,
) {
    match (found, required(keys, scale, entry, read)) {
        (Ok(found), Ok(expected)) if Some(found) == expected => {}
        (Ok(found), Ok(expected)) => {
            let [found, expected] = [Some(found), expected].map(|code| words(scale.encoding, code));
            collector.add(place, found, expected);
        }
        (Err(error), _) | (_, Err(error)) => {
            collector.add(place, error.to_string(), "entries that can be read".into());
        }
    }
}

/// The code that an entry must have; `None` if the encoding cannot represent its score.
#[inline]
fn required(
    keys: &Keys,
    scale: &Scale,
    entry: &Entry,
    read: impl Fn(EntryIndex) -> Result<u16, ProbeError>,
) -> Result<Option<u16>, ProbeError> {
    let Entry { layer, mover, waiter, row } = entry;
    if keys.turns.is_none(mover) {
        return Ok(Some(scale.encoding.no_position()));
    }
    if let Some(score) = keys.turns.finished(*layer, mover, waiter) {
        return Ok(scale.of(score));
    }
    let mut best = None;
    let mut add = |code| best = best.max(Some(scale.preference(code)));
    // Entries are read one directly after the other, so that the processor waits for several of them at once: half the time if pieces age
    // on 4×4.
    let (mut places, mut waiting) = ([(0, 0, 0); AT_ONCE], 0);
    keys.turns.each(*layer, mover, waiter, &mut |child| {
        match keys.find(&child, row)? {
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
        None => Ok(scale.of(keys.turns.blocked(mover, waiter))),
    }
}
