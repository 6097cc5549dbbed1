//! The rows of an open table, each the orbit of a mover's set.
//!
//! Lists for each row of a layer the representative and the length of its orbit. On 3×3 the three rows
//! of single cells are the corners (a1, 4 sets), the sides (b1, 4 sets) and the centre (b2, 1 set).

use crate::catalogue::Table;
use morpion_core::{
    Damage, Position, ProbeError,
    rank::{binomial, subsets},
};

/// One row of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The word of the mover: the least set of the orbit, in one order if pieces age.
    pub representative: u64,
    /// Length of the orbit: the number of arrangements that each entry of the row represents.
    pub orbit: u64,
}

/// The rows of layer number `layer`, according to the table's map. Only the existence of the rows is checked. Reads the map once per
/// set.
///
/// # Errors
/// [`Damage::Map`] if the table has no map of these sets, and [`Damage::Row`] if the map names a row that does not
/// exist.
pub fn rows(table: &Table, layer: usize) -> Result<Vec<Row>, ProbeError> {
    let size = table.raw().header().layers[layer].counts.mover;
    let map = table.raw().header().maps.iter().find(|map| map.size == size);
    let count = map.ok_or(Damage::Map)?.rows;
    let mut rows = vec![Row { representative: 0, orbit: 0 }; count as usize];
    let cells = u32::from(table.game().cells());
    for (set, rank) in subsets(cells, size.into()).zip(0..binomial(cells, size.into())) {
        let (row, _) = table.raw().map_entry(size, rank).ok_or(Damage::Map)?;
        let row = rows.get_mut(row as usize).ok_or(Damage::Row)?;
        // Sets are visited in ascending order, so the first set of a row is the least.
        if row.orbit == 0 {
            row.representative = set;
        }
        row.orbit += 1;
    }
    let words = table.game().words(layer);
    let in_each_order = |row: Row| {
        let cells = Position { mover: row.representative, waiter: 0 };
        let word = move |order| words.position(cells, order, 0).mover;
        (0..words.orders.mover).map(move |order| Row { representative: word(order), ..row })
    };
    Ok(rows.into_iter().flat_map(in_each_order).collect())
}
