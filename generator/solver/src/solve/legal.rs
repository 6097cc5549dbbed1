//! Whether entries that were read back from a file can be those of a layer.
//!
//! In come the codes of a layer; out goes whether the rules and the encoding allow them, and for a movement layer the
//! distance that it is solved up to. That is no proof of the values (`morpion verify` is), but finds what is no layer at all.

use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::census::count_row;
use crate::solve::entry::Entry;
use crate::solve::finished::agrees;
use crate::solve::scatter::PACKED;
use morpion_lookup::Counts;
use morpion_lookup::raw::LayerCensus;
use rayon::prelude::*;

/// The greatest distance in a layer, or `None` where the codes cannot be its codes. `census` counts them; a movement layer
/// may be solved up to some distance.
pub fn depth<E: Entry>(
    sets: &FoldedSets,
    counts: Counts,
    codes: &[E],
    census: &LayerCensus,
) -> Option<u16> {
    let (shape, game) = (Shape::of(sets, counts), sets.game());
    if codes.len() != shape.entries() {
        return None;
    }
    let distances = census.wins.len().max(census.losses.len());
    let depth = u16::try_from(distances.saturating_sub(1)).ok()?;
    let is_legal = if game.is_movement(counts) {
        // Each distance was found from the one before it.
        let is_in = |list: &[u64], plies| list.get(plies).is_some_and(|&count: &u64| count > 0);
        let occurs = |plies| is_in(&census.wins, plies) || is_in(&census.losses, plies);
        (1..distances).all(occurs) && agrees(sets, counts, codes)
    } else {
        let left = game.cells() - counts.mover - counts.waiter;
        let ends = census.draws_cycle == 0 && depth <= u16::from(left);
        let rows = codes.par_chunks(shape.columns).zip(sets.has_line(counts.mover));
        (ends || game.rules().movement.is_some())
            && rows.all(|(row, &has_line)| row.iter().all(|&code| (code == E::none()) == has_line))
    };
    is_legal.then_some(depth)
}

/// Whether these can be the entries of a layer of two bits an entry.
pub fn are_values(sets: &FoldedSets, counts: Counts, packed: &[u8]) -> bool {
    let shape = Shape::of(sets, counts);
    let (columns, rest) = (shape.columns as u64, shape.entries() % PACKED);
    let none = |row: usize| if sets.has_line(counts.mover)[row] { columns } else { 0 };
    packed.len() == shape.entries().div_ceil(PACKED)
        && (rest == 0 || packed.last().is_some_and(|&last| last >> (rest * 2) == 0))
        && (0..shape.rows)
            .into_par_iter()
            .all(|row| count_row(packed, row, columns)[3] == none(row))
}
