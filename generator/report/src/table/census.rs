//! The census of a table, summed over its layers.
//!
//! Computes the totals, and the counts by layer and by distance as text.

use crate::distribution::Pieces;
use crate::phrases::{aligned, grouped, plies};
use morpion_core::{Census, Deepest, Game, LayerCensus, TableError};
use morpion_games::catalogue::Table;
use morpion_games::reach::layer_name;
use serde::Serialize;
use std::fmt::Write;

/// The counts of a whole table in arrangements or orbits. In arrangements, an entry counts once for each set in the orbit of its
/// row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Number of wins by plies; a single number if the table has no distances.
    pub wins: Vec<u64>,
    /// Number of losses by plies; a single number if the table has no distances.
    pub losses: Vec<u64>,
    /// Draws that end.
    pub draws_end: u64,
    /// Draws by cycle.
    pub draws_cycle: u64,
    /// Invalid arrangements: their mover already owns a line.
    pub none: u64,
    /// The longest win; `None` if there is none or the table has no distances.
    pub longest_win: Option<DeepestText>,
    /// The longest loss; `None` if there is none or the table has no distances.
    pub longest_loss: Option<DeepestText>,
}

/// One of the deepest positions, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeepestText {
    /// Distance of the position.
    pub plies: u16,
    /// The position, with X to move if either side may be to move.
    pub position: String,
}

/// A census layer by layer. The keys of its JSON form are part of the interface.
#[derive(Clone, Serialize)]
pub struct ByLayer {
    layers: Vec<LayerCounts>,
    longest_win: Option<DeepestText>,
    longest_loss: Option<DeepestText>,
}

#[derive(Clone, Serialize)]
struct LayerCounts {
    #[serde(flatten)]
    pieces: Pieces,
    /// Invalid arrangements: their mover already owns a line.
    none: u64,
    /// Number of won positions by plies; a single number if the table has no distances.
    wins: Vec<u64>,
    /// Number of lost positions by plies; a single number if the table has no distances.
    losses: Vec<u64>,
    /// Draws that end, on a full board or with a blocked side.
    draws_end: u64,
    /// Draws in which play can continue forever.
    draws_cycle: u64,
}

impl ByLayer {
    /// Names the layers of a census of a table.
    pub fn new(table: &Table, census: &Census) -> ByLayer {
        let game = table.game();
        let counts = |(index, layer): (usize, &LayerCensus)| {
            let LayerCensus { none, wins, losses, draws_end, draws_cycle } = layer.clone();
            let pieces = Pieces::of(game, index);
            LayerCounts { pieces, none, wins, losses, draws_end, draws_cycle }
        };
        let layers = census.layers.iter().enumerate().map(counts).collect();
        let [longest_win, longest_loss] = deepest(game, census);
        ByLayer { layers, longest_win, longest_loss }
    }
}

/// The longest win and the longest loss of a census.
fn deepest(game: &Game, census: &Census) -> [Option<DeepestText>; 2] {
    [census.longest_win, census.longest_loss].map(|deepest| {
        deepest.map(|Deepest { plies, position: raw }| DeepestText {
            plies,
            position: game.format_position(game.situation(raw, None)),
        })
    })
}

impl Totals {
    /// Sums the layers of a table's census.
    ///
    /// # Errors
    /// If the census is damaged.
    pub fn of(table: &Table) -> Result<Totals, TableError> {
        Ok(Totals::sum(table, &table.raw().census()?))
    }

    /// Sums the layers of a census of a table.
    pub fn sum(table: &Table, census: &Census) -> Totals {
        let LayerCensus { none, wins, losses, draws_end, draws_cycle } = all(census);
        let [longest_win, longest_loss] = deepest(table.game(), census);
        Totals { wins, losses, draws_end, draws_cycle, none, longest_win, longest_loss }
    }
}

/// The sum of all layers.
fn all(census: &Census) -> LayerCensus {
    census.layers.iter().fold(LayerCensus::default(), |mut all, layer| {
        add(&mut all.wins, &layer.wins);
        add(&mut all.losses, &layer.losses);
        all.draws_end += layer.draws_end;
        all.draws_cycle += layer.draws_cycle;
        all.none += layer.none;
        all
    })
}

fn add(sums: &mut Vec<u64>, more: &[u64]) {
    sums.resize(sums.len().max(more.len()), 0);
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// Formats a census of a table as tables: all counts, with `layers` also by layer, the counts by distance, and the deepest
/// positions. `unit` names what is counted.
pub fn text(table: &Table, census: &Census, unit: &str, layers: bool) -> String {
    let totals = Totals::sum(table, census);
    let row = |label: String, layer: &LayerCensus| {
        let LayerCensus { none, wins, losses, draws_end, draws_cycle } = layer;
        let [wins, losses] = [wins, losses].map(|list| list.iter().sum::<u64>());
        let counts = [wins, losses, *draws_end, *draws_cycle, *none];
        (label, [counts.iter().sum(), wins, losses, *draws_end, *draws_cycle, *none])
    };
    let nodes = census.layers.iter().zip(&table.game().graph().layers);
    let nodes = nodes.filter(|(_, node)| layers && !node.ended);
    let mut rows: Vec<_> = nodes.map(|(layer, node)| row(layer_name(node), layer)).collect();
    rows.push(row("all".into(), &all(census)));
    let mut text = by_layer(unit, &rows);
    if table.has_distances() {
        let mut rows = vec![["plies", "wins", "losses"].map(String::from).to_vec()];
        for plies in 0..totals.wins.len().max(totals.losses.len()) {
            let at = |list: &[u64]| grouped(list.get(plies).copied().unwrap_or(0));
            rows.push(vec![plies.to_string(), at(&totals.wins), at(&totals.losses)]);
        }
        text.push('\n');
        text.push_str(&aligned(&rows));
        for (label, deepest) in
            [("longest win", &totals.longest_win), ("longest loss", &totals.longest_loss)]
        {
            let words = deepest.as_ref().map_or("none".into(), |deepest| {
                format!("{}  {}", plies(deepest.plies), deepest.position)
            });
            let _ = write!(text, "\n{label:<12} {words}");
        }
        text.push('\n');
    }
    text
}

/// Formats a label and six counts per row. The columns for both kinds of draws and for invalid arrangements are omitted
/// if they contain only zeros.
fn by_layer(unit: &str, rows: &[(String, [u64; 6])]) -> String {
    let names = [unit, "wins", "losses", "draws (end)", "draws (cycle)", "invalid"];
    let is_shown =
        |&column: &usize| column < 3 || rows.iter().any(|(_, counts)| counts[column] > 0);
    let shown = |label: &str, cells: [String; 6]| {
        let cells = (0..).zip(cells).filter(|(column, _)| is_shown(column));
        std::iter::once(label.to_owned()).chain(cells.map(|(_, cell)| cell)).collect()
    };
    let heads = shown("layer", names.map(String::from));
    let counts = rows.iter().map(|(label, counts)| shown(label, counts.map(grouped)));
    aligned(&std::iter::once(heads).chain(counts).collect::<Vec<_>>())
}
