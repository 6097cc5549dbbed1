//! Solves games whose moves change more than the mover's set: lines that take, pushes ([`pushes`]), pieces that age.
//!
//! The layers are solved in *groups* ([`mod@morpion_reach::groups`]), the last one first. While a group is solved, the layers to which its
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
//! An entry depends only on the passes before it, so tables are equal for any number of threads, and for any team: each member works on
//! some rows of counts, and has all codes ([`sharing`]).

mod group;
mod moves;
mod parents;
mod passes;
mod places;
pub(crate) mod pushes;
mod row;
mod sharing;

use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::census::{self, Counted, CountedRows};
use crate::solve::entry::{Codes, Entry, Shared};
use crate::solve::exchange::Team;
use crate::solve::groups::group::{Group, may_leave};
use crate::solve::groups::places::{Places, Turns, numbered_memory};
use crate::solve::groups::pushes::Pushes;
use crate::solve::groups::sharing::{BLOCK, Sharing};
use crate::solve::keeper::Keeper;
use crate::solve::needs::Needs;
use crate::solve::sink::Pieces;
use morpion_lookup::Game;
use morpion_lookup::raw::LayerSection;
use morpion_machine::array::Array;
use morpion_machine::progress::Progress;
use morpion_reach::groups::{groups, layers_after};
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::ops::Range;
use std::path::Path;

/// Solves the remaining layers with a team, and writes them to `keeper`. Large arrays are in memory, or in files in `folder`. The members
/// solve a group together, unless pieces are pushed: then each one solves it alone.
///
/// # Errors
/// If a distance does not fit the entries, the observer requests a stop, another member is lost, or files cannot be read or written.
pub(crate) fn solve<E: Entry>(
    sets: &FoldedSets,
    folder: Option<&Path>,
    team: &mut dyn Team,
    keeper: &mut dyn Keeper,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    if pushes::are_moves(sets.game()) {
        pushes::check_size(sets.game())?;
    }
    let places = Places::new(sets);
    let mut remaining = Remaining::new(&places, folder, team, keeper, progress)?;
    remaining.solve::<E>()
}

/// The groups that are not solved yet.
struct Remaining<'r> {
    places: &'r Places<'r>,
    /// The next group first.
    groups: VecDeque<Range<usize>>,
    /// Number of layers that this member of the team had written before.
    own: u64,
    folder: Option<&'r Path>,
    sharing: Sharing<'r>,
    keeper: &'r mut dyn Keeper,
    progress: &'r dyn Progress,
}

