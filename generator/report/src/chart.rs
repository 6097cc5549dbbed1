//! The census of a table as a chart.
//!
//! Draws the totals of a table as SVG. For each distance there is a bar of wins and a bar of losses, on a logarithmic
//! scale. The draws are next to them.

use crate::census::Totals;
use crate::words::grouped;
use morpion_games::catalogue::Table;
use morpion_lookup::TableError;
use svg::node::element::{Group, Line, Rectangle, Style, Text, Title};
use svg::{Document, Node};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = WIDTH - 16.0;
const TOP: f64 = 56.0;
/// The lower end of the bars.
const BASE: f64 = HEIGHT - 56.0;

const STYLE: &str = ".win{fill:#1b6ca8}.loss{fill:#c8553d}.draw{fill:#8d8d8d}\
    .grid{stroke:#ddd}.axis{stroke:#444}text{fill:#222}";

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
    let rules = table.game().rules();
    let clusters = if table.has_distances() { by_distance(&totals) } else { by_value(&totals) };
    let mut document = Document::new()
        .set("viewBox", (0, 0, WIDTH, HEIGHT))
        .set("width", WIDTH)
        .set("height", HEIGHT)
        .set("role", "img")
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .add(Title::new(format!("{}: positions by distance", rules.name)))
        .add(Style::new(STYLE))
        .add(Rectangle::new().set("width", WIDTH).set("height", HEIGHT).set("fill", "#fff"))
        .add(text(LEFT, 20.0, &rules.name).set("font-size", 15).set("font-weight", "bold"))
        .add(text(LEFT, 38.0, &rules.title));
    let scale = Scale::of(&clusters);
    document.append(scale.draw());
    let step = (RIGHT - LEFT) / clusters.len().max(1) as f64;
    // As many labels as fit.
    let every = (28.0 / step).ceil().max(1.0) as usize;
    for (index, cluster) in clusters.iter().enumerate() {
        let left = LEFT + index as f64 * step;
        document.append(cluster.draw(left, step, &scale));
        if index % every == 0 || cluster.label.parse::<u64>().is_err() {
            document.append(centred(left + step / 2.0, BASE + 16.0, &cluster.label));
        }
    }
    document.append(line("axis", BASE));
    let explained = "plies to the end under perfect play; draws apart";
    document.append(centred((LEFT + RIGHT) / 2.0, HEIGHT - 14.0, explained));
    document.append(legend());
    Ok(format!("{document}\n"))
}

fn by_value(totals: &Totals) -> Vec<Cluster> {
    let sum = |list: &[u64]| list.iter().sum::<u64>();
    [("win", sum(&totals.wins)), ("draw", totals.draws_end), ("loss", sum(&totals.losses))]
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
    fn draw(&self, left: f64, step: f64, scale: &Scale) -> Group {
        let width = step * 0.8 / self.bars.len().max(1) as f64;
        let mut group = Group::new();
        for (place, &(kind, count)) in self.bars.iter().enumerate() {
            let height = scale.height(count);
            let x = left + step * 0.1 + place as f64 * width;
            let title = Title::new(format!("{}: {} ({kind})", self.label, grouped(count)));
            group.append(rectangle(kind, x, BASE - height, width, height).add(title));
        }
        group
    }
}

/// A logarithmic scale of heights.
struct Scale {
    /// The least power of ten above all bars.
    powers: u32,
}

impl Scale {
    /// The lower end of the scale. It is below 1, so that a bar of a single position is visible.
    const BELOW: f64 = 0.3;

    fn of(clusters: &[Cluster]) -> Scale {
        let counts = clusters.iter().flat_map(|cluster| &cluster.bars).map(|bar| bar.1);
        Scale { powers: counts.max().unwrap_or(1).max(1).ilog10() + 1 }
    }

    fn height(&self, count: u64) -> f64 {
        let power = (count.max(1) as f64).log10() + Self::BELOW;
        power / (f64::from(self.powers) + Self::BELOW) * (BASE - TOP)
    }

    /// Draws a line for each power of ten.
    fn draw(&self) -> Group {
        let mut group = Group::new();
        for power in 0..=self.powers {
            let count = 10u64.pow(power);
            let y = BASE - self.height(count);
            group.append(line("grid", y));
            group.append(text(LEFT - 6.0, y + 4.0, &grouped(count)).set("text-anchor", "end"));
        }
        group
    }
}

fn legend() -> Group {
    let mut group = Group::new();
    for (index, kind) in ["win", "loss", "draw"].into_iter().enumerate() {
        let x = RIGHT - 210.0 + index as f64 * 70.0;
        group.append(rectangle(kind, x, 10.0, 12.0, 12.0));
        group.append(text(x + 17.0, 20.0, kind));
    }
    group
}

/// A horizontal line from margin to margin.
fn line(class: &str, y: f64) -> Line {
    let y = rounded(y);
    Line::new().set("class", class).set("x1", LEFT).set("y1", y).set("x2", RIGHT).set("y2", y)
}

fn rectangle(class: &str, x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    Rectangle::new()
        .set("class", class)
        .set("x", rounded(x))
        .set("y", rounded(y))
        .set("width", rounded(width))
        .set("height", rounded(height))
}

fn text(x: f64, y: f64, content: &str) -> Text {
    Text::new(content).set("x", rounded(x)).set("y", rounded(y))
}

fn centred(x: f64, y: f64, content: &str) -> Text {
    text(x, y, content).set("text-anchor", "middle")
}

/// Rounds to a tenth of a unit. More digits make the file longer, but not the picture better.
fn rounded(length: f64) -> f64 {
    (10.0 * length).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::tests::table;
    use morpion_lookup::raw::Encoding;

    #[test]
    fn the_drawing_has_a_bar_for_every_distance_that_occurs() {
        let drawn = draw(&table("nine-holes-diagonals", Encoding::Plies8)).unwrap();
        let bars = |kind: &str| drawn.matches(&format!("<rect class=\"{kind}\"")).count() - 1;
        assert_eq!((bars("win"), bars("loss"), bars("draw")), (5, 5, 1));
        let drawn = draw(&table("classic", Encoding::Wdl)).unwrap();
        assert!(drawn.contains("<title>draw: "));
    }
}
