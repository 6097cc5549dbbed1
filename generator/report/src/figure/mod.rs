//! Figures of tables and games, as SVG.

pub mod distances;
pub mod games;
pub mod layers;

use crate::words::grouped;
use morpion_diagram::rounded;
use svg::node::element::{Group, Line, Rectangle, Style, Text, Title};
use svg::{Document, Node};

const WIDTH: f64 = 760.0;
/// Margins: on the left for the labels of an axis, on top for the title.
const LEFT: f64 = 112.0;
const RIGHT: f64 = WIDTH - 16.0;
const TOP: f64 = 56.0;

const STYLE: &str = ".win{fill:#1b6ca8}.loss{fill:#c8553d}.draw{fill:#8d8d8d}.reached{fill:#1b6ca8}\
    .all{fill:#c9d6df}.grid{stroke:#ddd}.axis{stroke:#444}text{fill:#222}";

/// An empty figure with a title and a line below it, which begin at `left`.
fn figure(height: f64, left: f64, title: &str, subtitle: &str) -> Document {
    Document::new()
        .set("viewBox", (0, 0, WIDTH, height))
        .set("width", WIDTH)
        .set("height", height)
        .set("role", "img")
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .add(Title::new(format!("{title}: {subtitle}")))
        .add(Style::new(STYLE))
        .add(Rectangle::new().set("width", WIDTH).set("height", height).set("fill", "#fff"))
        .add(text(left, 20.0, title).set("font-size", 15).set("font-weight", "bold"))
        .add(text(left, 38.0, subtitle))
}

/// The area of the bars, between a vertical axis on the left and a horizontal axis below.
struct Panel {
    top: f64,
    base: f64,
}

impl Panel {
    /// Draws the horizontal axis and the titles of both axes.
    fn axes(&self, horizontal: &str, vertical: &str) -> Group {
        let mut group = Group::new();
        group.append(line("axis", self.base));
        group.append(centred(f64::midpoint(LEFT, RIGHT), self.base + 38.0, horizontal));
        let middle = f64::midpoint(self.top, self.base);
        let turned = format!("rotate(-90 14 {middle})");
        group.append(centred(14.0, middle, vertical).set("transform", turned));
        group
    }

    /// A line of the grid at a height above the base, and its label.
    fn grid(&self, height: f64, label: &str) -> Group {
        let y = self.base - height;
        let label = text(LEFT - 6.0, y + 4.0, label).set("text-anchor", "end");
        Group::new().add(line("grid", y)).add(label)
    }

    fn height(&self) -> f64 {
        self.base - self.top
    }
}

/// A logarithmic scale of counts.
struct Logarithmic {
    /// The least power of ten that no count exceeds.
    powers: u32,
    /// The length of the scale.
    length: f64,
}

impl Logarithmic {
    /// The scale begins below 1, so that the bar of a single position is visible.
    const BELOW: f64 = 0.3;

    fn new(length: f64, counts: impl Iterator<Item = u64>) -> Logarithmic {
        Logarithmic { powers: counts.max().unwrap_or(1).max(1).ilog10() + 1, length }
    }

    /// Length of the bar of a count.
    fn at(&self, count: u64) -> f64 {
        let power = (count.max(1) as f64).log10() + Self::BELOW;
        power / (f64::from(self.powers) + Self::BELOW) * self.length
    }

    /// A line of the grid for each power of ten.
    fn draw(&self, panel: &Panel) -> Group {
        let powers = (0..=self.powers).map(|power| 10u64.pow(power));
        powers.fold(Group::new(), |group, count| {
            group.add(panel.grid(self.at(count), &grouped(count)))
        })
    }
}

/// The colours of a figure and their meanings.
fn legend(y: f64, meanings: &[(&str, &str)]) -> Group {
    let (mut group, mut x) = (Group::new(), RIGHT);
    for (class, meaning) in meanings.iter().rev() {
        x -= 28.0 + 7.0 * meaning.len() as f64;
        group.append(rectangle(class, x, y, 12.0, 12.0));
        group.append(text(x + 17.0, y + 10.0, meaning));
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
