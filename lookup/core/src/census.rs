//! The counts that stand after the entries of a table: how many positions of each value and distance there are.

use crate::error::TableError;
use crate::fields::{METADATA_LIMIT, deserialise};
use crate::format::Header;
use crate::position::Position;
use crate::reader::Access;
use crate::score::{DrawKind, Score};
use crate::source::Source;
use alloc::vec::Vec;
use core::ops::Range;

/// Numbers of arrangements. An entry counts once for each set in the orbit of its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// The counts of each layer, in the order of play.
    pub layers: Vec<LayerCensus>,
    /// The longest win; `None` in a table without distances or without a win. Of several, the first in key order in the earliest layer.
    pub longest_win: Option<Deepest>,
    /// The longest loss, chosen as the longest win is.
    pub longest_loss: Option<Deepest>,
}

/// The counts of one layer; they sum up to its number of arrangements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerCensus {
    /// Arrangements that are not positions, because the mover owns a line.
    pub none: u64,
    /// Numbers of wins. In a table with distances, element `d` counts the wins in `d` plies; otherwise the only element counts all wins.
    pub wins: Vec<u64>,
    /// Number of losses, counted as wins are.
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

    /// Adds `arrangements` to the count of this score; `None` counts arrangements that are not positions.
    pub fn add(&mut self, score: Option<Score>, arrangements: u64) {
        fn at(list: &mut Vec<u64>, plies: Option<u16>) -> &mut u64 {
            let index = usize::from(plies.unwrap_or(0));
            list.resize(list.len().max(index + 1), 0);
            &mut list[index]
        }
        *match score {
            Some(Score::Win { plies }) => at(&mut self.wins, plies),
            Some(Score::Loss { plies }) => at(&mut self.losses, plies),
            Some(Score::Draw { kind: DrawKind::End }) => &mut self.draws_end,
            Some(Score::Draw { kind: DrawKind::Cycle }) => &mut self.draws_cycle,
            None => &mut self.none,
        } += arrangements;
    }
}

/// A position at the greatest distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deepest {
    /// The distance of the position.
    pub plies: u16,
    /// The position.
    pub position: Position,
}

/// Finds the bytes of the census of the table with this header, and checks the length of the file. The checksums begin at the first
/// multiple of 8 after the census.
///
/// # Errors
/// If the file is longer or shorter, or its source cannot be read.
pub fn census_range(source: &dyn Source, header: &Header) -> Result<Range<u64>, TableError> {
    let mut length = [0; 8];
    let (found, start) = (source.size(), header.census + 8);
    if start > found {
        return Err(TableError::cut(found, header.file_length(0)));
    }
    source.read_at(header.census, &mut length)?;
    let length = u64::from_le_bytes(length);
    if length > METADATA_LIMIT as u64 {
        return Err(TableError::header("a census longer than 4 MiB"));
    }
    let expected = header.file_length(length);
    if found != expected {
        return Err(TableError::length(found, expected));
    }
    Ok(start..start + length)
}

/// Reads the census of a table of `layers` layers from its range.
///
/// # Errors
/// If the bytes cannot be read or are damaged.
pub fn read_census(
    access: Access<'_>,
    range: &Range<u64>,
    layers: usize,
) -> Result<Census, TableError> {
    let mut buffer = Vec::new();
    let bytes = access.row(range.start, (range.end - range.start) as usize, &mut buffer)?;
    let census: Census = deserialise(bytes.unwrap_or_default())?;
    let found = census.layers.len();
    if found != layers {
        return Err(TableError::header(format_args!(
            "a census of {found} layers, expected {layers}"
        )));
    }
    Ok(census)
}
