//! The key, proved: the symmetries are a group that keeps the rules, and every map is what the format says.

use super::collect::Place;
use morpion_lookup::rank::{compress, expand, rank, subsets, unrank};
use morpion_lookup::{Game, Permutation, Position, Table};
use rayon::prelude::*;
use std::collections::HashSet;

/// The part of a table that is wrong, what was found, what was expected.
pub(super) type PartFault = (&'static str, String, String);

/// A table whose keys can be relied on.
pub(super) struct Keys<'t> {
    pub table: &'t Table,
    /// By size of set, the representative of each row; empty for sizes that no mover has.
    representatives: Vec<Vec<u64>>,
}

impl<'t> Keys<'t> {
    /// Proves the symmetries and the maps.
    pub fn new(table: &'t Table) -> Result<Keys<'t>, PartFault> {
        check_group(table.game(), &table.header().symmetries)?;
        let mut representatives = vec![Vec::new(); usize::from(table.game().cells()) + 1];
        for map in &table.header().maps {
            representatives[usize::from(map.size)] = rows(table, map.size, map.rows as usize)?;
        }
        Ok(Keys { table, representatives })
    }

    /// The representatives of the sets of this size, by row.
    pub fn representatives(&self, size: u8) -> &[u64] {
        &self.representatives[usize::from(size)]
    }

    /// Where the entry of a position of layer `index` stands.
    #[inline]
    pub fn place(&self, index: usize, position: Position) -> (u64, u64) {
        let (row, symmetry) = self
            .table
            .map_entry(position.mover.count_ones() as u8, rank(position.mover))
            .unwrap_or_default();
        let symmetry = &self.table.header().symmetries[symmetry as usize];
        let mover = self.representatives(self.table.layers()[index].mover)[row as usize];
        (row, self.column(mover, symmetry.apply(position.waiter)))
    }

    /// The column of the waiter's set in the row of a representative.
    #[inline]
    pub fn column(&self, mover: u64, waiter: u64) -> u64 {
        rank(compress(waiter, self.table.game().board() & !mover))
    }

    /// The code of an entry. Where its bytes lie follows from the header, which was checked on opening.
    #[inline]
    pub fn code(&self, (index, row, column): Place) -> u16 {
        self.table.code(index, row, column).unwrap_or_else(|_| self.table.header().encoding.none())
    }

    /// The position of an entry.
    pub fn position(&self, (index, row, column): Place) -> Position {
        let layer = &self.table.layers()[index];
        let mover = self.representatives(layer.mover)[row as usize];
        let left = self.table.game().board() & !mover;
        Position { mover, waiter: expand(unrank(u32::from(layer.waiter), column), left) }
    }

    /// The symmetries that keep a set, without the identity.
    pub fn stabiliser(&self, set: u64) -> Vec<&Permutation> {
        let others = &self.table.header().symmetries[1..];
        others.iter().filter(|symmetry| symmetry.apply(set) == set).collect()
    }
}

/// Whether the symmetries keep lines, links and restricted cells, and are closed.
fn check_group(game: &Game, symmetries: &[Permutation]) -> Result<(), PartFault> {
    let lines: HashSet<u64> = game.rules().lines.iter().copied().collect();
    let restricted = game.rules().opening.map_or(0, |opening| opening.forbidden);
    let keeps = |symmetry: &Permutation| {
        lines.iter().all(|&line| lines.contains(&symmetry.apply(line)))
            && symmetry.apply(restricted) == restricted
            && (0..game.cells()).all(|cell| {
                game.neighbours(symmetry.image(cell)) == symmetry.apply(game.neighbours(cell))
            })
    };
    if let Some(at) = symmetries.iter().position(|symmetry| !keeps(symmetry)) {
        let found = format!("symmetry {at} does not keep the rules");
        return Err(("symmetries", found, "lines onto lines, links onto links".into()));
    }
    let known: HashSet<&Permutation> = symmetries.iter().collect();
    let closed = symmetries.par_iter().all(|a| {
        symmetries.iter().all(|b| {
            let images: Vec<u8> = (0..game.cells()).map(|cell| b.image(a.image(cell))).collect();
            Permutation::new(&images).is_some_and(|product| known.contains(&product))
        })
    });
    if closed {
        Ok(())
    } else {
        Err(("symmetries", "two whose product is not there".into(), "a group".into()))
    }
}

/// Proves the map of one size and gives the representatives: every set is taken to that of its row by the symmetry that
/// the map names; each is the least of its orbit, they ascend, and their orbits lie in their own rows.
fn rows(table: &Table, size: u8, count: usize) -> Result<Vec<u64>, PartFault> {
    let symmetries = &table.header().symmetries;
    let fault = |set: u64, expected: &str| {
        let cells = table.game().format_cells(set);
        Err(("maps", format!("{cells:?}: another row or symmetry"), expected.into()))
    };
    let entry = |set: u64| table.map_entry(size, rank(set)).unwrap_or((u64::MAX, u32::MAX));
    let mut representatives = vec![None; count];
    for set in subsets(u32::from(table.game().cells()), u32::from(size)) {
        let (row, symmetry) = entry(set);
        let Some(image) = symmetries.get(symmetry as usize).map(|symmetry| symmetry.apply(set))
        else {
            return fault(set, "a symmetry that is there");
        };
        match representatives.get_mut(row as usize) {
            None => return fault(set, "a row that is there"),
            Some(known) => {
                // In ascending order the first set of a row is its least one.
                if *known.get_or_insert(set) != image {
                    return fault(set, "the symmetry that takes it to the least set of its row");
                }
            }
        }
    }
    let representatives: Vec<u64> = representatives.iter().flatten().copied().collect();
    if representatives.len() != count || !representatives.is_sorted() {
        let found = format!("{} rows of sets of {size}", representatives.len());
        return Err(("maps", found, format!("{count} rows, ascending by their least set")));
    }
    let strays = (0..count).into_par_iter().find_map_first(|row| {
        let images = symmetries.iter().map(|symmetry| symmetry.apply(representatives[row]));
        images.into_iter().find(|&image| entry(image).0 != row as u64)
    });
    strays.map_or(Ok(representatives), |set| fault(set, "the row of its orbit"))
}
