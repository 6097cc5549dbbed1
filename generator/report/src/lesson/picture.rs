//! A lesson as a picture of its tree, in SVG.

use super::Lesson;
use super::rows::{Branch, rows, summary};
use morpion_lookup::Game;
use svg::Document;
use svg::node::element::{Group, Polyline, Rectangle, Text, Title};

/// Height of a line, and the largest size of its diagram.
const HEIGHT: f64 = 72.0;
const BOARD: f64 = 64.0;
/// Distance from a diagram to the diagrams after it, to the right.
const INDENT: f64 = 40.0;
const MARGIN: f64 = 20.0;
/// Space above the tree.
const TOP: f64 = 84.0;
/// Width of the text beside a diagram.
const TEXT: f64 = 420.0;

/// Draws a lesson: a diagram for each position in which the owner moves. Diagrams of the positions after a move are below it and
/// to its right.
#[must_use]
pub fn draw(game: &Game, lesson: &Lesson) -> String {
    let rows = rows(lesson);
    let depth = rows.iter().map(|row| row.depth).max().unwrap_or(0);
    let (width, height) = (
        2.0 * MARGIN + INDENT * depth as f64 + BOARD + TEXT,
        TOP + HEIGHT * rows.len() as f64 + MARGIN,
    );
    let [result, size] = summary(lesson);
    let title = format!("{}, from {}", game.name(), lesson.position);
    let mut document = Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("role", "img")
        .set("font-family", "sans-serif")
        .set("font-size", 13)
        .set("fill", "#222")
        .add(Title::new(format!("{title}: {result}")))
        .add(Rectangle::new().set("width", width).set("height", height).set("fill", "#fff"))
        .add(text(MARGIN, 28.0, &title).set("font-size", 16).set("font-weight", "bold"))
        .add(text(MARGIN, 48.0, &result))
        .add(text(MARGIN, 66.0, &size));
    for (at, row) in rows.iter().enumerate() {
        if let Some(parent) = rows[..at].iter().rposition(|other| other.depth + 1 == row.depth) {
            document = document.add(branch(parent, at, row.depth));
        }
    }
    for (at, row) in rows.iter().enumerate() {
        document = document.add(line(game, lesson, row, TOP + HEIGHT * at as f64));
    }
    format!("{document}\n")
}

/// The line from a diagram to one below and to the right.
fn branch(parent: usize, at: usize, depth: usize) -> Polyline {
    let x = MARGIN + INDENT * (depth - 1) as f64 + INDENT / 2.0;
    let middle = |at: usize| TOP + HEIGHT * (at as f64 + 0.5);
    let (top, bottom) = (middle(parent), middle(at));
    Polyline::new()
        .set("points", format!("{x},{top} {x},{bottom} {},{bottom}", x + INDENT / 2.0))
        .set("fill", "none")
        .set("stroke", "#bbb")
        .set("stroke-width", 1.5)
}

/// A diagram and its text.
fn line(game: &Game, lesson: &Lesson, row: &Branch<'_>, top: f64) -> Group {
    let left = MARGIN + INDENT * row.depth as f64;
    let board = row.diagram(game, lesson).sized(BOARD);
    let board = board.set("x", left).set("y", top + (HEIGHT - BOARD) / 2.0);
    let x = left + BOARD + 10.0;
    let number = row.step.map(|step| format!("{}.", step.number));
    let first: Vec<String> = number.into_iter().chain(row.reply(lesson.side)).collect();
    let mut second: Vec<String> = row.answer(lesson.side).into_iter().collect();
    second.extend(row.reference().map(|(_, words)| words));
    second.extend(row.ending(game, lesson.side));
    Group::new()
        .add(board)
        .add(text(x, top + 30.0, &first.join(" ")))
        .add(text(x, top + 49.0, &second.join(", ")).set("font-weight", "bold"))
}

fn text(x: f64, y: f64, content: &str) -> Text {
    Text::new(content).set("x", x).set("y", y)
}
