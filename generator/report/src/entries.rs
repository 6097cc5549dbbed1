//! Lists every valid entry or arrangement of a table as a position with its score, layer by layer in the order of play.

use morpion_games::catalogue::Table;
use morpion_games::rows::{Row, rows};
use morpion_lookup::raw::{Arrangements, Position};
use morpion_lookup::{ProbeError, Score, Side};
use std::iter::once;

/// One entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The position. In an entry of the table, the mover's set is the representative of the row's orbit.
    pub position: Position,
    /// The side to move; X if the table does not distinguish the colours.
    pub side: Side,
    /// Score of the position for the side to move.
    pub score: Score,
    /// Number of arrangements that the entry represents: the length of the row's orbit.
    pub arrangements: u64,
}

/// Iterator over entries.
type Entries<'t> = Box<dyn Iterator<Item = Result<Entry, ProbeError>> + 't>;

/// All valid arrangements, by the mover's set, then by the waiter's. Each is an [`Entry`] of one arrangement.
pub fn arrangements(table: &Table) -> Entries<'_> {
    Box::new(table.raw().header().layers.iter().flat_map(move |layer| {
        let all = Arrangements::new(table.game().board(), layer.counts);
        (0..all.count()).filter_map(move |number| {
            let position = all.position(number);
            let row = Row { representative: position.mover, orbit: 1 };
            let place = table.raw().place(position);
            place.and_then(|place| entry(table, place, row, position.waiter)).transpose()
        })
    }))
}

/// All valid entries, by key. Entries whose mover already owns a line are invalid.
///
/// The iterator is boxed, so that its loops are compiled only once.
pub fn entries(table: &Table) -> Entries<'_> {
    Box::new((0..table.raw().header().layers.len()).flat_map(move |index| in_layer(table, index)))
}

fn in_layer(table: &Table, index: usize) -> Entries<'_> {
    let counts = table.raw().header().layers[index].counts;
    match rows(table, counts.mover) {
        Ok(rows) => Box::new((0..).zip(rows).flat_map(move |(number, row)| {
            let waiters =
                Arrangements::new(table.game().board(), counts).waiters(row.representative);
            (0..).zip(waiters).filter_map(move |(column, waiter)| {
                entry(table, (index, number, column), row, waiter).transpose()
            })
        })),
        Err(error) => Box::new(once(Err(error))),
    }
}

/// Reads the entry at a layer, row and column; `None` if it is invalid.
fn entry(
    table: &Table,
    (index, number, column): (usize, u64, u64),
    row: Row,
    waiter: u64,
) -> Result<Option<Entry>, ProbeError> {
    let code = table.raw().code(index, number, column)?;
    let Some(score) = table.raw().header().encoding.decode(code) else { return Ok(None) };
    let position = Position { mover: row.representative, waiter };
    let side = table.game().side_to_move(position).unwrap_or(Side::X);
    Ok(Some(Entry { position, side, score, arrangements: row.orbit }))
}
