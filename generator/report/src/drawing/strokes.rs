//! Strokes that several drawings of a board share.

use super::geometry::wraps;
use maud::{Markup, html};
use morpion_core::Game;

/// A place in a drawing, right and down.
pub(crate) type Point = [f64; 2];

/// Draws a straight line.
pub(crate) fn segment(from: Point, to: Point) -> Markup {
    let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(rounded);
    html! { line x1=(x1) y1=(y1) x2=(x2) y2=(y2) {} }
}

/// Draws a circle.
pub(crate) fn circle([x, y]: Point, radius: f64, fill: &str) -> Markup {
    html! { circle cx=(rounded(x)) cy=(rounded(y)) r=(radius) fill=(fill) {} }
}

/// Lists the ends of the strokes of links between cells; empty if pieces go to any cell. A link that wraps is drawn in two
/// halves, one at each edge; `half` is their extent, right or down.
pub(crate) fn links(game: &Game, places: &[Point], half: f64) -> Vec<[Point; 2]> {
    let links = game.links().unwrap_or_default();
    let mut lines = Vec::new();
    for (&(a, b), wrap) in links.iter().zip(wraps(game, &links)) {
        let [a, b] = [a, b].map(|cell| places[usize::from(cell)]);
        match wrap {
            None => lines.push([a, b]),
            // The link leaves the board at one edge and enters it again at the opposite edge.
            Some((right, down)) => {
                let step = [right, down].map(|part| f64::from(part) * half);
                lines.push([a, moved(a, step, 1.0)]);
                lines.push([b, moved(b, step, -1.0)]);
            }
        }
    }
    lines
}

/// Moves a place by `times` times the vector `way`.
pub(crate) fn moved(place: Point, way: Point, times: f64) -> Point {
    [0, 1].map(|axis| place[axis] + times * way[axis])
}

/// Returns the distance between two places.
pub(crate) fn distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Rounds to a tenth of a unit: more digits make the file longer, not the picture better.
pub fn rounded(length: f64) -> f64 {
    (10.0 * length).round() / 10.0
}
