//! Solves games whose moves change more than the mover's set: lines that take, pushes, pieces that age.
//!
//! The layers are solved in *groups* ([`mod@morpion_games::groups`]), the last one first. All layers stay in memory, because a take may
//! lead from a layer to any later one.
//!
//! 1. Every entry of a group gets its score if its position is over. Otherwise the moves that leave the group give the code of the
//!    best child outside, and the moves that stay are counted.
//! 2. In pass *d*, every entry in distance *d* is sent to the parents in its group. The parent of a loss is won in *d* + 1. The
//!    parent of a win counts one move less, and is lost in *d* + 1 if none is left. A child outside counts as one more child.
//! 3. Entries that are still undecided are draws. A draw ends if all children are won, or are draws that end: these are sent in the
//!    same way.
//!
//! An entry depends only on the passes before it, so tables are equal for any number of threads. A row whose set has *k* symmetries
//! contains each position several times. Each of these entries sends to all entries of its parents, which is *k* times too often
//! altogether. So a move counts as many units as the group has symmetries, and a child takes 1 / *k* of them away.

mod group;
mod parents;
mod places;

use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::census::{self, Counted, CountedRows};
use crate::solve::entry::{Entry, Shared};
use crate::solve::groups::group::{Codes, Group};
use crate::solve::groups::places::{Places, Turns};
use crate::solve::keeper::Keeper;
use crate::solve::sink::Pieces;
use morpion_games::groups::groups;
use morpion_lookup::Oldest;
use morpion_machine::progress::Progress;
use std::ops::Range;

/// Solves the remaining layers and writes them to `keeper`.
///
/// # Errors
/// If a distance does not fit the entries, the observer requests a stop, or files cannot be read or written.
pub(crate) fn solve<E: Entry>(
    sets: &FoldedSets,
    keeper: &mut dyn Keeper,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let places = Places::new(sets);
    let graph = sets.game().graph();
    let count = graph.layers.len();
    let mut solved: Vec<Codes<E>> = std::iter::repeat_with(Vec::new).take(count).collect();
    let entries = |layer: usize| places.layer(layer).entries() as u64;
    let done = keeper.done().layers as usize;
    progress.whole((0..count - done).map(entries).sum());
    for (number, layer) in (1..=done).zip((0..count).rev()) {
        solved[layer] = restore::<E>(&places, layer, number as u64, keeper)?;
    }
    for group in groups(sets.game()).into_iter().rev().skip_while(|group| group.end > count - done)
    {
        progress.layer(graph.layers[group.start].counts, group.clone().map(entries).sum());
        let of_group = Group::<E>::new(&places, group.clone(), &solved).solve(progress)?;
        group.clone().zip(of_group).for_each(|(layer, codes)| solved[layer] = codes);
        for layer in group.clone().rev() {
            keeper
                .write(&|visit: &mut Pieces| pieces::<E>(&places, layer, &solved[layer], visit))?;
        }
        keeper.layer((count - group.start) as u64)?;
    }
    Ok(())
}

/// Reads a layer back that was solved as number `number`.
fn restore<E: Entry>(
    places: &Places,
    layer: usize,
    number: u64,
    keeper: &mut dyn Keeper,
) -> Result<Codes<E>, SolveError> {
    let mut codes = vec![E::default(); places.layer(layer).entries()];
    if let Some(mut next) = keeper.solved_layer(number)? {
        E::fill(&mut codes, |into| next(into))?;
    }
    Ok(codes.into_iter().map(Into::into).collect())
}

/// Visits the bytes of the rows of a layer, and counts them.
fn pieces<E: Entry>(
    places: &Places,
    layer: usize,
    codes: &[E::Shared],
    visit: &mut Pieces,
) -> Result<Counted, SolveError> {
    let mut counted = Counted::default();
    let columns = places.layer(layer).columns;
    let rows_at_once = (1 << 20) / columns.max(1) + 1;
    for (part, entries) in codes.chunks(rows_at_once * columns.max(1)).enumerate() {
        let first = part * rows_at_once;
        let codes: Vec<E> = entries.iter().map(Shared::get).collect();
        let rows = CountedRows {
            columns,
            length: &|row| places.length(layer, first + row),
            position: &|row, column| places.position(layer, first + row, column),
        };
        census::count(&rows, &codes, &mut counted);
        visit(&E::bytes(&codes))?;
    }
    Ok(counted)
}

/// Bytes of memory that solving takes, in addition to the folded sets.
pub(crate) fn memory(layout: &Layout) -> u64 {
    let header = layout.header();
    let width = u64::from(header.encoding.bits() / 8);
    let bytes = |layer: usize| header.layers[layer].entries();
    let all: u64 = (0..header.layers.len()).map(bytes).sum();
    // While moves stay in a group, each entry has a count of them, and may have the code of a child outside.
    let graph = layout.game().graph();
    let is_aged = |oldest| graph.phases.iter().flatten().any(|step| step.oldest == Some(oldest));
    let has_outside = !is_aged(Oldest::First) && !is_aged(Oldest::BeforeLines);
    let of_entry = 4 + if has_outside { width } else { 0 };
    let of_layer = |layer: usize| {
        let count = if graph.is_cyclic(layer) { of_entry } else { 0 };
        bytes(layer) * count + header.layers[layer].rows * 16
    };
    let of_group = |group: Range<usize>| group.map(of_layer).sum::<u64>();
    let group = groups(layout.game()).into_iter().map(of_group).max().unwrap_or(0);
    let rows: u64 = header.maps.iter().map(|map| map.rows * 24).sum();
    // One chunk of rows is copied as it is written.
    all * width + group + rows + Turns::memory(layout) + (2 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::sink::TableSink;
    use crate::build::table::solve_as;
    use morpion_games::catalogue::standard;
    use morpion_lookup::raw::Encoding;
    use morpion_machine::progress::Unobserved;

    #[test]
    fn plain_games_have_the_same_table() {
        for game in standard() {
            let name = game.rules().name.clone();
            let layout = Layout::new(&game, Some(Encoding::Plies8), &Unobserved).unwrap();
            if !game.is_plain() || layout.entries() > 2_000_000 {
                continue;
            }
            let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
            let mut sink = TableSink::begin(Vec::new(), &layout, &sets).unwrap();
            solve::<u8>(&sets, &mut sink, &Unobserved).unwrap();
            let expected = solve_as(&game, Encoding::Plies8, &Unobserved).unwrap();
            assert!(sink.finish().unwrap() == expected, "{name}");
        }
    }
}
