//! The census of a table by orbits: positions that symmetries map to each other count once.
//!
//! The number of orbits is the mean, over all symmetries, of the number of arrangements that a symmetry keeps (Burnside's lemma).
//! The identity keeps all arrangements, which the table's own census counts. Other symmetries keep few arrangements, in rows
//! whose sets have symmetries of their own. Only the entries of these rows are read.

use crate::error::ReportError;
use morpion_core::{Census, LayerCensus, Permutation, Position, ProbeError};
use morpion_games::catalogue::Table;
use morpion_games::reach::arrangements::Arrangements;
use morpion_games::rows::{Row, rows};
use morpion_games::symmetry::burnside::cycles;

/// The census of a table in orbits instead of arrangements.
///
/// # Errors
/// If the table cannot be read.
pub fn census(table: &Table) -> Result<Census, ReportError> {
    let (game, header) = (table.game(), table.raw().header());
    let order = header.symmetries.len() as u64;
    let kept: Vec<Kept> =
        header.symmetries.iter().filter_map(|symmetry| Kept::by(symmetry, table)).collect();
    let mut census = table.raw().census()?;
    for (index, layer) in census.layers.iter_mut().enumerate() {
        if game.graph().layers[index].ended {
            continue;
        }
        let all = Arrangements::of_layer(game, index, Position { mover: 0, waiter: 0 });
        for (number, row) in (0..).zip(rows(table, index)?) {
            if row.orbit < order {
                add_row(table, &all, &kept, (number, row), layer)?;
            }
        }
        let LayerCensus { none, wins, losses, draws_end, draws_cycle } = layer;
        let counts = wins.iter_mut().chain(losses).chain([none, draws_end, draws_cycle]);
        counts.for_each(|count| *count /= order);
    }
    Ok(census)
}

/// A symmetry other than the identity, with the sets of cells that it keeps.
struct Kept<'t> {
    symmetry: &'t Permutation,
    /// The cycles of the symmetry: every set that it keeps is a union of cycles.
    cycles: Vec<u64>,
}

impl<'t> Kept<'t> {
    /// The sets that a symmetry keeps; `None` for the identity.
    fn by(symmetry: &'t Permutation, table: &Table) -> Option<Kept<'t>> {
        let mut cycles: Vec<u64> = cycles(symmetry).collect();
        if cycles.iter().all(|cycle| cycle.is_power_of_two()) {
            return None;
        }
        if table.game().has_ages() {
            // Symmetries keep the order of ages, so a kept arrangement has pieces only on cells that the symmetry keeps.
            cycles.retain(|cycle| cycle.is_power_of_two());
        }
        Some(Kept { symmetry, cycles })
    }
}

/// Adds the arrangements of one row that a symmetry keeps, for each symmetry other than the identity.
fn add_row(
    table: &Table,
    all: &Arrangements,
    kept: &[Kept],
    (number, row): (u64, Row),
    layer: &mut LayerCensus,
) -> Result<(), ProbeError> {
    let (game, encoding, index) = (table.game(), table.raw().header().encoding, all.layer());
    let (orders, size) =
        (game.words(index).orders.waiter, game.graph().layers[index].counts.waiter);
    let mover = row.representative;
    for Kept { cycles, .. } in kept.iter().filter(|kept| kept.symmetry.apply(mover) == mover) {
        let left: Vec<u64> = cycles.iter().copied().filter(|cycle| cycle & mover == 0).collect();
        for waiter in unions(&left, size) {
            let first = all.column(Position { mover, waiter });
            for column in first..first + orders {
                let code = table.raw().code(index, number, column)?;
                layer.add(encoding.decode(code), row.orbit);
            }
        }
    }
    Ok(())
}

/// Lists the unions of disjoint `sets` that have `size` cells.
fn unions(sets: &[u64], size: u8) -> Vec<u64> {
    let mut unions = vec![0u64];
    for set in sets {
        let fits = |union: &u64| union.count_ones() + set.count_ones() <= size.into();
        let with: Vec<u64> =
            unions.iter().filter(|union| fits(union)).map(|union| union | set).collect();
        unions.extend(with);
    }
    unions.retain(|union| union.count_ones() == u32::from(size));
    unions
}
