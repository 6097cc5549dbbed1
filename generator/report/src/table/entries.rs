//! Lists every valid entry or arrangement of a table as a position with its score, layer by layer in the order of play.

use morpion_core::{Position, ProbeError, Score, Situation};
use morpion_games::catalogue::Table;
use morpion_games::reach::arrangements::{Arrangements, layers};
use morpion_games::rows::rows;
use std::iter::once;

/// One entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The position, with X to move if the table does not distinguish the colours. In an entry of the table, the mover's set is the
    /// representative of the row's orbit.
    pub position: Situation,
    /// Score of the position for the side to move.
    pub score: Score,
    /// Number of arrangements that the entry represents: the length of the row's orbit.
    pub arrangements: u64,
}

/// Iterator over entries.
type Entries<'t> = Box<dyn Iterator<Item = Result<Entry, ProbeError>> + 't>;

/// All valid arrangements, by the mover's set, then by the waiter's. Each is an [`Entry`] of one arrangement.
pub fn arrangements(table: &Table) -> Entries<'_> {
    Box::new(layers(table.game()).flat_map(move |all| {
        (0..all.count() as u64).filter_map(move |number| {
            let position = all.position(number);
            let place = table.raw().place(position);
            place.and_then(|place| entry(table, place, position, 1)).transpose()
        })
    }))
}

/// All valid entries, by key. Entries whose mover already owns a line are invalid.
///
/// The iterator is boxed, so that its loops are compiled only once.
pub fn entries(table: &Table) -> Entries<'_> {
    Box::new(layers(table.game()).flat_map(move |all| in_layer(table, all)))
}

fn in_layer(table: &Table, all: Arrangements) -> Entries<'_> {
    let index = all.layer();
    match rows(table, index) {
        Ok(rows) => Box::new((0..).zip(rows).flat_map(move |(number, row)| {
            let in_row = all.in_row(all.row(row.representative));
            let positions: Vec<Position> = (0..all.columns()).map(in_row).collect();
            (0..).zip(positions).filter_map(move |(column, position)| {
                entry(table, (index, number, column), position, row.orbit).transpose()
            })
        })),
        Err(error) => Box::new(once(Err(error))),
    }
}

/// Reads the entry of a position at a layer, row and column; `None` if it is invalid.
fn entry(
    table: &Table,
    (index, row, column): (usize, u64, u64),
    position: Position,
    arrangements: u64,
) -> Result<Option<Entry>, ProbeError> {
    let code = table.raw().code(index, row, column)?;
    let Some(score) = table.raw().header().encoding.decode(code) else { return Ok(None) };
    Ok(Some(Entry { position: table.game().situation(position, None), score, arrangements }))
}
