//! The distribution of positions over values and distances, layer by layer, for programs that process it.

use morpion_games::catalogue::Table;
use morpion_lookup::{Counts, DrawKind, Score, TableError};
use serde::Serialize;

/// Number of positions of one layer with one value and distance. The keys are the columns of the CSV.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the other side.
    pub waiter: u8,
    /// `win`, `draw` or `loss` for the side to move; `invalid` if it owns a line.
    pub value: &'static str,
    /// `end` or `cycle` for a draw.
    pub draw: Option<&'static str>,
    /// Half-moves to the end; `None` for a draw or if the table has no distances.
    pub plies: Option<u16>,
    /// Number of positions or arrangements.
    pub count: u64,
}

impl Share {
    pub(crate) fn new(layer: Counts, score: Score, count: u64) -> Share {
        Share {
            mover: layer.mover,
            waiter: layer.waiter,
            value: score.value().name(),
            draw: score.draw().map(DrawKind::name),
            plies: score.plies(),
            count,
        }
    }
}

/// The arrangements of a table, from its census.
///
/// # Errors
/// If the census is damaged.
pub fn of_arrangements(table: &Table) -> Result<Vec<Share>, TableError> {
    let census = table.raw().census()?;
    let has_distances = table.has_distances();
    let mut shares = Vec::new();
    for (section, layer) in table.raw().header().layers.iter().zip(&census.layers) {
        let scores = layer.scores(has_distances);
        shares.extend(scores.map(|(score, count)| Share::new(section.counts, score, count)));
        if layer.none > 0 {
            let Counts { mover, waiter } = section.counts;
            let count = layer.none;
            shares.push(Share { mover, waiter, value: "invalid", draw: None, plies: None, count });
        }
    }
    Ok(shares)
}
