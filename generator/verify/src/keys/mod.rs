//! Proves that entries are where readers look for them: the symmetries are the group named in the header, and every map obeys the format.
//!
//! Rows and columns are computed here from the bytes of the maps and from the definitions of ranks and orders, not by
//! [`morpion_lookup::raw::Raw::place`] or `morpion_lookup::raw::Arrangements`, because the proof uses code of its own.
//!
//! [`Keys`] has the rows of a table and finds the place of every position, for the other checks. [`Unproved`] has the first fault.

mod cosets;

use crate::fault::{Fault, Unfinished};
use crate::turns::{Pieces, Push, Sides, Turns, orders};
use cosets::Cosets;
use morpion_core::{
    Counts, Damage, Effect, Game, Group, Permutation, Position, ProbeError, Score, Step,
    rank::{cells, expand, rank, subsets, unrank},
    symmetry_bits,
};
use morpion_games::catalogue::Table;
use morpion_games::symmetry::group::{group, product};
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use morpion_machine::unpacker::bytes;
use std::borrow::Cow;
use std::collections::HashSet;

/// The place of an entry: layer in the order of play, row, column.
pub(super) type EntryIndex = (usize, u64, u64);

/// Reason why the places of entries are not proved.
pub(super) enum Unproved {
    Fault(Fault),
    Unfinished(Unfinished),
}

impl<E: Into<Unfinished>> From<E> for Unproved {
    fn from(error: E) -> Unproved {
        Unproved::Unfinished(error.into())
    }
}

/// A table with proved symmetries and maps.
pub(super) struct Keys<'t> {
    pub table: &'t Table,
    /// The map and the rows for each size of the mover's set; empty for sizes without a map.
    maps: Vec<(Cow<'t, [u8]>, Vec<Row>)>,
    pub cosets: Cosets,
    /// The moves of the game.
    pub turns: Turns,
    /// Number of orders of the pieces of a side, by the number of pieces; 1 if pieces do not age.
    orders: Vec<u64>,
    symmetry_bits: u32,
}

/// One row of the table: an orbit of sets.
#[derive(Clone, Copy, Default)]
pub(super) struct Row {
    /// The least set of the orbit.
    pub representative: u64,
    /// Length of the orbit: the number of arrangements for which each entry of the row stands.
    pub orbit: u64,
    /// Number of the representative's stabiliser.
    pub stabiliser: u32,
}

/// The map of the sets of one size.
#[derive(Clone, Copy)]
pub(super) struct Map<'k> {
    bytes: &'k [u8],
    symmetry_bits: u32,
}

impl Map<'_> {
    /// The row and the symmetry of the set with this rank.
    #[inline(always)]
    pub fn entry(self, rank: u64) -> (u64, u32) {
        let entry = self.bytes.as_chunks().0.get(rank as usize);
        let entry = entry.copied().map_or(u32::MAX, u32::from_le_bytes);
        let bits = self.symmetry_bits;
        (u64::from(entry >> bits), entry & ((1 << bits) - 1))
    }
}

impl MoverRow<'_> {
    /// The number of a cell's image among the cells outside the representative.
    pub fn number(&self, cell: u8) -> u32 {
        (self.left & ((1 << self.symmetry.images()[usize::from(cell)]) - 1)).count_ones()
    }
}

/// The row of the mover's pieces, and the symmetry that takes their set to the representative.
#[derive(Clone, Copy)]
pub(super) struct MoverRow<'k> {
    pub set: u64,
    pub row: u64,
    symmetry: &'k Permutation,
    /// The cells outside the representative.
    left: u64,
}

