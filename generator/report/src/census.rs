//! The census of a table, told to people: as text and as a drawing.

use crate::words::{grouped, plies};
use morpion_lookup::raw::Encoding;
use morpion_lookup::raw::{Census, Deepest};
use morpion_lookup::{Position, Side, Table, TableError};
use serde::Serialize;
use std::fmt::Write;

/// The counts of a whole table: arrangements, each as often as there are of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Wins by plies; from a table without distances one number.
    pub wins: Vec<u64>,
    /// Losses, likewise.
    pub losses: Vec<u64>,
    /// Draws that end.
    pub draws_end: u64,
    /// Draws by cycle.
    pub draws_cycle: u64,
    /// Arrangements whose mover owns a line.
    pub none: u64,
    /// The longest win, where the table has distances and there is one.
    pub longest_win: Option<DeepestText>,
    /// The longest loss, likewise.
    pub longest_loss: Option<DeepestText>,
}

/// A position as deep as any, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeepestText {
    /// Its distance.
    pub plies: u16,
    /// The position; X is to move where that is open.
    pub position: String,
}

impl DeepestText {
    /// `1 ply`, `9 plies`.
    pub fn distance(&self) -> String {
        plies(self.plies)
    }
}

impl Totals {
    /// Sums up the layers of a table's census.
    ///
    /// # Errors
    /// Where the census is damaged.
    pub fn of(table: &Table) -> Result<Totals, TableError> {
        let census = table.raw().census()?;
        let text = |deepest: Option<Deepest>| {
            deepest.map(|Deepest { plies, mover, waiter }| {
                let position = Position { mover, waiter };
                let game = table.game();
                let side = game.side_to_move(position).unwrap_or(Side::X);
                DeepestText { plies, position: game.format_position(position, side) }
            })
        };
        let mut totals = Totals {
            wins: Vec::new(),
            losses: Vec::new(),
            draws_end: 0,
            draws_cycle: 0,
            none: 0,
            longest_win: text(census.longest_win),
            longest_loss: text(census.longest_loss),
        };
        for layer in &census.layers {
            add(&mut totals.wins, &layer.wins);
            add(&mut totals.losses, &layer.losses);
            totals.draws_end += layer.draws_end;
            totals.draws_cycle += layer.draws_cycle;
            totals.none += layer.none;
        }
        Ok(totals)
    }
}

fn add(sums: &mut Vec<u64>, more: &[u64]) {
    sums.resize(sums.len().max(more.len()), 0);
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// The census as tables of text: by layer, by distance, and the deepest positions.
///
/// # Errors
/// Where the census is damaged.
pub fn text(table: &Table) -> Result<String, TableError> {
    let census: Census = table.raw().census()?;
    let totals = Totals::of(table)?;
    let sum = |list: &[u64]| list.iter().sum::<u64>();
    let mut rows = vec![
        ["layer", "arrangements", "wins", "losses", "draws (end)", "draws (cycle)", "no position"]
            .map(String::from)
            .to_vec(),
    ];
    let mut row = |label: String, wins: u64, losses: u64, ends: u64, cycles: u64, none: u64| {
        let all = wins + losses + ends + cycles + none;
        let mut cells = vec![label];
        cells.extend([all, wins, losses, ends, cycles, none].map(grouped));
        rows.push(cells);
    };
    for (layer, section) in census.layers.iter().zip(table.raw().layers()) {
        row(
            format!("({}, {})", section.mover, section.waiter),
            sum(&layer.wins),
            sum(&layer.losses),
            layer.draws_end,
            layer.draws_cycle,
            layer.none,
        );
    }
    row(
        "all".into(),
        sum(&totals.wins),
        sum(&totals.losses),
        totals.draws_end,
        totals.draws_cycle,
        totals.none,
    );
    let mut text = aligned(&rows);
    if table.raw().header().encoding != Encoding::Wdl {
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
                format!("{}  {}", deepest.distance(), deepest.position)
            });
            let _ = write!(text, "\n{label:<12} {words}");
        }
        text.push('\n');
    }
    Ok(text)
}

/// Rows of cells as text, every column but the first flush right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            let _ = if column == 0 {
                write!(text, "{cell:<width$}")
            } else {
                write!(text, "  {cell:>width$}")
            };
        }
        text.push('\n');
    }
    text
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
/// Left, right, top, bottom.
const MARGINS: [f64; 4] = [72.0, 16.0, 56.0, 56.0];

/// The census as a drawing in SVG: how many wins and losses there are at each distance, on a logarithmic scale; of a
/// table without distances, how many of each value.
///
/// # Errors
/// Where the census is damaged.
pub fn plot(table: &Table) -> Result<String, TableError> {
    let totals = Totals::of(table)?;
    let sum = |list: &[u64]| list.iter().sum::<u64>();
    let bars: Vec<(String, Vec<(&str, u64)>)> = if table.raw().header().encoding == Encoding::Wdl {
        vec![
            ("win".into(), vec![("win", sum(&totals.wins))]),
            ("draw".into(), vec![("draw", totals.draws_end)]),
            ("loss".into(), vec![("loss", sum(&totals.losses))]),
        ]
    } else {
        let at = |list: &[u64], plies: usize| list.get(plies).copied().unwrap_or(0);
        let each = |plies: usize| {
            let both = [("win", at(&totals.wins, plies)), ("loss", at(&totals.losses, plies))];
            (plies.to_string(), both.into_iter().filter(|bar| bar.1 > 0).collect())
        };
        let ends = [("draw", totals.draws_end, "ends"), ("draw", totals.draws_cycle, "cycle")];
        let draws = ends.into_iter().filter(|draw| draw.1 > 0);
        (0..totals.wins.len().max(totals.losses.len()))
            .map(each)
            .chain(draws.map(|(kind, count, label)| (label.to_string(), vec![(kind, count)])))
            .collect()
    };
    Ok(draw(&table.game().rules().name, &table.game().rules().title, &bars))
}