impl<'r> Remaining<'r> {
    fn new(
        places: &'r Places<'r>,
        folder: Option<&'r Path>,
        team: &'r mut dyn Team,
        keeper: &'r mut dyn Keeper,
        progress: &'r dyn Progress,
    ) -> Result<Remaining<'r>, SolveError> {
        let mut sharing = Sharing::new(team)?;
        let own = keeper.done().layers;
        // The members resume together. One that was ahead has written some layers before.
        let end = places.game().graph().layers.len() - sharing.least(own)? as usize;
        progress.whole((0..end).map(|layer| places.layer(layer).entries() as u64).sum());
        let groups = groups(places.game()).into_iter().rev().filter(|group| group.end <= end);
        Ok(Remaining { places, groups: groups.collect(), own, folder, sharing, keeper, progress })
    }

    /// Solves the groups with entries of a type. After an error, those that are not written remain.
    fn solve<E: Entry>(&mut self) -> Result<(), SolveError> {
        let (game, graph) = (self.places.game(), self.places.game().graph());
        let mut solved: Vec<Option<Codes<E>>> =
            std::iter::repeat_with(|| None).take(graph.layers.len()).collect();
        while let Some(group) = self.groups.front().cloned() {
            let entries = |layer: usize| self.places.layer(layer).entries() as u64;
            let counts = graph.layers[group.start].counts;
            self.progress.layer(counts, group.clone().map(entries).sum());
            let has_pushes = pushes::are_moves(game);
            let of_group = match has_pushes {
                true => self.solve_pushes::<E>(&group)?,
                false => self.solve_group::<E>(&group, &mut solved)?,
            };
            self.write::<E>(&group, &of_group)?;
            if !has_pushes {
                group.zip(of_group).for_each(|(layer, codes)| solved[layer] = Some(codes));
            }
            self.groups.pop_front();
        }
        Ok(())
    }

    /// Solves a group of a game that pushes, which reads the layers after it by itself.
    fn solve_pushes<E: Entry>(
        &mut self,
        group: &Range<usize>,
    ) -> Result<Vec<Codes<E>>, SolveError> {
        let pushes = Pushes::<E>::new(self.places, group.clone(), self.folder)?;
        let progress = self.progress;
        pushes.solve(&mut |layer| self.restore(layer), progress)
    }

    /// Solves a group of another game. Keeps the layers in `solved` to which its moves lead.
    fn solve_group<E: Entry>(
        &mut self,
        group: &Range<usize>,
        solved: &mut [Option<Codes<E>>],
    ) -> Result<Vec<Codes<E>>, SolveError> {
        let needed = layers_needed(self.places.game(), group);
        for layer in (0..solved.len()).filter(|layer| !needed.contains(layer)) {
            solved[layer] = None;
        }
        for layer in needed {
            if solved[layer].is_none() {
                solved[layer] = Some(self.restore::<E>(layer)?.share());
            }
        }
        let rows = self.sharing.rows;
        Group::<E>::new(self.places, group.clone(), solved, self.folder, rows)?
            .solve(&mut self.sharing, self.progress)
    }

    /// Writes the layers of a group, the last one first, unless this member of the team has written them before.
    fn write<E: Entry>(
        &mut self,
        group: &Range<usize>,
        codes: &[Codes<E>],
    ) -> Result<(), SolveError> {
        let places = self.places;
        let number = (places.game().graph().layers.len() - group.start) as u64;
        if number <= self.own {
            return Ok(());
        }
        for (layer, codes) in group.clone().zip(codes).rev() {
            self.keeper.write(&|visit: &mut Pieces| pieces::<E>(places, layer, codes, visit))?;
        }
        self.keeper.layer(number)
    }

    /// Reads a solved layer back.
    fn restore<E: Entry>(&mut self, layer: usize) -> Result<Array<E>, SolveError> {
        let places = self.places;
        let mut codes = Array::filled(self.folder, places.layer(layer).entries(), E::default())?;
        let number = places.game().graph().layers.len() - layer;
        let next = self.keeper.solved_layer(number as u64)?;
        let mut next = next.ok_or_else(|| io::Error::other("solved layers cannot be read back"))?;
        for codes in codes.chunks_mut(READ) {
            E::fill(codes, |into| next(into))
                .map_err(|error| error.downcast().unwrap_or_else(SolveError::Io))?;
        }
        Ok(codes)
    }
}

/// The layers after a group to which its moves lead.
fn layers_needed(game: &Game, group: &Range<usize>) -> BTreeSet<usize> {
    let after = group.clone().flat_map(|layer| layers_after(game, layer));
    after.filter(|&layer| layer >= group.end).collect()
}

/// Number of entries that are read back at once: many frames, so that each thread unpacks some.
const READ: usize = 1 << 22;

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

/// Memory that solving takes, in addition to the folded sets. If a distance needs entries of two bytes in memory, it is up to twice as much.
pub(crate) fn memory(layout: &Layout) -> Needs {
    let (game, header) = (layout.game(), layout.header());
    let of_group = match pushes::are_moves(game) {
        true => pushes::memory,
        false => group_memory,
    };
    let of_groups = groups(game).into_iter().map(|group| of_group(layout, group));
    let most = of_groups.reduce(|[rows, shared], [more_rows, more_shared]| {
        [rows.max(more_rows), shared.max(more_shared)]
    });
    let [rows, shared] = most.unwrap_or_default();
    let numbers: u64 = header.maps.iter().map(|map| map.rows * 2).sum();
    let largest = header.layers.iter().map(LayerSection::entries).max().unwrap_or(0);
    let width = u64::from(header.encoding.bits() / 8);
    // One chunk of rows is copied as it is written.
    let chunk = largest.min(CHUNK as u64) * width;
    let columns = header.layers.iter().map(|layer| layer.columns).max().unwrap_or(0);
    Needs {
        shared: shared + numbers + Turns::memory(layout) + numbered_memory(game) + chunk,
        // A count and a code of each column.
        own: columns * 3,
        rows,
    }
}