impl<'t> Keys<'t> {
    /// Proves the symmetries and the maps.
    pub fn new(table: &'t Table, progress: &dyn Progress) -> Result<Keys<'t>, Unproved> {
        let header = table.raw().header();
        check_symmetries(table.game(), &header.symmetries)?;
        check_group(table, progress)?;
        let cells = table.game().cells();
        let sizes = 0..=u32::from(cells);
        let turns = Turns::new(table.game());
        let mut keys = Keys {
            table,
            maps: sizes.clone().map(|_| Default::default()).collect(),
            cosets: Cosets::new(&header.symmetries),
            orders: sizes.map(|size| if turns.has_ages { orders(size) } else { 1 }).collect(),
            turns,
            symmetry_bits: symmetry_bits(header.symmetries.len()),
        };
        for map in &header.maps {
            let range = map.range(cells);
            keys.maps[usize::from(map.size)].0 =
                bytes(table.source(), range.start, range.end - range.start)?;
            keys.add_rows(map.size, map.rows as usize, progress)?;
        }
        Ok(keys)
    }

    /// The layer with the children of layer `index`; `None` if all positions of layer `index` are finished.
    pub fn children_of(&self, index: usize) -> Option<usize> {
        self.table.game().graph().layers[index].next.map(usize::from)
    }

    /// The map of the sets of this size.
    pub fn map(&self, size: u8) -> Map<'_> {
        Map { bytes: &self.maps[usize::from(size)].0, symmetry_bits: self.symmetry_bits }
    }

    /// The rows of the sets of this size.
    pub fn rows(&self, size: u8) -> &[Row] {
        &self.maps[usize::from(size)].1
    }

