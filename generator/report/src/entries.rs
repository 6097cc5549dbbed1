//! Lists every valid entry or arrangement of a table as a position with its score, layer by layer in the order of play.

use morpion_games::arranged::{Arranged, layers};
use morpion_games::catalogue::Table;
use morpion_games::rows::rows;
use morpion_lookup::raw::Position;
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

fn in_layer(table: &Table, all: Arranged) -> Entries<'_> {
    let index = all.layer();
    let orders = table.game().orders(index)[0];
    match rows(table, table.raw().header().layers[index].counts.mover) {
        Ok(rows) => Box::new((0..).zip(rows).flat_map(move |(number, row)| {
            // The words of the representative differ in the order of its pieces.
            let (words, columns) = (all.words_of(row.representative), all.columns());
            let of_word = |word| (0..columns).map(all.row(word));
            let positions: Vec<Position> = words.flat_map(of_word).collect();
            (0..).zip(positions).filter_map(move |(at, position)| {
                let place = (index, number * orders + at / columns, at % columns);
                entry(table, place, position, row.orbit).transpose()
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
    let side = table.game().side_to_move(position).unwrap_or(Side::X);
    Ok(Some(Entry { position, side, score, arrangements }))
}
