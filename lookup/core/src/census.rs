//! The counts that stand after the entries of a table: how many positions of each value and distance there are.

use crate::error::TableError;
use crate::fields::deserialise;
use crate::position::Position;
use crate::score::{DrawKind, Score};
use crate::source::Source;
use crate::table::Table;
use alloc::vec::Vec;

/// Numbers of arrangements: one entry counts as often as its row's orbit has sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// One for each layer, in the order of play.
    pub layers: Vec<LayerCensus>,
    /// The longest win, if the table has distances and a win: the first in key order, in the earliest layer.
    pub longest_win: Option<Deepest>,
    /// The longest loss, chosen in the same way.
    pub longest_loss: Option<Deepest>,
}

/// The counts of one layer; they sum up to its number of arrangements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerCensus {
    /// Arrangements that are not positions, because the mover owns a line.
    pub none: u64,
    /// Number of wins. In a table with distances, number `d` counts wins in `d` plies; otherwise there is one number.
    pub wins: Vec<u64>,
    /// Number of losses, in the same way.
    pub losses: Vec<u64>,
    /// Draws that end.
    pub draws_end: u64,
    /// Draws by cycle.
    pub draws_cycle: u64,
}

fields!(Census { layers, longest_win, longest_loss });
fields!(LayerCensus { none, wins, losses, draws_end, draws_cycle });
fields!(Deepest { plies, position });

impl LayerCensus {
    /// The numbers of positions by score, without those that are 0: wins and losses by distance, then draws.
    pub fn scores(&self, has_distances: bool) -> impl Iterator<Item = (Score, u64)> {
        let plies = move |distance: usize| has_distances.then_some(distance as u16);
        let wins = (0..).zip(&self.wins).map(move |(d, &n)| (Score::Win { plies: plies(d) }, n));
        let losses = (0..).zip(&self.losses);
        let losses = losses.map(move |(d, &n)| (Score::Loss { plies: plies(d) }, n));
        let draws = [(DrawKind::End, self.draws_end), (DrawKind::Cycle, self.draws_cycle)];
        let draws = draws.map(|(kind, number)| (Score::Draw { kind }, number));
        wins.chain(losses).chain(draws).filter(|&(_, number)| number > 0)
    }
}

/// A position at the greatest distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deepest {
    /// Its distance.
    pub plies: u16,
    /// The position.
    pub position: Position,
}

/// Reads the census of a table.
///
/// # Errors
/// If the bytes cannot be read or are damaged.
pub fn read_census<S: Source>(table: &Table<S>) -> Result<Census, TableError> {
    let mut buffer = Vec::new();
    let length = table.census.end - table.census.start;
    let bytes = table.access().row(table.census.start, length as usize, &mut buffer)?;
    deserialise(bytes.unwrap_or_default())
}

/// Checks that a table that is not in memory has the census of its layers.
///
/// A damaged seek table can move bytes to another offset. A number there may equal the length of the census, but it is not followed by
/// a census.
///
/// # Errors
/// If it has another one, or it cannot be read.
pub fn check_census<S: Source>(table: &Table<S>) -> Result<(), TableError> {
    let is_in_memory = table.source.in_memory().is_some();
    if is_in_memory || read_census(table)?.layers.len() == table.index.header.layers.len() {
        return Ok(());
    }
    Err(TableError::header("a census of other layers"))
}