    /// The row of a mover's pieces; `None` if the table has no map for this number of pieces.
    pub fn row_of(&self, pieces: &Pieces) -> Option<MoverRow<'_>> {
        let (set, size) = (pieces.set, pieces.set.count_ones() as u8);
        let (row, symmetry) = self.map(size).entry(rank(set));
        let representative = self.rows(size).get(row as usize)?.representative;
        let symmetry = &self.table.raw().header().symmetries[symmetry as usize];
        let left = self.table.game().board() & !representative;
        let row = match self.turns.has_ages {
            true => row * self.orders(size) + pieces.order(|cell| symmetry.image(cell)),
            false => row,
        };
        Some(MoverRow { set, row, symmetry, left })
    }

    /// The column of a position in the row of its mover.
    fn column(&self, row: &MoverRow, waiter: &Pieces) -> u64 {
        let images = row.symmetry.images();
        let image = |cell: u8| images[usize::from(cell)];
        let column = rank(cells(waiter.set).fold(0, |set, cell| set | 1 << row.number(cell)));
        match self.turns.has_ages {
            true => column * self.orders(waiter.set.count_ones() as u8) + waiter.order(image),
            false => column,
        }
    }

    /// The place of a child in a layer, or its score if the layer has no entries because the game is over. `layer` is `None` if the graph does
    /// not have the layer. `known` is the row of the parent's waiter, who is the mover of the child. It is used
    /// if the turn has not changed the waiter's set. If pieces age, no turn changes it.
    pub fn find(
        &self,
        layer: Option<usize>,
        sides: &Sides,
        known: &Option<MoverRow>,
    ) -> Result<Result<EntryIndex, Score>, ProbeError> {
        let layer = layer.ok_or(Damage::Layer)?;
        if self.table.game().graph().layers[layer].ended {
            let score = self.turns.finished(layer, sides);
            return score.map(Err).ok_or(ProbeError::Damaged(Damage::Layer));
        }
        let row = match known {
            Some(known) if sides.mover.set == known.set => Some(*known),
            _ => self.row_of(&sides.mover),
        };
        let row = row.ok_or(Damage::Map)?;
        Ok(Ok((layer, row.row, self.column(&row, &sides.waiter))))
    }

    /// The mover's pieces in a row of layer `index`.
    pub fn mover(&self, index: usize, row: u64) -> Pieces {
        let size = self.counts(index).mover;
        let orders = self.orders(size);
        self.pieces(self.rows(size)[(row / orders) as usize].representative, row % orders)
    }

    /// The pieces on a set of cells, in the order with this number.
    pub fn pieces(&self, set: u64, order: u64) -> Pieces {
        if self.turns.has_ages { Pieces::in_order(set, order) } else { Pieces::of(set) }
    }

    /// The pieces of both sides in the position of an entry.
    pub fn sides(&self, (index, row, column): EntryIndex) -> Sides {
        let (mover, size) = (self.mover(index, row), self.counts(index).waiter);
        let left = self.table.game().board() & !mover.set;
        let orders = self.orders(size);
        let waiter = expand(unrank(size.into(), column / orders), left);
        Sides { mover, waiter: self.pieces(waiter, column % orders) }
    }

    /// The position of an entry.
    pub fn position(&self, entry: EntryIndex) -> Position {
        let hands = self.table.game().graph().layers[entry.0].hands;
        let Sides { mover, waiter } = self.sides(entry);
        let mover = self.turns.word(&mover, hands.mover);
        Position { mover, waiter: self.turns.word(&waiter, hands.waiter) }
    }

    fn counts(&self, index: usize) -> Counts {
        self.table.raw().header().layers[index].counts
    }

    /// Number of arrangements that share an entry in row `row` of layer `index`.
    pub fn orbit(&self, index: usize, row: u64) -> u64 {
        let size = self.counts(index).mover;
        self.rows(size)[(row / self.orders(size)) as usize].orbit
    }

    /// Number of orders of `size` pieces of a side; 1 if pieces do not age.
    pub fn orders(&self, size: u8) -> u64 {
        self.orders[usize::from(size)]
    }

    /// Proves the map of one size and adds its rows, which [`morpion_games::rows::rows`] reads without proof. Proved are three facts: the
    /// symmetry in the map is the first that takes a set to the representative of its row; each row is one orbit, and its representative is
    /// the least set; the representatives ascend.
    fn add_rows(
        &mut self,
        size: u8,
        count: usize,
        progress: &dyn Progress,
    ) -> Result<(), Unproved> {
        let table = self.table;
        let symmetries = &table.raw().header().symmetries;
        let bytes = &self.maps[usize::from(size)].0;
        let map = Map { bytes, symmetry_bits: self.symmetry_bits };
        let mut rows = vec![Row::default(); count];
        let sets = subsets(u32::from(table.game().cells()), u32::from(size));
        for (set, number) in sets.zip(0..) {
            if number % (1 << 16) == 0 {
                progress.check()?;
            }
            let (row, symmetry) = map.entry(number);
            let Some(image) = symmetries.get(symmetry as usize).map(|symmetry| symmetry.apply(set))
            else {
                return wrong_map(table, set, "a symmetry that is there");
            };
            let Some(row) = rows.get_mut(row as usize) else {
                return wrong_map(table, set, "a row that is there");
            };
            // Sets are visited in ascending order, so the first set of a row is the least.
            if row.orbit == 0 {
                row.representative = set;
                row.stabiliser = self.cosets.stabiliser_of(set);
            }
            row.orbit += 1;
            if row.representative != image {
                let expected = "the symmetry that takes it to the least set of its row";
                return wrong_map(table, set, expected);
            }
            let leading = self.cosets.of_coset(self.cosets.coset(row.stabiliser, symmetry));
            if leading.first().is_some_and(|&first| u32::from(first) < symmetry) {
                return wrong_map(table, set, "the first symmetry that leads there");
            }
        }
        let used = rows.iter().filter(|row| row.orbit > 0).count();
        if used != count || !rows.is_sorted_by_key(|row| row.representative) {
            let found = format!("{used} rows of sets of {size}");
            return unproved("maps", found, format!("{count} rows, ascending by their least set"));
        }
        // The sets of a row lie in the orbit of its representative. They are the whole orbit if their number is the length of the orbit.
        let is_part = |row: &&Row| {
            let stabiliser = self.cosets.elements(row.stabiliser).count() as u64;
            row.orbit * stabiliser != symmetries.len() as u64
        };
        if let Some(row) = rows.iter().find(is_part) {
            return wrong_map(table, row.representative, "one row for all images");
        }
        self.maps[usize::from(size)].1 = rows;
        Ok(())
    }
}

fn wrong_map<T>(table: &Table, set: u64, expected: &str) -> Result<T, Unproved> {
    let cells = table.game().format_cells(set);
    unproved("maps", format!("{cells:?}: another row or symmetry"), expected)
}