/// Bytes of memory that the arrays of a group take in a game without pushes if its entries take one byte, and that all else takes.
fn group_memory(layout: &Layout, group: Range<usize>) -> [u64; 2] {
    let header = layout.header();
    let entries = |layer: usize| header.layers[layer].entries();
    // While moves stay in a group, each entry has a count of them, and may have the code of a child outside.
    let (game, may_leave) = (layout.game(), may_leave(layout.game()));
    let of_entry = 2 + u64::from(may_leave);
    let of_layer = |layer: usize| {
        let count = entries(layer);
        // Draws that end have a bit that says whether they are sent, and blocks of entries have flags.
        let of_block = 2 + if may_leave { 8 } else { 0 };
        let flags = count / 8 + count * of_block / BLOCK as u64;
        count + if game.is_cyclic(layer) { count * of_entry + flags } else { 0 }
    };
    let needed = layers_needed(game, &group).into_iter();
    let rows = needed.map(entries).sum::<u64>();
    let shared = group.clone().map(|layer| header.layers[layer].rows * 8).sum();
    [rows + group.map(of_layer).sum::<u64>(), shared]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::sink::TableSink;
    use crate::build::table::solve_as;
    use crate::solve::exchange::Threads;
    use morpion_games::catalogue::{standard, standard_game};
    use morpion_lookup::Table;
    use morpion_lookup::raw::Encoding;
    use morpion_machine::progress::Unobserved;

    #[test]
    fn plain_games_have_the_same_table() {
        for game in standard() {
            let name = game.name().to_owned();
            let layout = Layout::new(&game, Some(Encoding::Plies8), &Unobserved).unwrap();
            if !game.is_plain() || layout.entries() > 2_000_000 {
                continue;
            }
            let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
            let mut sink = TableSink::begin(Vec::new(), &layout, &sets).unwrap();
            let mut team = Threads::in_memory();
            solve::<u8>(&sets, None, &mut team, &mut sink, &Unobserved).unwrap();
            let expected = solve_as(&game, Encoding::Plies8, &Unobserved).unwrap();
            assert!(sink.finish().unwrap() == expected, "{name}");
        }
    }

    #[test]
    fn tables_of_groups_in_files_have_the_same_bytes() {
        let (folder, mut compared) = (tempfile::tempdir().unwrap(), Vec::new());
        for game in standard().filter(|game| !game.is_plain()) {
            let layout = Layout::new(&game, Some(Encoding::Plies8), &Unobserved).unwrap();
            if layout.entries() > 6_000_000 {
                continue;
            }
            let expected = match solve_as(&game, Encoding::Plies8, &Unobserved) {
                Err(SolveError::TooDeep) => continue,
                solved => solved.unwrap(),
            };
            let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
            let mut sink = TableSink::begin(Vec::new(), &layout, &sets).unwrap();
            let mut team = Threads::in_memory();
            solve::<u8>(&sets, Some(folder.path()), &mut team, &mut sink, &Unobserved).unwrap();
            assert!(sink.finish().unwrap() == expected, "{}", game.name());
            compared.push(game.name().to_owned());
        }
        for name in ["disappearing", "quixo4", "five-mens-morris"] {
            assert!(compared.iter().any(|other| other == name), "{name} {compared:?}");
        }
    }

    #[test]
    fn wide_entries_have_the_same_scores() {
        for name in ["quixo3", "quixo4", "five-mens-morris", "disappearing"] {
            let game = standard_game(name).unwrap();
            let [narrow, wide] = [Encoding::Plies8, Encoding::Plies16].map(|encoding| {
                let bytes = solve_as(&game, encoding, &Unobserved).unwrap();
                Table::from_source(bytes).unwrap()
            });
            let raw = [narrow.raw(), wide.raw()];
            for (layer, section) in raw[0].header().layers.iter().enumerate() {
                for entry in 0..section.entries() {
                    let (row, column) = (entry / section.columns, entry % section.columns);
                    let [narrow, wide] = raw.each_ref().map(|raw| {
                        raw.header().encoding.decode(raw.code(layer, row, column).unwrap())
                    });
                    assert_eq!(narrow, wide, "{name}: layer {layer}, entry {entry}");
                }
            }
        }
    }
}
