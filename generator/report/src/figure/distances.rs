//! The census of a table by distance: a bar for the wins and one for the losses of each distance, on a logarithmic scale, and
//! the draws next to them.

use super::{LEFT, Logarithmic, Panel, RIGHT, TOP, centred, figure, legend, rectangle};
use crate::census::Totals;
use crate::words::grouped;
use morpion_games::catalogue::Table;
use morpion_lookup::TableError;
use svg::Node;
use svg::node::element::{Group, Title};

const HEIGHT: f64 = 420.0;
const PANEL: Panel = Panel { top: TOP, base: HEIGHT - 56.0 };

/// Adjacent bars with one label.
struct Cluster {
    label: String,
    /// `win`, `loss` or `draw`, and the number of arrangements.
    bars: Vec<(&'static str, u64)>,
}

/// Draws the number of wins and losses at each distance. Without distances, draws the number of each value.
///
/// # Errors
/// If the census is damaged.
pub fn draw(table: &Table) -> Result<String, TableError> {
    let totals = Totals::of(table)?;
    let clusters = if table.has_distances() { by_distance(&totals) } else { by_value(&totals) };
    let mut document = figure(HEIGHT, LEFT, table.game().name(), table.game().title());
    let counts = clusters.iter().flat_map(|cluster| &cluster.bars).map(|bar| bar.1);
    let scale = Logarithmic::new(PANEL.height(), counts);
    document.append(scale.draw(&PANEL));
    let step = (RIGHT - LEFT) / clusters.len().max(1) as f64;
    // Draws as many labels as fit.
    let every = (28.0 / step).ceil().max(1.0) as usize;
    for (index, cluster) in clusters.iter().enumerate() {
        let left = LEFT + index as f64 * step;
        document.append(cluster.draw(left, step, &scale));
        if index % every == 0 || cluster.label.parse::<u64>().is_err() {
            document.append(centred(left + step / 2.0, PANEL.base + 16.0, &cluster.label));
        }
    }
    let horizontal = "plies to the end under perfect play; draws on the right";
    document.append(PANEL.axes(horizontal, "arrangements, logarithmic"));
    document.append(legend(10.0, &[("win", "win"), ("loss", "loss"), ("draw", "draw")]));
    Ok(format!("{document}\n"))
}

fn by_value(totals: &Totals) -> Vec<Cluster> {
    let sum = |list: &[u64]| list.iter().sum::<u64>();
    let draws = totals.draws_end + totals.draws_cycle;
    [("win", sum(&totals.wins)), ("draw", draws), ("loss", sum(&totals.losses))]
        .map(|bar| Cluster { label: bar.0.into(), bars: vec![bar] })
        .into()
}

fn by_distance(totals: &Totals) -> Vec<Cluster> {
    let at = |list: &[u64], plies: usize| list.get(plies).copied().unwrap_or(0);
    let of_distance = |plies: usize| {
        let bars = [("win", at(&totals.wins, plies)), ("loss", at(&totals.losses, plies))];
        let bars = bars.into_iter().filter(|bar| bar.1 > 0).collect();
        Cluster { label: plies.to_string(), bars }
    };
    let draws = [("ends", totals.draws_end), ("cycle", totals.draws_cycle)];
    let draws = draws.into_iter().filter(|draw| draw.1 > 0);
    (0..totals.wins.len().max(totals.losses.len()))
        .map(of_distance)
        .chain(
            draws
                .map(|(label, count)| Cluster { label: label.into(), bars: vec![("draw", count)] }),
        )
        .collect()
}

impl Cluster {
    fn draw(&self, left: f64, step: f64, scale: &Logarithmic) -> Group {
        let width = step * 0.8 / self.bars.len().max(1) as f64;
        let mut group = Group::new();
        for (place, &(kind, count)) in self.bars.iter().enumerate() {
            let height = scale.at(count);
            let x = left + step * 0.1 + place as f64 * width;
            let title = Title::new(format!("{}: {} ({kind})", self.label, grouped(count)));
            group.append(rectangle(kind, x, PANEL.base - height, width, height).add(title));
        }
        group
    }
}
