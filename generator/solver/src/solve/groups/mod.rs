//! Solves games whose moves change more than the mover's set: lines that take, pushes ([`pushes`]), pieces that age.
//!
//! The layers are solved in *groups* ([`mod@morpion_games::groups`]), the last one first. While a group is solved, the layers to which its
//! moves lead are in memory. They are read back from the table when they are not there any more. Without pushes:
//!
//! 1. Every position of a group gets its score if it is over. Otherwise the moves that leave the group give the code of the best child
//!    outside, and the moves that stay are counted.
//! 2. In pass *d*, every entry in distance *d* is sent to the parents in its group. The parent of a loss is won in *d* + 1. The
//!    parent of a win counts one move less, and is lost in *d* + 1 if none is left. A child outside counts as one more child.
//! 3. Positions that are still undecided are draws. A draw ends if all children are won, or are draws that end: these are sent in the
//!    same way.
//!
//! A move keeps the waiter's pieces, unless it takes. So counts are in rows of the waiter: a row of counts belongs to the row
//! of entries in which the children inside are, and a child finds all of its parents there. The children outside are in few rows too:
//! if lines take, a whole row is begun at once. Codes are in rows of the mover, as in the table, and written once.
//!
//! An entry depends only on the passes before it, so tables are equal for any number of threads.

mod group;
mod moves;
mod parents;
mod passes;
mod places;
pub(crate) mod pushes;
mod row;

use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::census::{self, Counted, CountedRows};
use crate::solve::entry::{Codes, Entry, Shared};
use crate::solve::groups::group::{BLOCK, Group};
use crate::solve::groups::places::{Places, Turns, numbered_memory};
use crate::solve::groups::pushes::Pushes;
use crate::solve::keeper::Keeper;
use crate::solve::sink::Pieces;
use morpion_games::groups::{groups, layers_after};
use morpion_lookup::Game;
use morpion_lookup::raw::{LayerSection, Oldest};
use morpion_machine::memory::filled;
use morpion_machine::progress::Progress;
use std::collections::BTreeSet;
use std::io;
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
    let game = sets.game();
    let has_pushes = pushes::are_moves(game);
    if has_pushes {
        pushes::check_size(game)?;
    }
    let (places, graph) = (Places::new(sets), game.graph());
    let count = graph.layers.len();
    let mut solved: Vec<Option<Codes<E>>> = std::iter::repeat_with(|| None).take(count).collect();
    let entries = |layer: usize| places.layer(layer).entries() as u64;
    let done = keeper.done().layers as usize;
    progress.whole((0..count - done).map(entries).sum());
    for group in groups(game).into_iter().rev().skip_while(|group| group.end > count - done) {
        progress.layer(graph.layers[group.start].counts, group.clone().map(entries).sum());
        let mut load = |layer: usize| restore(&places, layer, (count - layer) as u64, keeper);
        let of_group = if has_pushes {
            Pushes::<E>::new(&places, group.clone()).solve(&mut load, progress)?
        } else {
            let needed = layers_needed(game, &group);
            for layer in (0..count).filter(|layer| !needed.contains(layer)) {
                solved[layer] = None;
            }
            for layer in needed {
                if solved[layer].is_none() {
                    solved[layer] = Some(load(layer)?.into_iter().map(Into::into).collect());
                }
            }
            Group::<E>::new(&places, group.clone(), &solved).solve(progress)?
        };
        for (layer, codes) in group.clone().zip(of_group).rev() {
            keeper.write(&|visit: &mut Pieces| pieces::<E>(&places, layer, &codes, visit))?;
            solved[layer] = Some(codes).filter(|_| !has_pushes);
        }
        keeper.layer((count - group.start) as u64)?;
    }
    Ok(())
}

/// The layers after a group to which its moves lead.
fn layers_needed(game: &Game, group: &Range<usize>) -> BTreeSet<usize> {
    let after = group.clone().flat_map(|layer| layers_after(game, layer));
    after.filter(|&layer| layer >= group.end).collect()
}

/// Reads a layer back that was solved as number `number`.
fn restore<E: Entry>(
    places: &Places,
    layer: usize,
    number: u64,
    keeper: &mut dyn Keeper,
) -> Result<Vec<E>, SolveError> {
    let mut codes = filled(places.layer(layer).entries(), E::default());
    let next = keeper.solved_layer(number)?;
    let mut next = next.ok_or_else(|| io::Error::other("solved layers cannot be read back"))?;
    E::fill(&mut codes, |into| next(into))?;
    Ok(codes)
}

/// Number of entries that are written at once.
const CHUNK: usize = 1 << 20;

/// Visits the bytes of the rows of a layer, and counts them.
fn pieces<E: Entry>(
    places: &Places,
    layer: usize,
    codes: &[E::Shared],
    visit: &mut Pieces,
) -> Result<Counted, SolveError> {
    let mut counted = Counted::default();
    let (grid, columns) = (places.layer(layer), places.layer(layer).columns);
    let rows_at_once = CHUNK / columns.max(1) + 1;
    for (part, entries) in codes.chunks(rows_at_once * columns.max(1)).enumerate() {
        let first = part * rows_at_once;
        let codes: Vec<E> = entries.iter().map(Shared::get).collect();
        let rows = CountedRows {
            columns,
            length: &|row| places.length(grid, first + row),
            position: &|row, column| places.position(grid, first + row, column),
        };
        census::count(&rows, &codes, &mut counted);
        visit(&E::bytes(&codes))?;
    }
    Ok(counted)
}

/// Bytes of memory that solving takes, in addition to the folded sets.
pub(crate) fn memory(layout: &Layout) -> u64 {
    let game = layout.game();
    let of_group = match pushes::are_moves(game) {
        true => pushes::memory,
        false => group_memory,
    };
    let group = groups(game).into_iter().map(|group| of_group(layout, group)).max().unwrap_or(0);
    let rows: u64 = layout.header().maps.iter().map(|map| map.rows * 24).sum();
    let largest = layout.header().layers.iter().map(LayerSection::entries).max().unwrap_or(0);
    let width = u64::from(layout.header().encoding.bits() / 8);
    // One chunk of rows is copied as it is written.
    let chunk = largest.min(CHUNK as u64) * width;
    group + rows + Turns::memory(layout) + numbered_memory(game) + chunk
}

/// Bytes of memory that a group takes in a game without pushes.
fn group_memory(layout: &Layout, group: Range<usize>) -> u64 {
    let header = layout.header();
    let width = u64::from(header.encoding.bits() / 8);
    let entries = |layer: usize| header.layers[layer].entries();
    // While moves stay in a group, each entry has a count of them, and may have the code of a child outside.
    let (game, graph) = (layout.game(), layout.game().graph());
    let is_aged = |oldest| graph.phases.iter().flatten().any(|step| step.oldest == Some(oldest));
    let has_outside = !is_aged(Oldest::First) && !is_aged(Oldest::BeforeLines);
    let of_entry = 2 + if has_outside { width } else { 0 };
    let of_layer = |layer: usize| {
        let count = entries(layer);
        // Draws that end have a bit that says whether they are sent, and blocks of entries have flags.
        let of_block = 2 + if has_outside { 8 } else { 0 };
        let flags = count / 8 + count * of_block / BLOCK as u64;
        let inside = if game.is_cyclic(layer) { count * of_entry + flags } else { 0 };
        count * width + inside + header.layers[layer].rows * 48
    };
    let needed = layers_needed(game, &group).into_iter();
    needed.map(|layer| entries(layer) * width).sum::<u64>() + group.map(of_layer).sum::<u64>()
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
