//! The arena's results as an SVG picture. Each player has two stacked bars, one for the games and one for the choices.

use super::{Judgement, Score};
use svg::node::element::{Group, Rectangle, Text, Title};
use svg::{Document, Node};

const BAR: f64 = 300.0;
const HEIGHT: f64 = 18.0;
const STEP: f64 = 28.0;
const LEFT: f64 = 130.0;
const GAP: f64 = 70.0;
const TOP: f64 = 94.0;

/// Colours from good to bad, which also differ in lightness.
const COLOURS: [&str; 4] = ["#1b7837", "#a6dba0", "#fdb863", "#b2182b"];
const OUTCOMES: [(&str, &str); 3] =
    [("won", COLOURS[0]), ("drawn", "#cccccc"), ("lost", COLOURS[3])];
const CHOICES: [(&str, &str); 4] = [
    ("perfect", COLOURS[0]),
    ("value kept", COLOURS[1]),
    ("a step worse", COLOURS[2]),
    ("win to loss", COLOURS[3]),
];

/// Draws the games of each player and, if there is a table, the player's choices.
pub fn draw(game: &str, title: &str, scores: &[Score], judgements: &[Judgement]) -> String {
    let panels = if judgements.is_empty() { 1.0 } else { 2.0 };
    let width = LEFT + panels * BAR + (panels - 1.0) * GAP + 30.0;
    let height = TOP + STEP * scores.len() as f64 + 16.0;
    let mut document = Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("role", "img")
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .add(Title::new(format!("{game}: {title}")))
        .add(Rectangle::new().set("width", width).set("height", height).set("fill", "white"))
        .add(label(16.0, 20.0, game).set("font-size", 15).set("font-weight", "bold"))
        .add(label(16.0, 38.0, title));
    document.append(legend(LEFT, "Games", &OUTCOMES));
    for (row, score) in scores.iter().enumerate() {
        let y = TOP + STEP * row as f64;
        let name = label(LEFT - 8.0, y + 13.0, &score.player).set("text-anchor", "end");
        document.append(name);
        let counts = [score.wins, score.draws, score.losses].map(f64::from);
        let total = counts.iter().sum::<f64>().max(1.0);
        document.append(bar(LEFT, y, &score.player, &OUTCOMES, &counts.map(|count| count / total)));
    }
    if !judgements.is_empty() {
        let left = LEFT + BAR + GAP;
        document.append(legend(left, "Choices", &CHOICES));
        for (row, judgement) in judgements.iter().enumerate() {
            let y = TOP + STEP * row as f64;
            document.append(bar(left, y, &judgement.player, &CHOICES, &judgement.quality));
        }
    }
    document.to_string()
}

fn label(x: f64, y: f64, text: &str) -> Text {
    Text::new(text).set("x", x).set("y", y).set("fill", "#222222")
}

fn legend(left: f64, heading: &str, parts: &[(&str, &str)]) -> Group {
    let mut group = Group::new().add(label(left, 60.0, heading).set("font-weight", "bold"));
    let mut x = left;
    for (name, colour) in parts {
        group.append(square(x, 70.0, 10.0, 10.0, colour));
        group.append(label(x + 14.0, 79.0, name).set("font-size", 11));
        // A letter of this size is about 6 units wide.
        x += 22.0 + 6.0 * name.len() as f64;
    }
    group
}

fn square(x: f64, y: f64, width: f64, height: f64, colour: &str) -> Rectangle {
    Rectangle::new()
        .set("x", x)
        .set("y", y)
        .set("width", width)
        .set("height", height)
        .set("fill", colour)
}

fn bar(left: f64, y: f64, player: &str, parts: &[(&str, &str)], shares: &[f64]) -> Group {
    let mut group = Group::new();
    let mut x = left;
    for ((name, colour), share) in parts.iter().zip(shares) {
        let width = share * BAR;
        if width > 0.0 {
            let percent = format!("{:.1} %", 100.0 * share);
            let title = Title::new(format!("{player}: {name} {percent}"));
            group.append(square(x, y, width, HEIGHT, colour).add(title));
            // A label is drawn only if it fits: dark on light, and light on dark.
            if width > 44.0 {
                let dark = [COLOURS[0], COLOURS[3]].contains(colour);
                let fill = if dark { "white" } else { "#222222" };
                let text = label(x + width / 2.0, y + 13.0, &percent);
                group.append(
                    text.set("text-anchor", "middle").set("font-size", 11).set("fill", fill),
                );
            }
        }
        x += width;
    }
    group
}