fn draw(name: &str, title: &str, bars: &[(String, Vec<(&str, u64)>)]) -> String {
    let greatest = bars.iter().flat_map(|group| &group.1).map(|bar| bar.1).max().unwrap_or(1);
    // One power of ten more than the greatest number has digits before it.
    let powers = greatest.max(1).ilog10() + 1;
    let [left, right, top, bottom] = MARGINS;
    let (inner_width, inner_height) = (WIDTH - left - right, HEIGHT - top - bottom);
    // The scale begins below 1, so that a single position has a bar to be seen.
    let height = |count: u64| {
        let power = (count.max(1) as f64).log10() + 0.3;
        power / (f64::from(powers) + 0.3) * inner_height
    };
    let base = top + inner_height;
    let mut svg = String::new();
    let _ = write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" font-family="sans-serif" font-size="12">
<title>{}: positions by distance</title>
<style>.win{{fill:#1b6ca8}}.loss{{fill:#c8553d}}.draw{{fill:#8d8d8d}}.grid{{stroke:#ddd}}.axis{{stroke:#444}}text{{fill:#222}}</style>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>
<text x="{left}" y="20" font-size="15" font-weight="bold">{}</text>
<text x="{left}" y="38">{}</text>
"##,
        escaped(name),
        escaped(name),
        escaped(title)
    );
    for power in 0..=powers {
        let count = 10u64.pow(power);
        let y = base - height(count);
        let _ = writeln!(
            svg,
            r#"<line class="grid" x1="{left}" y1="{y:.1}" x2="{:.1}" y2="{y:.1}"/><text x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
            WIDTH - right,
            left - 6.0,
            y + 4.0,
            grouped(count)
        );
    }
    let step = inner_width / bars.len().max(1) as f64;
    for (index, (label, group)) in bars.iter().enumerate() {
        let x = left + index as f64 * step;
        let width = step * 0.8 / group.len().max(1) as f64;
        for (place, (kind, count)) in group.iter().enumerate() {
            let tall = height(*count);
            let _ = writeln!(
                svg,
                r#"<rect class="{kind}" x="{:.1}" y="{:.1}" width="{width:.1}" height="{tall:.1}"><title>{label}: {} ({kind})</title></rect>"#,
                x + step * 0.1 + place as f64 * width,
                base - tall,
                grouped(*count)
            );
        }
        // As many labels as have room.
        let every = (28.0 / step).ceil().max(1.0) as usize;
        if index % every == 0 || label.parse::<u64>().is_err() {
            let _ = writeln!(
                svg,
                r#"<text x="{:.1}" y="{:.1}" text-anchor="middle">{label}</text>"#,
                x + step / 2.0,
                base + 16.0
            );
        }
    }
    let _ = writeln!(
        svg,
        r#"<line class="axis" x1="{left}" y1="{base:.1}" x2="{:.1}" y2="{base:.1}"/>
<text x="{:.1}" y="{:.1}" text-anchor="middle">plies to the end under perfect play; draws apart</text>"#,
        WIDTH - right,
        left + inner_width / 2.0,
        HEIGHT - 14.0
    );
    for (index, kind) in ["win", "loss", "draw"].into_iter().enumerate() {
        let x = WIDTH - right - 210.0 + index as f64 * 70.0;
        let _ = writeln!(
            svg,
            r#"<rect class="{kind}" x="{x:.1}" y="10" width="12" height="12"/><text x="{:.1}" y="20">{kind}</text>"#,
            x + 17.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::catalogue::standard_game;
    use morpion_games::progress::Unobserved;
    use morpion_solver::solve::operator::Operator;

    fn table(name: &str, encoding: Encoding) -> Table {
        let game = standard_game(name).unwrap();
        let bytes = morpion_solver::build::table::solve_as(
            &game,
            encoding,
            Operator::default(),
            &Unobserved,
        );
        Table::open(morpion_lookup::Bytes::from(bytes.unwrap())).unwrap()
    }

    #[test]
    fn totals_are_the_sums_and_the_deepest_position_is_as_deep() {
        let table = table("nine-holes", Encoding::Plies8);
        let totals = Totals::of(&table).unwrap();
        assert_eq!((totals.wins.len(), totals.losses.len()), (10, 9));
        assert_eq!(totals.wins.iter().sum::<u64>(), 2121);
        assert_eq!(totals.losses.iter().sum::<u64>(), 769);
        let deepest = totals.longest_win.unwrap();
        let (position, _) = table.game().parse_position(&deepest.position).unwrap();
        assert_eq!(table.probe(position).unwrap().plies(), Some(deepest.plies));
        assert_eq!(deepest.plies, 9);
    }

    #[test]
    fn the_drawing_has_a_bar_for_every_distance_that_occurs() {
        let drawn = plot(&table("nine-holes", Encoding::Plies8)).unwrap();
        let bars = |kind: &str| drawn.matches(&format!("<rect class=\"{kind}\"")).count() - 1;
        assert_eq!((bars("win"), bars("loss"), bars("draw")), (5, 5, 1));
        let drawn = plot(&table("classic", Encoding::Wdl)).unwrap();
        assert!(drawn.contains("<title>draw: "));
    }

    #[test]
    fn the_text_has_a_row_for_every_layer_and_every_distance() {
        let text = text(&table("swap", Encoding::Plies8)).unwrap();
        for layer in ["(0, 0)", "(2, 3)", "(3, 3)", "all"] {
            assert!(text.lines().any(|line| line.starts_with(layer)), "{text}");
        }
        assert!(text.contains("longest win  5 plies"), "{text}");
    }
}