fn unproved<T>(
    part: &str,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> Result<T, Unproved> {
    Err(Unproved::Fault(Fault::of_part(part, found, expected)))
}

/// The image of a step under a symmetry: the same kind of move on the images of its cells.
fn image_of(step: &Step, symmetry: &Permutation) -> Step {
    Step {
        from: step.from.map(|from| symmetry.image(from)),
        to: symmetry.apply(step.to),
        condition: step.condition.map(|set| symmetry.apply(set)),
        effect: match step.effect {
            Effect::Push { path } => Effect::Push { path: symmetry.apply(path) },
            effect @ (Effect::Move | Effect::Replace { .. } | Effect::Pass) => effect,
        },
    }
}

/// Returns true if a symmetry that takes a push to `image` keeps the order of the cells on its path.
fn keeps_order(step: &Step, image: &Step, symmetry: &Permutation) -> bool {
    let [push, image] = [step, image].map(|step| Push::of(step, symmetry.images().len() as u8));
    let before = push.map(|push| product(&push.images, symmetry));
    before == image.map(|image| product(symmetry, &image.images))
}

/// Checks that the symmetries keep lines and steps, and are closed under composition.
fn check_symmetries(game: &Game, symmetries: &[Permutation]) -> Result<(), Unproved> {
    let lines: HashSet<(u64, u64)> = game.lines_with_prolongations().collect();
    let phases = game.graph().phases.iter();
    let phases: Vec<HashSet<&Step>> = phases.map(|steps| steps.iter().collect()).collect();
    let keeps = |symmetry: &Permutation| {
        let line_of = |(line, with)| (symmetry.apply(line), symmetry.apply(with));
        lines.iter().all(|&line| lines.contains(&line_of(line)))
            && phases.iter().all(|steps| {
                steps.iter().all(|step| {
                    let image = image_of(step, symmetry);
                    steps.contains(&image) && keeps_order(step, &image, symmetry)
                })
            })
    };
    if let Some(at) = symmetries.iter().position(|symmetry| !keeps(symmetry)) {
        let found = format!("symmetry {at} does not keep the rules");
        return unproved("symmetries", found, "lines onto lines, moves onto moves");
    }
    let known: HashSet<&Permutation> = symmetries.iter().collect();
    let has_products =
        |a: usize| symmetries.iter().all(|b| known.contains(&product(&symmetries[a], b)));
    if threads::map(symmetries.len(), &has_products).contains(&false) {
        return unproved("symmetries", "two whose product is not there", "a group");
    }
    Ok(())
}

/// Checks that the symmetries are the group by which a table of this game is folded. Searches for this group again, which takes most of the
/// time.
fn check_group(table: &Table, progress: &dyn Progress) -> Result<(), Unproved> {
    let header = table.raw().header();
    let (kind, symmetries) = group(table.game(), progress)?;
    let differs = |at: &usize| header.symmetries.get(*at) != symmetries.get(*at);
    let first = (0..symmetries.len().max(header.symmetries.len())).find(differs);
    if header.group == kind && first.is_none() {
        return Ok(());
    }
    let in_words = |kind: Group, symmetries: &[Permutation]| {
        let first = first.and_then(|at| symmetries.get(at)).map(Permutation::images);
        let first = first.map_or("none".into(), |images| format!("{images:?}"));
        format!("{} of the {}, {first} the first that differs", symmetries.len(), kind.name())
    };
    let found = in_words(header.group, &header.symmetries);
    unproved("symmetries", found, in_words(kind, &symmetries))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_symmetries_that_keep_the_order_of_a_path_keep_a_push() {
        let push = |from: u8, to: u8| Step::push(from, to, 0b1111);
        for (images, is_kept) in [([0, 1, 2, 3], true), ([3, 2, 1, 0], true), ([0, 2, 1, 3], false)]
        {
            let symmetry = Permutation::new(&images).unwrap();
            let image = image_of(&push(0, 3), &symmetry);
            assert_eq!(image, push(images[0], images[3]));
            assert_eq!(keeps_order(&push(0, 3), &image, &symmetry), is_kept, "{images:?}");
        }
    }
}
